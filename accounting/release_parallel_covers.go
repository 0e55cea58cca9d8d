package accounting

import (
	"cmp"
	"slices"

	"epsiloscope/accounting/pld"
)

// Dearest is the index of a branch that covers every other one: to each of their releases
// it has one of the same family that is not smaller. It is −1 where there is none, as of
// Laplace noise in one branch and Gaussian noise in the other, whose curves cross.
func Dearest(branches [][]Entry) int {
	lists := make([]map[string][]sized, len(branches))
	for i, b := range branches {
		lists[i] = bySize(b)
	}
	best := 0
	for i := range lists {
		if covers(lists[i], lists[best]) {
			best = i
		}
	}
	for _, list := range lists {
		if !covers(lists[best], list) {
			return -1
		}
	}
	return min(best, len(branches)-1)
}

// sized is a number of releases of one family and their size in it.
type sized struct{ size, count float64 }

// bySize sorts a branch into families, each from its largest release down. A release
// without a pair is of the same family as its equals only.
func bySize(entries []Entry) map[string][]sized {
	families := map[string][]sized{}
	for _, e := range entries {
		name, size := e.Release.Key(), 0.0
		if pair, err := pairOf(e.Release); err == nil {
			name, size = pld.Family(pair)
		}
		families[name] = append(families[name], sized{size, e.Count})
	}
	for _, list := range families {
		slices.SortFunc(list, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	}
	return families
}

// covers reports whether to each release of b belongs one of a that is of the same
// family and not smaller.
func covers(a, b map[string][]sized) bool {
	for name, list := range b {
		mine := a[name]
		i, used := 0, 0.0
		for _, want := range list {
			for left := want.count; left > 0; {
				if i == len(mine) || mine[i].size < want.size {
					return false
				}
				take := min(left, mine[i].count-used)
				if left, used = left-take, used+take; used == mine[i].count {
					i, used = i+1, 0
				}
			}
		}
	}
	return true
}
