package pld

import "math"

// align looks for a lattice on which isolated losses lie, all but a hair above its points:
// through the two heaviest, with a step at most the given one, by which the others are off
// by at most miss on (tilted) average. Among many divisors of one distance some nearly
// divide the others, as convergents of a continued fraction do; a lattice so found may be
// far coarser than one on which losses lie anywhere.
func (o outline) align(theta float64, c cumulants, step, miss float64) (origin, fine float64, ok bool) {
	var loss, weight []float64
	first := 0
	for i, x := range o.loss {
		w := o.mass[i] * math.Exp(theta*x-c.log)
		if !(w > 1e-12) {
			continue
		}
		loss, weight = append(loss, x), append(weight, w)
		if w > weight[first] {
			first = len(loss) - 1
		}
	}
	if len(loss) == 0 {
		return 0, 0, false
	}
	origin = loss[first]
	second, distance := 0.0, step
	for i, x := range loss { // near ones share a point anyway
		if d := math.Abs(x - origin); d >= step && weight[i] > second {
			second, distance = weight[i], d
		}
	}
	from := math.Ceil(distance / step)
	best := math.Inf(1)
	for m := from; m < from+alignments/float64(len(loss)) && best > miss/4; m++ {
		h := distance / m
		sum := 0.0
		for i, x := range loss {
			k := (x - origin) / h
			sum += weight[i] * h * (k - math.Floor(k+gridTolerance))
		}
		if sum < best {
			best, fine = sum, h
		}
	}
	return origin, fine, best <= miss/2
}

// alignments bounds the search, in steps times losses.
const alignments = 1 << 15
