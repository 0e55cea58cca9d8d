package pairs

import (
	"cmp"
	"math"
	"slices"
)

// Mass is a value of a loss, with its probabilities on D and on D′.
type Mass struct{ Loss, Here, There float64 }

// Masses returns the values that the sum of the losses takes, in increasing order, if there are at most most of them
// and every part is known exactly; else nothing. Of each pair it takes the loss that way gives. The probabilities are
// computed, not certified.
func Masses(parts []Part, way func(Pair) *Loss, most int) []Mass {
	sums := []Mass{{0, 1, 1}}
	for _, part := range parts {
		list := way(part.Pair.orInvalid()).atoms()
		if len(list) == 0 || !(part.Count <= maxCorners) {
			return nil
		}
		for range int(part.Count) {
			if sums = addMasses(sums, list); len(sums) > most {
				return nil
			}
		}
	}
	return sums
}

// atoms returns the values of a loss that takes finitely many, if it is known exactly; else nothing. A mixture, such as
// a report of one of several categories, has the values of its parts.
func (l *Loss) atoms() (list []atom) {
	if len(l.upper.list) > 0 && slices.Equal(l.upper.list, l.lower.list) {
		return l.upper.list
	}
	if !l.Exact() {
		return nil
	}
	d := l.upper.of()
	if len(d.Densities) > 0 || d.Top > 0 || d.Bottom > 0 || len(d.Atoms) > maxCorners {
		return nil
	}
	for _, a := range d.Atoms {
		list = append(list, atom{a.Loss, math.Exp(a.LogP), math.Exp(a.LogP - a.Loss)})
	}
	return list
}

// addMasses returns the sums of independent losses, those that differ by rounding as one.
func addMasses(sums []Mass, list []atom) []Mass {
	all := make([]Mass, 0, len(sums)*len(list))
	for _, s := range sums {
		for _, a := range list {
			all = append(all, Mass{s.Loss + a.loss, s.Here * a.p, s.There * a.q})
		}
	}
	slices.SortFunc(all, func(a, b Mass) int { return cmp.Compare(a.Loss, b.Loss) })
	merged := all[:0]
	for _, m := range all {
		if n := len(merged); n > 0 && math.Abs(m.Loss-merged[n-1].Loss) <= 1e-9*(1+math.Abs(m.Loss)) {
			merged[n-1].Here += m.Here
			merged[n-1].There += m.There
			continue
		}
		merged = append(merged, m)
	}
	return merged
}
