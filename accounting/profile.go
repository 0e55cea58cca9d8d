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
	curve := logProfile(r)
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
