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
	for _, l := range lists {
		for _, a := range l.list {
			mesh = append(mesh, a.loss)
		}
	}
	mesh = sortedDistinct(mesh)
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
	own := make([]map[float64]float64, len(lists))
	for b, l := range lists {
		own[b] = make(map[float64]float64, len(l.list))
		for _, a := range l.list {
			own[b][a.loss] = a.p
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
	// scaled chord: e^x·Q on the cell above mesh[j], relative to its lower end
	chord := func(j int) float64 {
		if j < 0 || j >= n-1 {
			return 0
		}
		return (value[j] - value[j+1]) / math.Expm1(mesh[j+1]-mesh[j])
	}
	points := make([]atom, 0, n)
	for j, x := range mesh {
		p, ok := 0.0, false
		if known != nil {
			p, ok = known(j)
		}
		if !ok {
			before := 1 - value[0] // below the lowest loss the curve is 1 − e^ε·Q(all)
			if j > 0 {
				before = chord(j-1) * math.Exp(x-mesh[j-1])
			}
			width := 1.0
			if j < n-1 {
				width = math.Min(width, mesh[j+1]-x)
			}
			if j > 0 {
				width = math.Min(width, x-mesh[j-1])
			}
			after := chord(j)
			p = before - after + 32*ulp*(before+after) + relative*value[max(j-1, 0)]/math.Max(width, 1e-9)
		}
		if p > 0 {
			points = append(points, atom{x, p, p * math.Exp(-x)})
		}
	}
	return estimate("", points, top, 0)
}

// sortedDistinct sorts numbers and leaves out what occurs twice.
func sortedDistinct(xs []float64) []float64 {
	slices.Sort(xs)
	return slices.Compact(xs)
}
