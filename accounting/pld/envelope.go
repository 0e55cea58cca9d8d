package pld

import "slices"

// envelope is a loss whose curve lies on or just above the pointwise maximum of the
// curves of several lists.
//
// Between two losses x < y of the union the chord of the maximum has slope
// −Q = (δ(y) − δ(x))/(e^y − e^x); the P-mass at a loss x is e^x times the fall of Q there.
// As long as one list is the largest at three losses running, that is its own mass,
// taken as it stands; only where the largest list changes it comes from differences,
// padded upward by their round-off.
func envelope(key string, lists []*law) *law {
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
		curve := curveOf(l.list, l.top)
		for j, x := range mesh {
			if d := curve(x); b == 0 || d > value[j] {
				value[j], leader[j] = d, b
			}
		}
	}
	return connectDots(key, mesh, value, 64*ulp, func(j int) (float64, bool) {
		b := leader[j]
		if j > 0 && j < n-1 && leader[j-1] == b && leader[j+1] == b {
			return own[b][mesh[j]], true
		}
		return 0, false
	})
}
