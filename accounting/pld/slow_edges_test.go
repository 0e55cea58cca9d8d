package pld_test

import (
	"math"
	"slices"
)

// plan steers how lists are shortened: at most size masses, close together where the
// loss tilted by theta has its mass; what has less probability than cut may be moved
// to an end.
type plan struct {
	size  int
	theta float64
	cut   float64
}

// thin returns a rough likeness of a list, for finding edges: neighbourhoods of like tilted
// mass, or of like length, each at its largest loss.
func (l list) thin(theta float64, size int) list {
	weights := l.tilted(theta)
	out := list{}
	var w, p, from float64
	length := (l.x[len(l.x)-1] - l.x[0]) / float64(size)
	for i, x := range l.x {
		if p == 0 {
			from = x
		}
		w, p = w+weights[i], p+l.p[i]
		if w > 1/float64(size) || x-from > length || i == len(l.x)-1 {
			out.x, out.p = append(out.x, x), append(out.p, p)
			w, p = 0, 0
		}
	}
	return out
}

// tilted returns the masses p·e^{θx}, made to sum to 1.
func (l list) tilted(theta float64) []float64 {
	w := make([]float64, len(l.x))
	most := math.Inf(-1)
	for i, x := range l.x {
		w[i] = math.Log(l.p[i]) + theta*x
		most = math.Max(most, w[i])
	}
	sum := 0.0
	for i := range w {
		w[i] = math.Exp(w[i] - most)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// edges finds where to cut the sums of two lists: densest where a cut matters most.
// A range of length d and tilted mass w adds about w·d² to the tilted variance; with
// the number of ranges given, that is least when they lie as densely as the cube root
// of the tilted density.
func (by plan) edges(a, b list) []float64 {
	coarse := min(80, by.size/10)
	r, s := a.thin(by.theta, coarse), b.thin(by.theta, coarse)
	var rough bins
	rough.points = make([][2]float64, 0, len(r.x)*len(s.x))
	for i, x := range r.x {
		for j, y := range s.x {
			if m := r.p[i] * s.p[j]; m > 0 {
				rough.points = append(rough.points, [2]float64{x + y, m})
			}
		}
	}
	l := rough.list()
	least := math.Nextafter(a.x[0]+b.x[0], math.Inf(-1)) // the lowest sum lies in a range too
	most := a.x[len(a.x)-1] + b.x[len(b.x)-1]
	for sum, i := 0.0, 0; i < len(l.x); i++ {
		if sum += l.p[i]; sum > by.cut {
			break
		}
		least = math.Max(least, l.x[i])
	}
	for sum, i := 0.0, len(l.x)-1; i >= 0; i-- {
		if sum += l.p[i]; sum > by.cut {
			break
		}
		most = math.Min(most, l.x[i])
	}
	weights := l.tilted(by.theta)
	mile, share := []float64{least}, []float64{}
	miles := float64(by.size) / 4 // of like tilted mass, and as many of like length
	w := 0.0
	for i, x := range l.x {
		w += weights[i]
		last := mile[len(mile)-1]
		if x > last && x < most && (w > 1/miles || x-last > (most-least)/miles) {
			mile, share, w = append(mile, x), append(share, w), 0
		}
	}
	mile, share = append(mile, most), append(share, w)
	total := 0.0
	for i := range share {
		d := mile[i+1] - mile[i]
		share[i] = math.Cbrt(share[i] * d * d)
		total += share[i]
	}
	edges := []float64{least}
	for i := range share {
		d := mile[i+1] - mile[i]
		n := 1.0
		if total > 0 {
			n += math.Floor(0.8 * float64(by.size) * share[i] / total)
		}
		for k := 1.0; k < n; k++ {
			edges = append(edges, mile[i]+d*k/n)
		}
		edges = append(edges, mile[i+1])
	}
	return slices.Compact(edges)
}
