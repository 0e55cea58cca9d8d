package renyi

import (
	"math"

	"epsiloscope/accounting/special"
)

// SampledGaussian is the Rényi divergence of Poisson-subsampled Gaussian noise,
// (1−q)N(0,1) + qN(μ,1) against N(0,1): the larger of the two directions (Mironov,
// Talwar & Zhang 2019, Theorem 5). Small whole orders are a binomial sum (their
// equation 6), others the integral itself by the trapezoidal rule, which converges
// geometrically here and whose cost depends on αμ, not on α. Where either would take too
// long the bound is looser, never smaller: the chord between whole orders, or the divergence without sampling.
func SampledGaussian(q, mu, alpha float64) float64 {
	if mu == 0 || q == 0 {
		return 0
	}
	alpha = math.Max(1, alpha)
	plain := alpha * mu * mu / 2
	whole := math.Floor(alpha)
	if math.IsInf(plain, 1) || alpha > 1e12 {
		return plain
	}
	if whole == alpha && alpha > 1 && alpha <= 64 {
		return math.Min(plain, sampledGaussianWhole(q, mu, alpha))
	}
	if r, ok := sampledGaussianIntegral(q, mu, alpha); ok {
		return math.Min(plain, r)
	}
	switch {
	case alpha > 1e9:
		return plain
	case whole == alpha:
		return math.Min(plain, sampledGaussianWhole(q, mu, alpha))
	default:
		below := 0.0
		if whole > 1 {
			below = sampledGaussianWhole(q, mu, whole)
		}
		above := sampledGaussianWhole(q, mu, whole+1)
		return math.Min(plain, Chord(whole, below, whole+1, above, math.Max(alpha, 1+1e-12)))
	}
}

// sampledGaussianIntegral integrates e^{(α−1)D} − 1 = E[s·φ(x)] + E[(1+x)(e^{sy}−1−sy)],
// with s = α−1, 1+x the likelihood ratio at a standard normal point w and y its
// logarithm. No term is negative, so D keeps its digits however small q is.
func sampledGaussianIntegral(q, mu, alpha float64) (r float64, ok bool) {
	// The nearest singularity, ratio 0, lies π/μ off the real axis: half a 1/μ as
	// step leaves e^{−39}.
	h := math.Min(0.5, 0.5/mu)
	low, high := -9.5, alpha*mu+9.5
	n := math.Ceil((high - low) / h)
	if n > 2000 {
		return 0, false
	}
	s := alpha - 1
	kl, rest := math.Inf(-1), math.Inf(-1)
	for i := 0.0; i <= n; i++ {
		w := low + i*h
		y := special.LogMix(q, mu*w-mu*mu/2)
		weight := -w * w / 2
		kl = special.LogAdd(kl, weight+special.LogEntropyRemainder(y))
		if s > 0 && y != 0 {
			rest = special.LogAdd(rest, weight+y+special.LogExpRemainder(s*y))
		}
	}
	unit := math.Log(h) - 0.5*math.Log(2*math.Pi)
	if s == 0 {
		return math.Exp(kl + unit), true
	}
	return special.Softplus(special.LogAdd(math.Log(s)+kl, rest)+unit) / s, true
}

// sampledGaussianWhole sums the binomial form at a whole order:
// e^{(α−1)D} − 1 = Σ_{i≥2} P(i)·(e^{(i²−i)μ²/2} − 1), P binomial(α, q). It answers
// the divergence without sampling where the terms that count are too many.
func sampledGaussianWhole(q, mu, alpha float64) float64 {
	b := binomialSum{q, mu, alpha}
	log, ok := b.sum()
	if !ok {
		return alpha * mu * mu / 2
	}
	return special.Softplus(log) / (alpha - 1)
}

type binomialSum struct{ q, mu, alpha float64 }

// crude is ln of a term with e^x for e^x − 1: concave, then convex, then concave in
// i, so that between two of its peaks it lies below the higher end.
func (b binomialSum) crude(i float64) float64 {
	return special.LogBinomial(i, b.alpha, b.q) + i*(i-1)/2*b.mu*b.mu
}

func (b binomialSum) term(i float64) float64 {
	x := i * (i - 1) / 2 * b.mu * b.mu
	if x > 40 {
		return special.LogBinomial(i, b.alpha, b.q) + x
	}
	return special.LogBinomial(i, b.alpha, b.q) + math.Log(math.Expm1(x))
}

// slope is the derivative of crude, up to the half-integer shift of the factorials.
func (b binomialSum) slope(i float64) float64 {
	return math.Log((b.alpha-i+0.5)/(i+0.5)) + math.Log(b.q) - math.Log1p(-b.q) + i*b.mu*b.mu
}

// sum adds the terms around each peak, and for what lies between and beyond them
// the number of terms left times the largest of them.
func (b binomialSum) sum() (log float64, ok bool) {
	log = math.Inf(-1)
	if b.alpha <= 1000 {
		for i := 2.0; i <= b.alpha; i++ {
			log = special.LogAdd(log, b.term(i))
		}
		return log, true
	}
	budget := 4000
	from, to := math.Inf(1), math.Inf(-1) // what is already summed
	rest := math.Inf(-1)
	for _, peak := range b.peaks() {
		if peak >= from && peak <= to {
			continue
		}
		for _, step := range []float64{1, -1} {
			i := peak
			if step < 0 {
				i--
			}
			for ; i >= 2 && i <= b.alpha && !(i >= from && i <= to); i += step {
				if budget--; budget < 0 {
					return 0, false
				}
				log = special.LogAdd(log, b.term(i))
				if v := b.crude(i); v < log-45-math.Log(b.alpha) {
					rest = math.Max(rest, v)
					i += step
					break
				}
			}
			if step > 0 {
				from, to = math.Min(from, peak), math.Max(to, i-step)
			} else {
				from = math.Min(from, i-step)
			}
		}
	}
	return special.LogAdd(log, rest+math.Log(b.alpha)), true
}

// peaks are the whole numbers next to the local maxima of crude.
func (b binomialSum) peaks() []float64 {
	z2 := 1 / (b.mu * b.mu)
	clamp := func(i float64) float64 { return math.Min(b.alpha, math.Max(2, math.Round(i))) }
	falling := func(low, high float64) float64 {
		_, down := special.Crossing(b.slope, low, high, 1e-12)
		return down
	}
	if b.alpha+1 <= 4*z2 { // concave throughout
		return []float64{clamp(falling(0, b.alpha))}
	}
	width := math.Sqrt(1 - 4*z2/(b.alpha+1))
	first, second := b.alpha/2*(1-width), b.alpha/2*(1+width) // the inflections
	var peaks []float64
	if b.slope(second) > 0 {
		peaks = append(peaks, clamp(falling(second, b.alpha)))
	}
	if b.slope(first) < 0 {
		peaks = append(peaks, clamp(falling(0, first)))
	}
	if len(peaks) == 0 {
		peaks = []float64{b.alpha}
	}
	return peaks
}
