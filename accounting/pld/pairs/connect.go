package pairs

import (
	"math"
	"slices"
)

// Curves that are known at some losses, as lists: the dots are connected by chords in e^ε
// (Doroshenko et al. 2022), which lie above a convex curve.

// symmetricDots returns a loss that dominates a symmetric pair whose curve is at most the given
// values at the given losses, from 0 up. Below 0 it is δ(−x) = 1 − e^{−x} + e^{−x}·δ(x). A curve is
// convex in e^ε, so it lies below the greatest convex function that these values allow.
func symmetricDots(key string, mesh, value []float64, relative float64) *Estimate {
	return directedDots(key, mesh, value, value, relative)
}

// directedDots returns a loss that dominates a pair whose curve is at most the given values at the given losses, from 0
// up, and whose curve with the neighbours exchanged is at most reverse there: δ(−x) = 1 − e^{−x} + e^{−x}·δ′(x).
func directedDots(key string, mesh, value, reverse []float64, relative float64) *Estimate {
	var losses, most []float64
	for i, x := range slices.Backward(mesh) {
		if x > 0 {
			losses, most = append(losses, -x), append(most, math.Min(1, -math.Expm1(-x)+math.Exp(-x)*reverse[i]))
		}
	}
	losses, most = minorant(append(losses, mesh...), append(most, value...))
	return connectDots(key, losses, most, relative, nil)
}

// minorant returns the greatest function convex in e^ε below the given values: those of them
// that are its corners. It starts from the value 1 at e^ε = 0. Slopes are compared as
// quotients of small differences: e^x itself tells close losses apart to a few digits only.
func minorant(mesh, value []float64) (corners, at []float64) {
	x, v := []float64{math.Inf(-1)}, []float64{1}
	for i, m := range mesh {
		for n := len(x); n > 1 && (v[n-2]-v[n-1])/math.Expm1(
			x[n-2]-x[n-1]) >= (value[i]-v[n-1])/math.Expm1(m-x[n-1]); n = len(x) {
			x, v = x[:n-1], v[:n-1]
		}
		x, v = append(x, m), append(v, value[i])
	}
	return x[1:], v[1:]
}

// connectDots returns the loss whose curve takes the given values at the given losses, with chords in
// e^ε between them; the values must be convex in e^ε and fall. They have a relative error,
// but for the masses known apart, if any. A chord is a quotient of two differences, each
// right but for its last place, so it is itself right to a few: however close two losses
// are, only what is wrong with the values is magnified by their distance.
func connectDots(key string, mesh, value []float64, relative float64,
	known func(j int) (mass float64, ok bool)) *Estimate {
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
			width := min(1, left, right)
			p = before - after + 32*ulp*(before+after) + relative*value[max(j-1, 0)]/width
		}
		if p > 0 {
			points = append(points, atom{x, p, p * math.Exp(-x)})
		}
	}
	return estimate(key, points, top, 0)
}

// envelope returns a loss whose curve lies on or just above the pointwise maximum of the
// curves of several lists.
//
// Between two losses x < y of the union the chord of the maximum has slope
// −Q = (δ(y) − δ(x))/(e^y − e^x); the P-mass at a loss x is e^x times the fall of Q there.
// As long as one list is the largest at three losses running, that is its own mass,
// taken as it stands; only where the largest list changes it comes from differences,
// padded upward by their round-off.
// Two losses that differ by their rounding have no chord: the larger stands for both.
func envelope(key string, lists []*Estimate) *Estimate {
	var mesh []float64
	for _, l := range lists {
		for _, a := range l.list {
			mesh = append(mesh, a.loss)
		}
	}
	slices.Sort(mesh)
	mesh = dropNearby(mesh)
	n := len(mesh)
	if n == 0 { // every list has its mass at +∞ alone, so every curve is constant
		top := 0.0
		for _, l := range lists {
			top = math.Max(top, l.top)
		}
		return estimate(key, nil, top, 0)
	}
	own := make([][]atom, len(lists)) // a mass at every loss, most of them 0
	value := make([]float64, n)
	leader := make([]int, n)
	for b, l := range lists {
		own[b] = make([]atom, n)
		for j, x := range mesh {
			own[b][j].loss = x
		}
		for _, a := range l.list {
			j, _ := slices.BinarySearch(mesh, a.loss)
			own[b][j].p += a.p
		}
		curve := curveOf(own[b], l.top)
		for j, x := range mesh {
			if d := curve(x); b == 0 || d > value[j] {
				value[j], leader[j] = d, b
			}
		}
	}
	// A curve is a sum of up to n terms.
	return connectDots(key, mesh, value, float64(64+4*n)*ulp, func(j int) (float64, bool) {
		b := leader[j]
		if j > 0 && j < n-1 && leader[j-1] == b && leader[j+1] == b {
			return own[b][j].p, true
		}
		return 0, false
	})
}

// dropNearby returns a sorted list without those that lie less than 1e-10 of its range below one that
// stays.
func dropNearby(sorted []float64) []float64 {
	var out []float64
	for _, x := range slices.Backward(sorted) {
		if n := len(out); n == 0 || out[n-1]-x > 1e-10*(sorted[len(sorted)-1]-sorted[0]) {
			out = append(out, x)
		}
	}
	slices.Reverse(out)
	return out
}
