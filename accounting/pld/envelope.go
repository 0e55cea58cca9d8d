package pld

import (
	"math"
	"slices"
)

// envelope is a loss whose curve lies on or just above the pointwise maximum of the
// curves of several lists.
//
// Between two losses x < y of the union the chord of the maximum has slope
// −Q = (δ(y) − δ(x))/(e^y − e^x); the P-mass at a loss x is e^x times the fall of Q there.
// As long as one list is the largest at three losses running, that is its own mass,
// taken as it stands; only where the largest list changes it comes from differences,
// padded upward by their round-off.
func envelope(lists []*law) *law {
	var mesh []float64
	own := make([]map[float64]float64, len(lists)) // P-mass by loss
	for b, l := range lists {
		own[b] = make(map[float64]float64, len(l.list))
		for _, a := range l.list {
			mesh = append(mesh, a.loss)
			own[b][a.loss] = a.p
		}
	}
	slices.Sort(mesh)
	mesh = slices.Compact(mesh)
	n := len(mesh)
	value := make([]float64, n)
	leader := make([]int, n)
	for b, l := range lists {
		curve := newCurveTable(l.list, l.top)
		for j, x := range mesh {
			if d := curve.at(x); b == 0 || d > value[j] {
				value[j], leader[j] = d, b
			}
		}
	}
	return listed(mesh, value, 64*ulp, func(j int) (float64, bool) {
		b := leader[j]
		if j > 0 && j < n-1 && leader[j-1] == b && leader[j+1] == b {
			return own[b][mesh[j]], true
		}
		return 0, false
	})
}

// listed is the loss whose curve takes the given values at the given losses, with chords in
// e^ε between them; the values must be convex in e^ε and fall. They have a relative error,
// but for the masses known apart, if any. A chord is a quotient of two differences, each
// right but for its last place, so it is itself right to a few: however close two losses
// are, only what is wrong with the values is magnified by their distance.
func listed(mesh, value []float64, relative float64, known func(j int) (mass float64, ok bool)) *law {
	n := len(mesh)
	top := value[n-1] // nothing but what lies at +∞
	// The cell above mesh[j]: how wide it is, and e^x·Q on it by its chord, relative to its
	// lower end.
	cell := func(j int) (width, chord float64) {
		if j < 0 || j >= n-1 {
			return 1, 0
		}
		width = mesh[j+1] - mesh[j]
		return width, (value[j] - value[j+1]) / math.Expm1(width)
	}
	points := make([]atom, 0, n)
	for j, x := range mesh {
		p, ok := 0.0, false
		if known != nil {
			p, ok = known(j)
		}
		if !ok {
			left, before := cell(j - 1)
			right, after := cell(j)
			if before *= math.Exp(left); j == 0 {
				before = 1 - value[0] // below the lowest loss the curve is 1 − e^ε·Q(all)
			}
			width := math.Max(1e-9, min(1, left, right))
			p = before - after + 32*ulp*(before+after) + relative*value[max(j-1, 0)]/width
		}
		if p > 0 {
			points = append(points, atom{x, p, p * math.Exp(-x)})
		}
	}
	return estimate("", points, top, 0)
}
