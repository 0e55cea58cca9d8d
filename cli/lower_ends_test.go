package cli

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// moreOf returns the scenario with more of it, by a name: of rounds, of copies of an entry, and of steps of a training.
func moreOf(s *scenarios.Scenario) map[string]*scenarios.Scenario {
	more := map[string]*scenarios.Scenario{}
	with := func(name string, change func(*scenarios.Scenario)) {
		c := s.Clone()
		change(c)
		more[name] = c
	}
	with("a round more", func(c *scenarios.Scenario) { c.Rounds++ })
	with("twice the rounds", func(c *scenarios.Scenario) { c.Rounds *= 2 })
	for i, e := range s.Stack {
		if e.Parallel != nil {
			continue
		}
		with(fmt.Sprint("a copy more of entry ", i+1), func(c *scenarios.Scenario) { c.Stack[i].Count++ })
		with(fmt.Sprint("twice the copies of entry ", i+1), func(c *scenarios.Scenario) { c.Stack[i].Count *= 2 })
		if e.Mechanism == "dp-sgd" && e.Values.Has("steps") {
			with(fmt.Sprint("a step more of entry ", i+1), func(c *scenarios.Scenario) {
				c.Stack[i].Values["steps"] = param.NumberValue(c.Stack[i].Values["steps"].Number + 1)
			})
		}
	}
	return more
}

// Whatever is released, the lower end holds for more of it: rounds, copies and steps, under every adjacency, for
// groups, samples and blocks. It falls by no more than the width that is asked of the accountant.
func TestLowerEndsRise(t *testing.T) {
	gauge.Sequential(t)
	const width = 0.01
	checked := 0
	gauge.Check(t, gauge.Cases(5, 8), func(t *rapid.T) {
		text := drawScenario(t)
		s, err := scenarios.Parse("random", []byte(text))
		if err != nil {
			t.Skip("refused")
		}
		ends := func(s *scenarios.Scenario) accounting.Bound {
			b, err := scenarios.NewEvaluator().Bound(context.Background(), s, accounting.Numerical, width)
			if err != nil {
				return accounting.Bound{Status: accounting.NotApplicable}
			}
			return b
		}
		less := ends(s)
		if less.Status != accounting.Valid || less.Lower == 0 {
			t.Skip("no lower end")
		}
		for name, more := range moreOf(s) {
			b := ends(more)
			if checked++; b.Status == accounting.Valid && b.Lower < less.Lower*(1-width) {
				t.Errorf("%s: [%v, %v], with less [%v, %v]:\n%s",
					name, b.Lower, b.Epsilon, less.Lower, less.Epsilon, text)
			}
		}
	})
	t.Logf("%d pairs of scenarios", checked)
}
