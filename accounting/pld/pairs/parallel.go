package pairs

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"epsiloscope/accounting/pld/spectrum"
)

// Parallel returns the pair of a parallel block: branches that see disjoint parts of the data.
//
// Under add-remove a record is in one branch only, so the block costs what its costliest branch
// costs: the pointwise maximum of the branches' curves, which is itself the curve of a pair, and
// so dominates a repeated block with another costliest branch each time. The same holds for a
// record that is replaced within its branch, with the branches' pairs under replace.
//
// A replaced record may also move from one branch to another: with moves, every two branches are
// composed (each with its add-remove pairs, one as the record leaves it, the other as it comes
// in) and the maximum is taken over those, in both directions: another block of the stack may be
// cut so that the same record moves the other way. One branch alone is left, or entered, from
// outside all branches given.
//
// If one branch dominates all others (all equal, all pure, all Gaussian) the pair is exact.
// Otherwise its upper estimate is a list, and its lower estimate the branch with the largest
// curve at ε = 0, which alone is attained.
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
		ways = append(ways, SymmetricPair(p.Remove), SymmetricPair(p.Add))
	}
	return maximum(ways)
}

// maxPairedBranches is the largest number of branches for which every two are composed.
const maxPairedBranches = 12

// moveCases returns the stacks that bound a record moving between two branches: the two costliest branches if
// the branches are ordered by cost, else every two of them or, if there are many, the maximum of all branches
// on either side, which dominates every two.
func moveCases(branches [][]Part) [][]Part {
	all := make([]Pair, len(branches))
	for i, b := range branches {
		all[i] = compact(b)
	}
	if first, ok := plainlyLargest(all); ok {
		i := slices.IndexFunc(all, func(p Pair) bool { return p.Key() == first.Key() })
		second, _ := plainlyLargest(slices.Delete(slices.Clone(all), i, i+1))
		return [][]Part{append([]Part{{first, 1}}, reverseParts([]Part{{second, 1}})...)}
	}
	if len(branches) > maxPairedBranches {
		return [][]Part{boundMoves(all)}
	}
	var pairs [][]Part
	for i := range branches {
		for j := range i {
			pairs = append(pairs, append(append([]Part(nil), branches[i]...), reverseParts(branches[j])...))
		}
	}
	return pairs
}

// boundMoves returns two parts that bound a move between any two branches: from above the maximum of
// all of them on either side, from below two branches that differ, as no record leaves the branch that
// it enters.
func boundMoves(all []Pair) []Part {
	most := maximum(all)
	from := indexOfLargestLower(all)
	to := indexOfLargestLower(slices.Delete(slices.Clone(all), from, from+1))
	if to >= from {
		to++
	}
	const note = "of many branches the upper end takes the pointwise maximum on either side, the lower end two of them, so the interval is not tight"
	return append([]Part{{Bracket(most, all[from], note), 1}},
		reverseParts([]Part{{Bracket(most, all[to], note), 1}})...)
}

// indexOfLargestLower returns the index of the pair whose lower estimate has the largest δ(0).
func indexOfLargestLower(all []Pair) (best int) {
	for i, p := range all {
		if p.Remove.lower.LogDelta(0) > all[best].Remove.lower.LogDelta(0) {
			best = i
		}
	}
	return best
}

// reverseParts returns a branch with the two directions of every pair exchanged.
func reverseParts(parts []Part) []Part {
	out := make([]Part, len(parts))
	for i, p := range parts {
		out[i] = Part{Pair{Remove: p.Pair.Add, Add: p.Pair.Remove}, p.Count}
	}
	return out
}

// compact returns a stack as one pair.
func compact(parts []Part) Pair {
	remove, _ := Fold(parts, removeLoss)
	if SymmetricStack(parts) {
		return SymmetricPair(compactLines(remove))
	}
	add, _ := Fold(parts, addLoss)
	return Pair{Remove: compactLines(remove), Add: compactLines(add)}
}

const branchNote = "the branches of the block are composed on a mesh, from above and from below, so the interval is not tight"

// compactLines returns the lines of one direction as one loss: exactly, if it is one release or all Gaussian; else
// on a mesh, from above and from below. Below, every line has its lower estimate, which some data
// attain; the lines see the same data, or data that are disjoint, so all of them are attained at once.
// If that mesh is too long, one line alone is what is attained.
func compactLines(all []Line) *Loss {
	switch {
	case len(all) == 0:
		return identicalPair().Remove
	case len(all) == 1 && all[0].Count == 1:
		return all[0].Loss
	}
	var keys []string
	var losses []*Loss
	var lines, below []spectrum.Line
	most := 0.0
	for _, l := range all {
		keys, losses, most = append(keys, number(l.Count)+"×"+l.key), append(losses, l.Loss), math.Max(most, l.Count)
		lines = append(lines, spectrum.Line{Loss: l.upper.of(), Count: math.Floor(l.Count)})
		below = append(below, spectrum.Line{Loss: l.lower.of(), Count: math.Floor(l.Count)})
	}
	key := "stack(" + strings.Join(keys, ",") + ")"
	if most > 1e15 {
		return unlistable(key)
	}
	total, ok := composeToList(key, lines, blockFineness)
	if !ok {
		return unlistable(key)
	}
	attained, ok := composeToLowerList(key+"-", below, blockFineness)
	if !ok {
		attained = largestLower(losses)
	}
	return &Loss{key, total, attained, branchNote}
}

// largestLower returns the lower estimate with the largest δ(0).
func largestLower(losses []*Loss) *Estimate {
	return slices.MaxFunc(losses, func(a, b *Loss) int {
		return cmp.Compare(a.lower.LogDelta(0), b.lower.LogDelta(0))
	}).lower
}

// blockFineness is the number of cells per standard deviation within blocks.
const blockFineness = 25

// maximum returns the pair of the pointwise maximum of several curves.
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
	return eachWay("max("+strings.Join(keys, ",")+")", pairs, maximumOfLosses)
}

// plainlyLargest returns the pair with the largest size if all pairs are of one [Family]; else ok is false.
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

// Family returns the family of a pair and its size within it. Within a family, the pair with the larger size
// has the larger δ(ε) at every ε. A pair without such a family gets one of its own.
func Family(p Pair) (name string, size float64) {
	if l, ok := p.Remove.upper, p.Remove.Exact(); ok && l.family != "" {
		return l.family, l.size
	}
	return p.Key(), 0
}

// maximumOfLosses returns a loss whose curve is the maximum of the curves of the branches at all their losses. The
// maximum is convex in e^ε, so joining its values at those losses by chords stays above it.
func maximumOfLosses(key string, losses []*Loss) *Loss {
	var lists []*Estimate
	for _, l := range losses {
		lists = append(lists, finite(l.upper, chainFineness))
	}
	return &Loss{key, envelope(key, lists), largestLower(losses), "the upper end takes the pointwise maximum of the branches, the lower end one branch, so the interval is not tight"}
}
