package accounting

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/renyi"
)

// RenyiPoint bounds the Rényi divergence of order Alpha > 1 by Value.
type RenyiPoint struct{ Alpha, Value float64 }

// RenyiPoints is a release of which only a few orders are known (Mironov 2017).
// Between two orders the chord of (α−1)·D_α, which is convex, is an upper bound;
// below the smallest the value there, as D_α does not decrease; above the largest
// nothing is known. An order of +Inf is a pure ε.
func RenyiPoints(points []RenyiPoint) Release {
	known := slices.Clone(points)
	for _, p := range known {
		if !(p.Alpha > 1) || !finite(p.Value) {
			return Refused("Rényi points", "every Rényi order must be above 1 and its value a finite number of at least 0")
		}
	}
	if len(known) == 0 {
		return Refused("Rényi points", "no Rényi order is given")
	}
	slices.SortFunc(known, func(a, b RenyiPoint) int {
		return cmp.Or(cmp.Compare(a.Alpha, b.Alpha), cmp.Compare(a.Value, b.Value))
	})
	known = slices.CompactFunc(known, func(a, b RenyiPoint) bool { return a.Alpha == b.Alpha })
	// A smaller value at a larger order holds below it too.
	for i := len(known) - 2; i >= 0; i-- {
		known[i].Value = math.Min(known[i].Value, known[i+1].Value)
	}
	return renyiPoints{Refusal{Label: "Rényi points"}, known}
}

type renyiPoints struct {
	Refusal
	points []RenyiPoint // by order, none twice, values not decreasing
}

func (r renyiPoints) Key() string { return key("renyi", r.points) }

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

// Profile is the best tight conversion over the given orders and between them.
func (r renyiPoints) Profile(epsilon float64) (delta float64, err error) {
	return math.Exp(math.Min(0, curveToLogDelta(curveOf(r), epsilon))), nil
}

func (r renyiPoints) epsilonAt(logDelta float64) float64 { return curveToEpsilon(curveOf(r), logDelta) }

func (r renyiPoints) Pair() (pld.Pair, error) {
	return pld.Pair{}, errors.New("no dominating pair: of a guarantee at a few Rényi orders only the conversions hold")
}
