package pld

import (
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
// is exact. Otherwise its upper face is a stand-in on a mesh, and its lower face the
// branch with the largest curve at moderate ε, which alone is attained.
func Parallel(branches [][]Part, moves bool) Pair {
	if moves && len(branches) > 1 {
		branches = twoOf(branches)
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

// twoOf lists what a record that moves may meet. Where the branches are ordered, the
// two dearest; else every two of them or, where they are many, the maximum of all on
// either side, which covers every two.
func twoOf(branches [][]Part) [][]Part {
	all := make([]Pair, len(branches))
	for i, b := range branches {
		all[i] = compact(b)
	}
	if first, ok := plainlyLargest(all); ok {
		i := slices.IndexFunc(all, func(p Pair) bool { return p.Key() == first.Key() })
		second, _ := plainlyLargest(slices.Delete(slices.Clone(all), i, i+1))
		return [][]Part{append([]Part{{first, 1}}, turned([]Part{{second, 1}})...)}
	}
	if len(branches) > fewBranches {
		most := []Part{{maximum(all), 1}}
		return [][]Part{append(most, turned(most)...)}
	}
	var pairs [][]Part
	for i := range branches {
		for j := range i {
			pairs = append(pairs, append(append([]Part(nil), branches[i]...), turned(branches[j])...))
		}
	}
	return pairs
}

// turned is a branch read the other way round.
func turned(parts []Part) []Part {
	out := make([]Part, len(parts))
	for i, p := range parts {
		out[i] = Part{Pair{Remove: p.Pair.Add, Add: p.Pair.Remove}, p.Count}
	}
	return out
}

// compact is a stack as one pair: exactly, if it is one release or all Gaussian; else
// on a mesh, from above, with its first line as what is attained below.
func compact(parts []Part) Pair {
	square, other := 0.0, []Part{}
	for _, p := range parts {
		mu, ok := p.Pair.Remove.gaussian()
		switch {
		case p.Count == 0 || p.Pair.Key() == "nothing":
		case ok:
			square += p.Count * mu * mu
		default:
			other = append(other, p)
		}
	}
	if square > 0 {
		other = append(other, Part{Gaussian(math.Sqrt(square)), 1})
	}
	switch {
	case len(other) == 0:
		return nothing()
	case len(other) == 1 && other[0].Count == 1:
		return other[0].Pair
	}
	keys := make([]string, len(other))
	sort.Slice(other, func(i, j int) bool { return other[i].Pair.Key() < other[j].Pair.Key() })
	for i, p := range other {
		keys[i] = number(p.Count) + "×" + p.Pair.Key()
	}
	key := "stack(" + strings.Join(keys, ",") + ")"
	remove := flatten(key, other, func(p Pair) *Loss { return p.Remove })
	for _, p := range other {
		if !p.Pair.Symmetric() {
			// A key of its own: equal keys would make the pair count as symmetric, and
			// one direction would never be looked at.
			return Pair{Remove: remove, Add: flatten(key+"′", other, func(p Pair) *Loss { return p.Add })}
		}
	}
	return symmetric(remove)
}

const branchNote = "the branches of the block are composed on a mesh from above; the lower end knows one release of a branch only, so the interval is not tight"

// flatten composes a stack to one list from above.
func flatten(key string, parts []Part, of func(Pair) *Loss) *Loss {
	var lines []spectrum.Line
	var below *law
	for _, p := range parts {
		l := of(p.Pair)
		if p.Count > 1e15 {
			return unlistable(key)
		}
		if lower := l.lower; below == nil || lower.LogDelta(0) > below.LogDelta(0) {
			below = lower
		}
		lines = append(lines, spectrum.Line{Loss: l.upper.of(), Count: math.Floor(p.Count)})
	}
	total, ok := flattened(key, lines, blockFineness)
	if !ok {
		return unlistable(key)
	}
	return &Loss{key, total, below, branchNote}
}

// blockFineness is the number of cells per standard deviation within blocks.
const blockFineness = 25

// maximum is the pair of the pointwise maximum of several curves.
func maximum(pairs []Pair) Pair {
	switch len(pairs) {
	case 0:
		return nothing()
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
func plainlyLargest(pairs []Pair) (Pair, bool) {
	best, parameter := pairs[0], math.Inf(-1)
	family := ""
	for _, p := range pairs {
		kind, size := Family(p)
		if family == "" {
			family = kind
		}
		if kind != family {
			return Pair{}, false
		}
		if size > parameter {
			best, parameter = p, size
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
	var below *law
	for _, l := range losses {
		lists = append(lists, finite(l.upper, chainFineness))
		if lower := l.lower; below == nil || lower.LogDelta(0) > below.LogDelta(0) {
			below = lower
		}
	}
	up := envelope(lists)
	up.key = key
	return &Loss{key, up, below, "the upper end takes the pointwise maximum of the branches, the lower end one branch, so the interval is not tight"}
}
