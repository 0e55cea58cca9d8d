package pld

import "math"

// ceilingOn puts a law on a mesh so that its curve is nowhere lower: every cell is
// replaced by the chord of the curve over it ("connect the dots", Doroshenko et al.
// 2022). Mass above the mesh goes to +∞, mass below it onto the lowest point.
func ceilingOn(l law, mesh []float64) (masses []float64, top float64) {
	masses = make([]float64, len(mesh))
	last := len(mesh) - 1
	top, _ = l.ends()
	_, hi := l.span()
	edge := mesh[last] + gridTolerance*(mesh[last]-mesh[last-1])
	if l.continuous() {
		before := l.tails(mesh[0])
		masses[0] += before.loP + tailError(before.loP)
		for j := 0; j < last; j++ {
			after := l.tails(mesh[j+1])
			s := between(before, after)
			up := s.rise(mesh[j], mesh[j+1])
			masses[j] += math.Max(0, s.p-up) + s.errP
			masses[j+1] += up
			before = after
		}
		if rest := before.upP + tailError(before.upP); hi <= edge {
			masses[last] += rest // round-off of the very end
		} else {
			top += rest
		}
	}
	j := 0
	for _, a := range l.atoms() {
		switch {
		case a.loss > edge:
			top += a.p
			continue
		case a.loss <= mesh[0]:
			masses[0] += a.p
			continue
		}
		for j+1 < last && mesh[j+1] < a.loss {
			j++
		}
		up := split(mesh[j], a.loss, mesh[j+1])
		masses[j] += a.p * (1 - up)
		masses[j+1] += a.p * up
	}
	return masses, top
}

// stretched is a mesh that is fine (about deviation/fineness) around the mean and
// grows in proportion to the distance from it: what a stand-in for later use at an
// unknown tilt needs.
func stretched(l law, fineness float64) []float64 {
	mean, deviation := moments(l)
	lo, hi := horizon(l, mean, deviation, -600)
	return meshAround(mean, deviation, lo, hi, fineness)
}

// meshAround is a stretched mesh from lo to hi.
func meshAround(mean, deviation, lo, hi, fineness float64) []float64 {
	if !(hi > lo) {
		return []float64{lo, lo + 1e-9}
	}
	// Moments that float64 lost, almost all of the mass being on one loss or the losses
	// being huge, say nothing; the mesh still has to reach from end to end.
	if !(deviation > 0) || math.IsInf(deviation, 1) || !(mean >= lo && mean <= hi) {
		mean, deviation = lo+(hi-lo)/2, (hi-lo)/8
	}
	unit := deviation / fineness
	walk := func(sign, end float64) []float64 {
		var out []float64
		for x := 0.0; x < end; {
			out = append(out, sign*x)
			x += unit * (1 + x/(3*deviation))
		}
		return append(out, sign*end)
	}
	left, right := walk(-1, mean-lo), walk(1, hi-mean)
	mesh := make([]float64, 0, len(left)+len(right))
	for i := len(left) - 1; i > 0; i-- {
		mesh = append(mesh, mean+left[i])
	}
	for _, x := range right {
		mesh = append(mesh, mean+x)
	}
	mesh[0], mesh[len(mesh)-1] = lo, hi
	return mesh
}
