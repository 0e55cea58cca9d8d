package pairs

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Part is an entry of a stack: a pair and its count.
type Part struct {
	Pair  Pair
	Count float64
}

// Line is a distinct loss of a stack in one direction, with its count.
type Line struct {
	*Loss
	Count float64
}

// Fold returns the distinct losses of a stack in one direction, which loss picks, and the first note on one of them.
// Equal losses become one line, and all Gaussians one Gaussian.
func Fold(parts []Part, loss func(Pair) *Loss) (lines []Line, note string) {
	losses, counts := map[string]*Loss{}, map[string]*special.Adder{}
	put := func(l *Loss, count float64) {
		if losses[l.key] == nil {
			losses[l.key], counts[l.key] = l, new(special.Adder)
		}
		counts[l.key].Add(count)
	}
	var squares special.Adder // K·μ²
	for _, p := range parts {
		l := loss(p.Pair)
		mu, plain := l.upper.Gaussian()
		switch {
		case p.Count == 0 || l.key == "nothing":
		case plain && l.Exact():
			squares.Add(p.Count * mu * mu)
		default:
			put(l, p.Count)
			note = cmp.Or(note, l.note)
		}
	}
	if square := squares.Sum(); square > 0 {
		put(exactLoss(gaussian(math.Sqrt(square))), 1)
	}
	for _, k := range slices.Sorted(maps.Keys(losses)) {
		lines = append(lines, Line{losses[k], counts[k].Sum()})
	}
	return lines, note
}

// removeLoss and addLoss return the loss of a pair in one direction.
func removeLoss(p Pair) *Loss { return p.Remove }
func addLoss(p Pair) *Loss    { return p.Add }

// SymmetricStack reports whether every pair of the stack reads the same in both directions.
func SymmetricStack(parts []Part) bool {
	for _, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil || !p.Pair.Symmetric() {
			return false
		}
	}
	return true
}

// LargestLoss returns the largest loss of a stack that is certainly attained, in the worse direction: a lower
// end of ε at δ = 0.
func LargestLoss(parts []Part) float64 {
	remove, add := 0.0, 0.0
	for _, p := range parts {
		if p = (Part{p.Pair.orInvalid(), p.Count}); p.Count > 0 {
			remove += p.Count * math.Max(0, p.Pair.Remove.lower.hi())
			add += p.Count * math.Max(0, p.Pair.Add.lower.hi())
		}
	}
	return math.Max(remove, add)
}
