package pairs

import (
	"cmp"
	"math"
	"slices"
	"strings"

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
	lines = make([]Line, 0, len(parts)+1)
	var squares special.Adder // K·μ²
	for _, p := range parts {
		l := loss(p.Pair)
		mu, plain := l.upper.Gaussian()
		switch {
		case p.Count == 0 || l.key == "nothing":
		case plain && l.Exact():
			squares.Add(p.Count * mu * mu)
		default:
			lines = append(lines, Line{l, p.Count})
			note = cmp.Or(note, l.note)
		}
	}
	if square := squares.Sum(); square > 0 {
		lines = append(lines, Line{exactLoss(gaussian(math.Sqrt(square))), 1})
	}
	return mergeEqual(lines), note
}

// mergeEqual returns the lines by their keys, equal ones as one.
func mergeEqual(lines []Line) (merged []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return strings.Compare(a.key, b.key) })
	merged = make([]Line, 0, len(lines))
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].key == lines[0].key {
			n++
		}
		var count special.Adder
		for _, l := range lines[:n] {
			count.Add(l.Count)
		}
		merged = append(merged, Line{lines[0].Loss, count.Sum()})
		lines = lines[n:]
	}
	return merged
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
