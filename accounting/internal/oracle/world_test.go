package oracle_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"epsiloscope/accounting/internal/oracle"
)

// A world is a handful of kinds of records, what a scenario's releases make of them,
// and so every pair of data sets that one person tells apart: each outcome of each
// mechanism on each of them can be listed. Nothing here knows of dominating pairs,
// amplification, group bounds or which branch is the dearest.

type world struct {
	kinds, group, rounds int
	replace              bool
	text                 strings.Builder
	steps                []step
	rough                bool // some masses are good to float64 only
}

// step is one line of a stack, or a block of branches.
type step struct {
	line     line
	branches [][]line
}

// line is one entry: the releases an attacker may choose from every time, and how
// often. A fixed one is chosen once and repeated.
type line struct {
	queries []*cached
	count   int
	fixed   bool
}

// cached remembers what a query shows of each data set.
type cached struct {
	oracle.Query
	known map[string][]oracle.Real
}

func (c *cached) on(records []int, sees func(int) bool) []oracle.Real {
	var seen []int
	for _, r := range records {
		if sees == nil || sees(r) {
			seen = append(seen, r)
		}
	}
	key := fmt.Sprint(seen)
	if c.known == nil {
		c.known = map[string][]oracle.Real{}
	}
	if _, ok := c.known[key]; !ok {
		c.known[key] = c.On(seen, nil)
	}
	return c.known[key]
}

// stages are what the releases show of two data sets.
func (l line) stages(pair [2][]int, sees func(int) bool) (stages []oracle.Stage) {
	var stage oracle.Stage
	for _, q := range l.queries {
		seen := oracle.NewSeen(q.on(pair[0], sees), q.on(pair[1], sees))
		if l.fixed {
			seen = seen.Power(l.count)
		}
		stage = append(stage, oracle.Move{Seen: seen})
	}
	if l.fixed {
		return []oracle.Stage{stage}
	}
	for range l.count {
		stages = append(stages, stage)
	}
	return stages
}

// attack is the whole scenario on one pair.
func (w *world) attack(pair [2][]int) (stages []oracle.Stage) {
	for range w.rounds {
		for _, s := range w.steps {
			if s.branches == nil {
				stages = append(stages, s.line.stages(pair, nil)...)
				continue
			}
			stages = append(stages, w.block(s.branches, pair))
		}
	}
	return stages
}

// block lets the attacker cut the data: every kind into a branch of its own, in any
// order round, or all of them into one.
func (w *world) block(branches [][]line, pair [2][]int) oracle.Stage {
	var stage oracle.Stage
	cut := func(part func(kind int) int) {
		var inside []oracle.Stage
		for b, lines := range branches {
			for _, l := range lines {
				inside = append(inside, l.stages(pair, func(kind int) bool { return part(kind) == b })...)
			}
		}
		stage = append(stage, oracle.Move{Inside: inside})
	}
	for shift := range branches {
		cut(func(kind int) int { return (kind + shift) % len(branches) })
		cut(func(int) int { return shift })
	}
	return stage
}

// promise is what the data must keep to for a stated sensitivity to be true.
type promise struct {
	world   *world
	sampled bool
	block   bool
	rate    float64
}

// contributions draws what each kind of record adds to each of the sums: at most Δ
// where a record comes or goes, and within Δ of each other where one is replaced. Of
// sampled releases the sensitivity is that of a record that comes or goes.
func (p promise) contributions(t *rapid.T, sums, sensitivity int, rising, extreme bool) [][]int {
	out := make([][]int, p.world.kinds)
	for kind := range out {
		out[kind] = make([]int, sums)
	}
	for s := range sums {
		low, high := -sensitivity, sensitivity
		if p.world.replace && !p.sampled {
			low, high = 0, sensitivity
			if p.block && rapid.Bool().Draw(t, "falling") {
				low, high = -sensitivity, 0
			}
		}
		if rising {
			low = 0
		}
		for kind := range out {
			switch {
			case extreme && (kind+s)%2 == 0:
				out[kind][s] = high
			case extreme:
				out[kind][s] = low
			default:
				out[kind][s] = rapid.IntRange(low, high).Draw(t, "contribution")
			}
		}
	}
	return out
}

// span is which values a sum of the person's records may have.
func (p promise) span(contributions [][]int) (low, high int) {
	for _, c := range contributions {
		low, high = min(low, p.world.group*c[0]), max(high, p.world.group*c[0])
	}
	return low, high
}

// additive are some queries whose kernel needs the span of its sum.
func (p promise) additive(t *rapid.T, sensitivity int, kernels ...func(low, high int) oracle.Kernel) (list []*cached) {
	for i := range max(len(kernels), rapid.IntRange(1, 2).Draw(t, "choices")) {
		c := p.contributions(t, 1, sensitivity, false, i < len(kernels))
		low, high := p.span(c)
		list = append(list, &cached{Query: oracle.Query{Kernel: kernels[i%len(kernels)](low, high), Contribution: c, Rate: p.rate}})
	}
	return list
}
