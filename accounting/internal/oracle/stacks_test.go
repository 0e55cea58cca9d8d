package oracle_test

import (
	"fmt"
	"math"
	"strings"

	"pgregory.net/rapid"

	"epsiloscope/accounting/internal/oracle"
)

// Random scenarios, each drawn twice: as the text a user would write, and as what
// an attacker sees.

// view is a law read both ways: with the record against without, and back.
type view struct{ remove, add oracle.LossDistribution }

func viewOf(with, without []float64) view {
	return view{oracle.DistributionOfMasses(with, without), oracle.DistributionOfMasses(without, with)}
}

func both(a, b view) view {
	return view{oracle.Compose(a.remove, b.remove, false), oracle.Compose(a.add, b.add, false)}
}

func (v view) power(n int) view {
	return view{v.remove.Power(n, false), v.add.Power(n, false)}
}

func logDraw(t *rapid.T, name string, low, high float64) float64 {
	x := math.Exp(rapid.Float64Range(math.Log(low), math.Log(high)).Draw(t, name))
	return math.Min(high, math.Max(low, x))
}

// drawRate reaches from next to nothing to next to all.
func drawRate(t *rapid.T) float64 {
	switch rapid.IntRange(0, 9).Draw(t, "q") {
	case 0:
		return logDraw(t, "q", 1e-9, 0.05)
	case 1:
		return 1 - logDraw(t, "1−q", 1e-9, 0.05)
	}
	return rapid.Float64Range(0.05, 0.95).Draw(t, "q")
}

// setting is what surrounds the stack.
type setting struct {
	replace bool
	group   int
}

// drawScenario draws a whole scenario and every attack on it that was thought of.
func drawScenario(t *rapid.T) (text string, attacks []view) {
	s := setting{group: 1}
	if rapid.IntRange(0, 2).Draw(t, "replace") == 0 {
		s.replace = true
	}
	if rapid.IntRange(0, 3).Draw(t, "grouped") == 0 {
		s.group = rapid.IntRange(2, 3).Draw(t, "group")
	}
	rounds := rapid.IntRange(1, 2).Draw(t, "rounds")
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nadjacency: %s\ngroup: %d\nrounds: %d\nstack:\n", adjacency(s), s.group, rounds)
	attacks = []view{{oracle.LossDistribution{Outcomes: []oracle.Outcome{{Loss: 0, P: 1, Q: 1}}},
		oracle.LossDistribution{Outcomes: []oracle.Outcome{{Loss: 0, P: 1, Q: 1}}}}}
	n := rapid.IntRange(1, 3).Draw(t, "entries")
	for i := range n {
		if i == 0 && !s.replace && rapid.IntRange(0, 2).Draw(t, "parallel") == 0 {
			block, choices := drawParallel(t, s)
			b.WriteString(block)
			var next []view
			for _, c := range choices {
				next = append(next, both(attacks[0], c.power(rounds)))
			}
			attacks = next
			continue
		}
		fields, seen := drawEntry(t, s)
		count := rapid.IntRange(1, 4).Draw(t, "count")
		fmt.Fprintf(&b, "  - {%s, count: %d}\n", fields, count)
		line := seen.power(count * rounds)
		for j := range attacks {
			attacks[j] = both(attacks[j], line)
		}
	}
	return b.String(), attacks
}

func adjacency(s setting) string {
	if s.replace {
		return "replace"
	}
	return "add-remove"
}

// drawParallel draws a block of branches on disjoint parts: a record is in one of them.
func drawParallel(t *rapid.T, s setting) (text string, choices []view) {
	var b strings.Builder
	b.WriteString("  - parallel:\n")
	note("block", true)
	note("block, group", s.group > 1)
	for range rapid.IntRange(2, 3).Draw(t, "branches") {
		count := rapid.IntRange(1, 2).Draw(t, "count")
		fields, stays := drawEntry(t, s)
		fmt.Fprintf(&b, "      - [{%s, count: %d}]\n", fields, count)
		choices = append(choices, stays.power(count))
	}
	return b.String(), choices
}
