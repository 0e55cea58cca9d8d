package accounting

import (
	"math"

	"epsiloscope/accounting/special"
)

// The conversions between privacy notions. Each takes and returns plain numbers; results below 0
// are 0, and at δ ≥ 1 every ε is 0. A guarantee that is negative or not a number, which cannot be,
// converts to no guarantee: ε = +Inf, or δ = 1. A budget that is negative or not a number allows
// nothing.

// RenyiToEpsilon returns the tight conversion of D_α ≤ r to (ε, δ)
// (Canonne, Kamath & Steinke 2020, Proposition 12; Balle et al. 2020, Theorem 21):
// ε = r + ln((α−1)/α) − (ln δ + ln α)/(α−1), for α > 1 and 0 < δ < 1.
// At α = +Inf it is r.
func RenyiToEpsilon(alpha, r, delta float64) float64 {
	return renyiToEpsilonLog(alpha, r, special.Log(math.Max(0, delta)))
}

func renyiToEpsilonLog(alpha, r, logDelta float64) float64 {
	return orderOf(alpha).epsilon(r, logDelta)
}

// RenyiCurveToEpsilon returns, as a function of δ, the least RenyiToEpsilon of the divergences r at the orders. What
// only the orders decide is computed once.
func RenyiCurveToEpsilon(alphas, r []float64) func(delta float64) float64 {
	orders := make([]conversion, len(alphas))
	for i, alpha := range alphas {
		orders[i] = orderOf(alpha)
	}
	return func(delta float64) float64 {
		least, logDelta := math.Inf(1), special.Log(math.Max(0, delta))
		for i, o := range orders {
			if epsilon := o.epsilon(r[i], logDelta); epsilon < least {
				least = epsilon
			}
		}
		return least
	}
}

// conversion holds what an order alone decides of a conversion: s = α−1, the term ln((α−1)/α) and ln α. The term is
// written −ln(1+1/s) because at large orders the difference would cancel, downwards.
type conversion struct{ alpha, s, term, log float64 }

func orderOf(alpha float64) conversion {
	s := alpha - 1
	return conversion{alpha, s, -math.Log1p(1 / s), math.Log1p(s)}
}

// epsilon returns the tight conversion of D_α ≤ r.
func (c conversion) epsilon(r, logDelta float64) float64 {
	return c.add(r, logDelta, c.term, c.failure(logDelta))
}

// failure returns the term −(ln δ + ln α)/(α−1).
func (c conversion) failure(logDelta float64) float64 { return -(logDelta + c.log) / c.s }

// add adds the terms of a conversion to D_α, and the rounding of each: they may cancel. They are omitted at α = +Inf;
// at δ ≥ 1 the result is 0.
func (c conversion) add(r, logDelta, term, failure float64) float64 {
	switch {
	case !(r >= 0) || math.IsNaN(logDelta):
		return math.Inf(1)
	case logDelta >= 0:
		return 0
	case math.IsInf(c.alpha, 1):
		return r
	case !(c.alpha > 1):
		return math.Inf(1)
	}
	rounding := outwards * (r - term + (c.log-logDelta)/c.s)
	return math.Max(0, r+term+failure+rounding)
}

// RenyiToEpsilonClassic returns the conversion of Mironov 2017, Proposition 3:
// ε = r + ln(1/δ)/(α−1).
func RenyiToEpsilonClassic(alpha, r, delta float64) float64 {
	return renyiToEpsilonClassicLog(alpha, r, special.Log(math.Max(0, delta)))
}

func renyiToEpsilonClassicLog(alpha, r, logDelta float64) float64 {
	return orderOf(alpha).add(r, logDelta, 0, -logDelta/(alpha-1))
}

// ConcentratedToEpsilon returns the ε at δ of a ρ-zCDP guarantee by the tight
// conversion, with the order α that attains it (+Inf only for ρ = 0).
func ConcentratedToEpsilon(rho, delta float64) (epsilon, alpha float64) {
	if !(rho >= 0) || math.IsNaN(delta) {
		return math.Inf(1), math.Inf(1)
	}
	if rho == 0 || delta >= 1 {
		return 0, math.Inf(1)
	}
	if delta <= 0 || math.IsInf(rho, 1) {
		return math.Inf(1), math.Inf(1)
	}
	return concentratedToEpsilonLog(rho, special.Log(delta))
}

// concentratedToEpsilonLog searches around √(ln(1/δ)/ρ), the order at which the
// classic conversion is best.
func concentratedToEpsilonLog(rho, logDelta float64) (epsilon, alpha float64) {
	centre := 0.5 * (special.Log(-logDelta) - special.Log(rho))
	m := special.Minimise(func(u float64) float64 {
		s := math.Exp(u)
		return renyiToEpsilonLog(1+s, (1+s)*rho, logDelta)
	}, centre-8, centre+4, 13)
	return m.Value, 1 + math.Exp(m.At)
}

// ConcentratedToEpsilonClassic returns ρ + 2√(ρ ln(1/δ)) (Bun & Steinke 2016,
// Proposition 1.3).
func ConcentratedToEpsilonClassic(rho, delta float64) float64 {
	switch {
	case !(rho >= 0) || math.IsNaN(delta):
		return math.Inf(1)
	case rho == 0 || delta >= 1:
		return 0
	case delta <= 0:
		return math.Inf(1)
	}
	return rho + 2*math.Sqrt(rho)*math.Sqrt(-special.Log(delta))
}

// ConcentratedToDelta returns the δ at ε of a ρ-zCDP guarantee: the smallest over α > 1
// of e^{(α−1)(αρ−ε)}/(α−1)·(1−1/α)^α (Canonne, Kamath & Steinke 2020,
// Corollary 13).
func ConcentratedToDelta(rho, epsilon float64) float64 {
	return math.Exp(math.Min(0, logConcentratedDelta(rho, epsilon)))
}

func logConcentratedDelta(rho, epsilon float64) float64 {
	if !(rho >= 0) || math.IsNaN(epsilon) {
		return 0
	}
	if rho == 0 {
		if epsilon >= 0 {
			return math.Inf(-1)
		}
		return special.Log1mExp(epsilon)
	}
	// The exponent s²ρ + s(ρ−ε) − ln s alone is least here.
	d := epsilon - rho
	centre := special.Log(d+math.Hypot(d, math.Sqrt(8*rho))) - special.Log(4*rho)
	if d < 0 { // the same root without the cancellation
		centre = special.Log(2) - special.Log(math.Hypot(d, math.Sqrt(8*rho))-d)
	}
	return special.Minimise(func(u float64) float64 {
		s := math.Exp(u)
		return renyiLogDelta(s, (1+s)*rho, epsilon)
	}, centre-6, centre+4, 11).Value
}

// renyiLogDelta returns ln δ at ε from D_{1+s} ≤ r: s(r−ε) − ln s + (1+s)·ln(s/(1+s)).
func renyiLogDelta(s, r, epsilon float64) float64 {
	return s*(r-epsilon) - special.Log(s) - (1+s)*math.Log1p(1/s)
}

// ConcentratedFromDP returns the largest ρ whose classic conversion meets (ε, δ):
// (√(ε + ln(1/δ)) − √ln(1/δ))².
func ConcentratedFromDP(epsilon, delta float64) float64 {
	if !(delta > 0) || !(epsilon > 0) {
		return 0
	}
	log := math.Max(0, -special.Log(delta))
	// √(ε+l) − √l = ε/(√(ε+l) + √l), which does not cancel.
	root := epsilon / (math.Sqrt(epsilon+log) + math.Sqrt(log))
	return root * root
}

// ConcentratedFromDPTight returns the largest ρ whose tight conversion meets (ε, δ), rounded
// down: the largest over α > 1 of RenyiFromDP(α, ε, δ)/α.
func ConcentratedFromDPTight(epsilon, delta float64) float64 {
	classic := ConcentratedFromDP(epsilon, delta)
	if classic == 0 || delta >= 1 {
		return classic
	}
	centre := 0.5 * (special.Log(-special.Log(delta)) - special.Log(classic))
	m := special.Minimise(func(u float64) float64 {
		alpha := 1 + math.Exp(u)
		return -RenyiFromDP(alpha, epsilon, delta) / alpha
	}, centre-8, centre+4, 49)
	return math.Max(classic, -m.Value*(1-1e-15))
}

// RenyiFromDP returns the largest D_α whose tight conversion meets (ε, δ):
// ε + ln(α/(α−1)) + (ln δ + ln α)/(α−1). It is not above 0 where no divergence does.
func RenyiFromDP(alpha, epsilon, delta float64) float64 {
	if math.IsNaN(alpha) || math.IsNaN(delta) || !(epsilon >= 0) {
		return math.Inf(-1)
	}
	if math.IsInf(alpha, 1) {
		return epsilon
	}
	if delta <= 0 || !(alpha > 1) {
		return math.Inf(-1)
	}
	s := alpha - 1
	return epsilon + math.Log1p(1/s) + (special.Log(delta)+math.Log1p(s))/s
}

// PureToConcentrated returns the smallest ρ of an ε-DP mechanism: ε·tanh(ε/2), the KL
// divergence of randomized response.
func PureToConcentrated(epsilon float64) float64 {
	if !(epsilon >= 0) {
		return math.Inf(1)
	}
	return epsilon * math.Tanh(epsilon/2)
}

// PureToConcentratedClassic returns ε²/2 (Bun & Steinke 2016, Proposition 1.4).
func PureToConcentratedClassic(epsilon float64) float64 {
	if !(epsilon >= 0) {
		return math.Inf(1)
	}
	return epsilon * epsilon / 2
}

// GaussianToDelta returns the δ at ε of a μ-GDP guarantee (Dong, Roth & Su 2022,
// Corollary 1).
func GaussianToDelta(mu, epsilon float64) float64 {
	if !(mu >= 0) || math.IsNaN(epsilon) {
		return 1
	}
	return math.Exp(special.LogGaussianProfile(mu, epsilon))
}

// GaussianToEpsilon returns the ε at δ of a μ-GDP guarantee, rounded up; +Inf at δ ≤ 0
// unless μ = 0.
func GaussianToEpsilon(mu, delta float64) float64 {
	if !(mu >= 0) || math.IsNaN(delta) {
		return math.Inf(1)
	}
	return special.GaussianEpsilon(mu, special.Log(math.Max(0, delta)))
}

// GaussianFromDP returns the largest μ whose Gaussian meets (ε, δ), rounded down.
func GaussianFromDP(epsilon, delta float64) float64 {
	if !(delta > 0) || !(epsilon >= 0) {
		return 0
	}
	if delta >= 1 {
		return math.Inf(1)
	}
	logDelta := special.Log(delta)
	// In terms of 1/μ the profile is decreasing.
	excess := func(noise float64) float64 { return special.LogGaussianProfile(1/noise, epsilon) - logDelta }
	high := 1.0
	for excess(high) > 0 {
		high *= 16
	}
	for high > 1e-150 && excess(high/16) <= 0 {
		high /= 16
	}
	_, noise := special.BracketRoot(excess, high/16, high, 1e-14)
	return 1 / noise
}
