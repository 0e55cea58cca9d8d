package accounting

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
)

// GaussianDP returns a release that is exactly μ-GDP: Gaussian noise with μ = Δ₂/σ
// (Dong, Roth & Su 2022, Theorem 1).
func GaussianDP(mu float64) Release {
	if !finite(mu) {
		return NewUnsupported("Gaussian", "μ = Δ/σ must be a finite number of at least 0")
	}
	pair := sync.OnceValue(func() pairs.Pair { return pairs.Gaussian(mu) })
	return gaussian{newKeyed("Gaussian", "gaussian", mu), mu, pair}
}

type gaussian struct {
	keyed
	mu   float64
	pair func() pairs.Pair
}

func (g gaussian) Approximate() (epsilon, delta float64, err error) {
	if g.mu == 0 {
		return 0, 0, nil
	}
	return 0, 0, errors.New("Gaussian noise has no pure ε, only a δ for every ε")
}

func (g gaussian) Renyi(alpha float64) (float64, error) {
	if g.mu == 0 {
		return 0, nil
	}
	return math.Max(1, alpha) * g.mu * g.mu / 2, nil
}

func (g gaussian) Concentrated() (rho float64, err error) { return g.mu * g.mu / 2, nil }

func (g gaussian) Gaussian() (mu float64, err error) { return g.mu, nil }

func (g gaussian) Profile(epsilon float64) (delta float64, err error) {
	return GaussianToDelta(g.mu, epsilon), nil
}

func (g gaussian) Pair() (pairs.Pair, error) { return g.pair(), nil }

// ConcentratedDP returns a release of which only its (ξ, ρ)-zCDP is known: D_α ≤ ξ + αρ for
// every α > 1 (Bun & Steinke 2016, Definition 1.1). Both numbers add up. ξ is nearly always 0,
// and there is no limit to ρ; the US Census used 2.63.
func ConcentratedDP(xi, rho float64) Release {
	switch {
	case xi == 0 && finite(rho):
		return concentrated{newKeyed("ρ-zCDP", "zcdp", xi, rho), 0, rho}
	case xi == 0:
		return NewUnsupported("ρ-zCDP", "ρ must be a finite number of at least 0")
	case !finite(xi, rho):
		return NewUnsupported("(ξ, ρ)-zCDP", "ξ and ρ must be finite numbers of at least 0")
	}
	return concentrated{newKeyed("(ξ, ρ)-zCDP", "zcdp", xi, rho), xi, rho}
}

type concentrated struct {
	keyed
	xi, rho float64
}

func (c concentrated) Renyi(alpha float64) (float64, error) {
	if c.rho == 0 {
		return c.xi, nil
	}
	return c.xi + math.Max(1, alpha)*c.rho, nil
}

// Concentrated returns the least line through 0 above ξ + αρ for α ≥ 1.
func (c concentrated) Concentrated() (rho float64, err error) { return c.xi + c.rho, nil }

// Profile returns the tight conversion at each ε: an upper bound on the profile of any
// (ξ, ρ)-zCDP mechanism, as D_α − ξ is that of a ρ-zCDP one.
func (c concentrated) Profile(epsilon float64) (delta float64, err error) {
	if c.xi > 0 && epsilon <= c.xi {
		return 1, nil
	}
	return ConcentratedToDelta(c.rho, epsilon-c.xi), nil
}

func (c concentrated) epsilonAt(logDelta float64) float64 {
	switch {
	case logDelta >= 0:
		return 0
	case c.rho == 0:
		return c.xi
	}
	epsilon, _ := concentratedToEpsilonLog(c.rho, logDelta)
	return c.xi + epsilon
}

// Pair returns an error: the Gaussian pair with μ = √(2ρ) has the same Rényi curve but does not dominate.
func (c concentrated) Pair() (pairs.Pair, error) {
	return pairs.Pair{}, errors.New("no dominating pair: of a zCDP guarantee only the conversions hold")
}

// RenyiPoint bounds the Rényi divergence of order Alpha > 1 by Value.
type RenyiPoint struct{ Alpha, Value float64 }

// RenyiPoints returns a release of which only a few orders are known (Mironov 2017).
// Between two orders the chord of (α−1)·D_α, which is convex, is an upper bound;
// below the smallest the value there, as D_α does not decrease; above the largest
// nothing is known. An order of +Inf is a pure ε.
func RenyiPoints(points []RenyiPoint) Release {
	known := slices.Clone(points)
	for _, p := range known {
		if !(p.Alpha > 1) || !finite(p.Value) {
			return NewUnsupported("Rényi points", "every Rényi order must be above 1 and its value a finite number of at least 0")
		}
	}
	if len(known) == 0 {
		return NewUnsupported("Rényi points", "no Rényi order is given")
	}
	slices.SortFunc(known, func(a, b RenyiPoint) int {
		return cmp.Or(cmp.Compare(a.Alpha, b.Alpha), cmp.Compare(a.Value, b.Value))
	})
	known = slices.CompactFunc(known, func(a, b RenyiPoint) bool { return a.Alpha == b.Alpha })
	// A smaller value at a larger order holds below it too.
	for i := len(known) - 2; i >= 0; i-- {
		known[i].Value = math.Min(known[i].Value, known[i+1].Value)
	}
	return renyiPoints{newKeyed("Rényi points", renyiPointsKey, known), known}
}

// renyiPointsKey begins the key of a release whose Rényi curve is stated at some orders.
const renyiPointsKey = "renyi"

type renyiPoints struct {
	keyed
	points []RenyiPoint // by order, none twice, values not decreasing
}

func (r renyiPoints) last() RenyiPoint { return r.points[len(r.points)-1] }

func (r renyiPoints) Approximate() (epsilon, delta float64, err error) {
	if last := r.last(); math.IsInf(last.Alpha, 1) {
		return last.Value, 0, nil
	}
	return 0, 0, errors.New("no pure ε at a few Rényi orders, only a δ for every ε")
}

func (r renyiPoints) Renyi(alpha float64) (float64, error) {
	i, _ := slices.BinarySearchFunc(r.points, alpha, func(p RenyiPoint, a float64) int {
		return cmp.Compare(p.Alpha, a)
	})
	switch {
	case i == len(r.points):
		return math.Inf(1), nil
	case i == 0 || r.points[i].Alpha == alpha || math.IsInf(r.points[i].Alpha, 1):
		return r.points[i].Value, nil
	}
	a, b := r.points[i-1], r.points[i]
	return renyi.Chord(a.Alpha, a.Value, b.Alpha, b.Value, alpha), nil
}

func (r renyiPoints) Concentrated() (rho float64, err error) {
	return math.Inf(1), errors.New("zCDP needs every Rényi order: a guarantee at orders up to " + prose(r.last().Alpha) + " promises no ρ")
}

// Profile returns the best tight conversion over the given orders and between them.
func (r renyiPoints) Profile(epsilon float64) (delta float64, err error) {
	return math.Exp(math.Min(0, curveToLogDelta(curveOf(r), epsilon))), nil
}

func (r renyiPoints) epsilonAt(logDelta float64) float64 { return curveToEpsilon(curveOf(r), logDelta) }

func (r renyiPoints) Pair() (pairs.Pair, error) {
	return pairs.Pair{}, errors.New("no dominating pair: of a guarantee at a few Rényi orders only the conversions hold")
}
