package special

import "math"

// LogGaussianProfile returns ln δ(ε) for the pair N(0,1), N(μ,1):
// δ = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) (Balle & Wang 2018, Theorem 8).
//
// With c = ε/μ both terms share the factor φ(c − μ/2), so δ is that factor times a
// difference of two Mills ratios. Taken so, it keeps its relative accuracy (about
// 1e-13) far below 1e-300 and for μ down to 1e-150, where the textbook difference
// has no digit left.
func LogGaussianProfile(mu, epsilon float64) float64 {
	if mu <= 0 {
		if epsilon >= 0 {
			return math.Inf(-1)
		}
		return Log1mExp(epsilon)
	}
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε), as the pair is symmetric
		return LogAdd(Log1mExp(epsilon), epsilon+LogGaussianProfile(mu, -epsilon))
	}
	c := epsilon / mu
	low, high := c-mu/2, c+mu/2
	if low < -25 { // the Mills ratio would overflow, but δ is 1 up to 1e-137
		return math.Log1p(-NormalCDF(low) - NormalPDF(low)*mills(high))
	}
	return -0.5*low*low - halfLog2Pi + LogMillsDrop(low, mu)
}

// GaussianEpsilon returns the ε at ln δ of a μ-GDP guarantee, rounded up.
func GaussianEpsilon(mu, logDelta float64) float64 {
	switch {
	case mu == 0 || logDelta >= 0:
		return 0
	case math.IsInf(logDelta, -1) || math.IsInf(mu, 1):
		return math.Inf(1)
	}
	accuracy := 1e-13 - 1e-15*logDelta // of the profile's logarithm
	excess := func(epsilon float64) float64 { return LogGaussianProfile(mu, epsilon) + accuracy - logDelta }
	if excess(0) <= 0 {
		return 0
	}
	// The classic zCDP conversion is an upper bound for the Gaussian too.
	top := mu*mu/2 + mu*math.Sqrt(-2*logDelta)
	_, above := BracketRoot(excess, 0, top*(1+1e-12), 1e-14)
	return above
}

// LogMillsDrop returns ln(M(t) − M(t+width)), M the Mills ratio (1−Φ)/φ, t ≥ −25.
func LogMillsDrop(t, width float64) float64 {
	if width > 0.1 {
		return math.Log(mills(t) - mills(t+width))
	}
	// −M′(t) = 1 − t·M(t), integrated by five Gauss–Legendre nodes: the drop of a
	// smooth positive function over a short step, so nothing cancels.
	half, mid := width/2, t+width/2
	var at [5]float64
	for i, x := range legendreNodes {
		at[i] = mid + half*x
	}
	sum := 0.0
	for i, slope := range millsSlopes(at) {
		sum += legendreWeights[i] * slope
	}
	return math.Log(half) + math.Log(sum)
}

var (
	legendreNodes   = [5]float64{0, -0.5384693101056831, 0.5384693101056831, -0.9061798459386640, 0.9061798459386640}
	legendreWeights = [5]float64{128.0 / 225, 0.4786286704993665, 0.4786286704993665,
		0.2369268850561891, 0.2369268850561891}
)

// mills returns (1−Φ(t))/φ(t).
func mills(t float64) float64 {
	if t >= 5 {
		return millsRatio(t)
	}
	return math.Sqrt(math.Pi/2) * math.Exp(t*t/2) * math.Erfc(t/math.Sqrt2)
}

// millsSlopes returns 1 − t·M(t) > 0 at the five nodes. For t ≥ 3 they come from the continued
// fraction M = 1/(t+g), as g/(t+g), since the difference would cancel. The five go side by
// side: each division waits for the one before it in its own fraction, not for those of the
// others.
func millsSlopes(at [5]float64) (slopes [5]float64) {
	f := at
	if least, most := at[3], at[4]; most >= 3 {
		for k := terms(math.Max(3, least)); k >= 2; k-- {
			for i, t := range at {
				f[i] = t + float64(k)/f[i]
			}
		}
	}
	for i, t := range at {
		if g := 1 / f[i]; t >= 3 {
			slopes[i] = g / (t + g)
		} else {
			slopes[i] = 1 - t*mills(t)
		}
	}
	return slopes
}
