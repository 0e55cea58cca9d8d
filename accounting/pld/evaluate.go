package pld

import "math"

// pairOfEnds is a direction composed from above and from below.
type pairOfEnds struct {
	up, low         composition
	lostUp, lostLow float64 // P-mass at +∞
}

// composition is a composed loss of which the hockey-stick curve can be had.
type composition interface {
	// root is an ε certified for δ, with extra mass at +∞.
	root(theta, delta, extra float64, upper bool) (epsilon float64, ok bool)
	// curve is δ(ε) with all errors added (upper) or taken away.
	curve(theta, epsilon float64, upper bool) float64
	// errors are what wrap-around and round-off may change in δ(ε).
	errors(theta, epsilon float64) (wrap, roundoff float64)
	// logWeight is an upper bound on ln E[e^{θS}] of the finite losses S.
	logWeight(theta float64) float64
}

// vacuum is a lower end that has lost all its mass: it claims nothing.
type vacuum struct{}

func (vacuum) root(_, delta, extra float64, _ bool) (float64, bool) {
	return math.Inf(1), delta <= extra
}
func (vacuum) curve(_, _ float64, _ bool) float64           { return 0 }
func (vacuum) logWeight(float64) float64                    { return math.Inf(-1) }
func (vacuum) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
