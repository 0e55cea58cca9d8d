package pld

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"epsiloscope/accounting/pld/spectrum"
)

// Parallel is the pair of a block of branches that see disjoint parts of the data.
//
// Where a record is added or removed it is in one branch only, so the block costs what
// its dearest branch costs: the pointwise maximum of the branches' curves, which is
// itself the curve of a pair, and so covers a block that is repeated with another
// branch being the dearest each time. So does a record that is changed within its branch,
// with the branches' pairs for a changed record.
//
// A record that changes may also move from one branch to another: with moves, every two
// branches are composed (each with its add-remove pairs, one as the record leaves it, the
// other as it comes in) and the maximum is taken over those, either way round: another
// block of the stack may be cut so that the same record moves the other way. One branch
// alone is left, or entered, from outside all branches given.
//
// Where one branch is plainly the dearest (all equal, all pure, all Gaussian) the pair
// is exact. Otherwise its pessimistic estimate is a list, and its optimistic one the branch
// with the largest curve at ε = 0, which alone is attained.
func Parallel(branches [][]Part, moves bool) Pair {
	if moves && len(branches) > 1 {
		branches = moveCases(branches)
	}
	var composed []Pair
	for _, b := range branches {
		if p := compact(b); p.Key() != "nothing" {
			composed = append(composed, p)
		}
	}
	if p := maximum(composed); !moves || p.Symmetric() {
		return p
	}
	var ways []Pair
	for _, p := range composed {
		ways = append(ways, symmetric(p.Remove), symmetric(p.Add))
	}
	return maximum(ways)
}

// fewBranches is up to how many branches every two are composed: beyond, that takes
// too long.
const fewBranches = 12

// moveCases lists what a record that moves may meet. Where the branches are ordered, the
// two dearest; else every two of them or, where they are many, the maximum of all on
// either side, which covers every two.
func moveCases(branches [][]Part) [][]Part {
	all := make([]Pair, len(branches))
	for i, b := range branches {
		all[i] = compact(b)
	}
	if first, ok := plainlyLargest(all); ok {
		i := slices.IndexFunc(all, func(p Pair) bool { return p.Key() == first.Key() })
		second, _ := plainlyLargest(slices.Delete(slices.Clone(all), i, i+1))
		return [][]Part{append([]Part{{first, 1}}, reversed([]Part{{second, 1}})...)}
	}
	if len(branches) > fewBranches {
		most := []Part{{maximum(all), 1}}
		return [][]Part{append(most, reversed(most)...)}
	}
	var pairs [][]Part
	for i := range branches {
		for j := range i {
			pairs = append(pairs, append(append([]Part(nil), branches[i]...), reversed(branches[j])...))
		}
	}
	return pairs
}

// reversed is a branch read the other way round.
func reversed(parts []Part) []Part {
	out := make([]Part, len(parts))
	for i, p := range parts {
		out[i] = Part{Pair{Remove: p.Pair.Add, Add: p.Pair.Remove}, p.Count}
	}
	return out
}

// compact is a stack as one pair.
func compact(parts []Part) Pair {
	both := foldDirections(parts, nil)
	if len(both) == 1 {
		return symmetric(both[0].compact())
	}
	return Pair{Remove: both[0].compact(), Add: both[1].compact()}
}

const branchNote = "the branches of the block are composed on a mesh from above; the lower end knows one release of a branch only, so the interval is not tight"

// compact is a direction as one loss: exactly, if it is one release or all Gaussian; else
// on a mesh, from above, with one line as what is attained below.
func (d *direction) compact() *Loss {
	switch {
	case len(d.lines) == 0:
		return identicalPair().Remove
	case len(d.lines) == 1 && d.lines[0].count == 1:
		return d.lines[0].Loss
	}
	var keys []string
	var losses []*Loss
	var lines []spectrum.Line
	most := 0.0
	for _, l := range d.lines {
		keys, losses, most = append(keys, number(l.count)+"×"+l.key), append(losses, l.Loss), math.Max(most, l.count)
		lines = append(lines, spectrum.Line{Loss: l.upper.of(), Count: math.Floor(l.count)})
	}
	key := "stack(" + strings.Join(keys, ",") + ")"
	if most > 1e15 {
		return unlistable(key)
	}
	total, ok := composeToList(key, lines, blockFineness)
	if !ok {
		return unlistable(key)
	}
	return &Loss{key, total, largestLower(losses), branchNote}
}

// largestLower is that of several optimistic estimates which tells most at ε = 0.
func largestLower(losses []*Loss) *law {
	return slices.MaxFunc(losses, func(a, b *Loss) int { return cmp.Compare(a.lower.LogDelta(0), b.lower.LogDelta(0)) }).lower
}

// blockFineness is the number of cells per standard deviation within blocks.
const blockFineness = 25

// maximum is the pair of the pointwise maximum of several curves.
func maximum(pairs []Pair) Pair {
	switch len(pairs) {
	case 0:
		return identicalPair()
	case 1:
		return pairs[0]
	}
	if p, ok := plainlyLargest(pairs); ok {
		return p
	}
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = p.Key()
	}
	sort.Strings(keys)
	return eachWay("max("+strings.Join(keys, ",")+")", pairs, largest)
}

// plainlyLargest covers the families that are ordered by one parameter.
func plainlyLargest(pairs []Pair) (best Pair, ok bool) {
	best = pairs[0]
	family, most := Family(best)
	for _, p := range pairs[1:] {
		kind, size := Family(p)
		if kind != family {
			return Pair{}, false
		}
		if size > most {
			best, most = p, size
		}
	}
	return best, true
}

// Family names the family of a pair and its size within it: of two pairs of one
// family the larger has the larger curve everywhere. A pair of no such family is a
// family of its own.
func Family(p Pair) (name string, size float64) {
	if l, ok := p.Remove.upper, p.Remove.exact(); ok && l.family != "" {
		return l.family, l.size
	}
	return p.Key(), 0
}

// largest is the maximum of curves on the union of the branches' losses. The maximum
// is convex in e^ε, so joining its values at those losses by chords stays above it.
func largest(key string, losses []*Loss) *Loss {
	var lists []*law
	for _, l := range losses {
		lists = append(lists, finite(l.upper, chainFineness))
	}
	return &Loss{key, envelope(key, lists), largestLower(losses), "the upper end takes the pointwise maximum of the branches, the lower end one branch, so the interval is not tight"}
}
