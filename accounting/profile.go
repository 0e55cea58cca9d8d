package accounting

import (
	"math"

	"epsiloscope/accounting/special"
)

// logProfile is ln δ(ε) of a release in the worse direction. Where the profile
// itself leaves the range of float64 the dominating pair answers instead.
func logProfile(r Release) func(epsilon float64) float64 {
	if mu, err := r.Gaussian(); err == nil {
		return func(epsilon float64) float64 { return special.LogGaussianProfile(mu, epsilon) }
	}
	pair, pairErr := pairOf(r)
	return func(epsilon float64) float64 {
		delta, err := r.Profile(epsilon)
		if err != nil || math.IsNaN(delta) {
			return 0
		}
		if delta > 1e-290 {
			return math.Log(delta)
		}
		if pairErr == nil {
			return pair.LogDelta(epsilon)
		}
		return math.Log(math.Max(delta, 1e-300)) // no digits below: do not promise less
	}
}

// inverse is a release whose profile is itself a conversion, so that ε at δ comes
// at the price of one conversion instead of a search over many.
type inverse interface {
	epsilonAt(logDelta float64) float64
}

// curveToEpsilon is the least ε that a Rényi curve gives at ln δ by the tight
// conversion.
func curveToEpsilon(curve func(float64) (float64, error), logDelta float64) float64 {
	at := func(alpha float64) float64 {
		r, err := curve(alpha)
		if err != nil || math.IsNaN(r) {
			return math.Inf(1)
		}
		return r
	}
	pure := at(math.Inf(1))
	m := leastOverOrders(at, func(alpha, r float64) float64 { return renyiToEpsilonLog(alpha, r, logDelta) }, pure)
	return math.Min(m.value, pure)
}

// totalToEpsilon is the ε at ln δ of a release that knows its total (ε, δ), its
// curve, or both.
func totalToEpsilon(r Release, logDelta float64) float64 {
	least := math.Inf(1)
	if epsilon, delta, err := r.Approximate(); err == nil && (delta == 0 || math.Log(delta) <= logDelta) {
		least = epsilon
	}
	if _, err := r.Renyi(2); err == nil {
		least = math.Min(least, curveToEpsilon(r.Renyi, logDelta))
	}
	return least
}

// epsilonAt is the ε of one release at ln δ, by its profile and rounded up. It is
// +Inf where no ε is known to reach that δ.
func epsilonAt(r Release, logDelta float64) float64 {
	if math.IsInf(logDelta, -1) {
		if epsilon, delta, err := r.Approximate(); err == nil && delta == 0 {
			return epsilon
		}
		return math.Inf(1)
	}
	if mu, err := r.Gaussian(); err == nil {
		return gaussianToEpsilonLog(mu, logDelta)
	}
	if direct, ok := r.(inverse); ok {
		return direct.epsilonAt(logDelta)
	}
	return invertProfile(logProfile(r), logDelta)
}

// invertProfile is the least ε ≥ 0 at which ln of a profile is down to ln δ, rounded
// up; +Inf where that is beyond 1e30.
func invertProfile(curve func(float64) float64, logDelta float64) float64 {
	excess := func(epsilon float64) float64 {
		d := curve(epsilon) - logDelta
		return math.Max(d, -1e300) // −Inf would spoil the interpolation
	}
	if excess(0) <= 0 {
		return 0
	}
	low, high := 0.0, 1e-12
	for excess(high) > 0 {
		low, high = high, high*8
		if high > 1e30 {
			return math.Inf(1)
		}
	}
	return crossing(excess, low, high, 1e-13)
}
