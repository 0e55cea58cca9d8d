package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// unknown is the quantity that a plan solves for: where it stands in a scenario, its range and
// the direction in which it drives the cost.
type unknown struct {
	solve  string
	words  string // for people, if not the same
	low    float64
	high   float64
	whole  bool
	rises  bool    // a larger value costs more: look for the largest that fits
	entry  int     // from 1; 0 for the whole scenario
	field  string  // of the entry
	start  float64 // where to begin looking
	digits int     // significant digits of what is put in
	// put sets the unknown in a scenario with a stack of its own.
	put func(c *scenarios.Scenario, x float64) error
}

// unknowns without a high end may be as large as a count.
var unknowns = []unknown{
	{solve: "count", low: 1, whole: true, rises: true},
	{solve: "epsilon", low: 1e-12, high: 1e6, rises: true},
	{solve: "sigma", low: 1e-9, high: 1e12},
	{solve: "scale", words: "factor on the noise", low: 1e-9, high: 1e9, start: 1},
	{solve: "steps", low: 1, whole: true, rises: true},
	{solve: "rounds", low: 1, whole: true, rises: true},
	{solve: "delta", words: "δ below 1", low: 1e-300, high: math.Nextafter(1, 0)},
	{solve: "n", low: 1, whole: true},
	{solve: "max_batch", low: 1, whole: true},
}

// Solvable lists what [Planner.Plan] solves for.
var Solvable = func() (names []string) {
	for _, u := range unknowns {
		names = append(names, u.solve)
	}
	return names
}()

// newUnknown finds the entry and the field a request is about.
func newUnknown(s *scenarios.Scenario, req Request) (*unknown, error) {
	i := slices.Index(Solvable, req.Solve)
	if i < 0 {
		return nil, fmt.Errorf("cannot solve for %q; one of %s can be solved for", req.Solve, strings.Join(Solvable, ", "))
	}
	found := unknowns[i]
	u := &found
	u.high, u.digits = cmp.Or(u.high, scenarios.EntryField("count").Max), req.digits()
	switch u.solve {
	case "rounds":
		u.start, u.put = s.Rounds, func(c *scenarios.Scenario, x float64) error { c.Rounds = x; return nil }
	case "delta":
		u.start, u.put = max(s.Budget.Delta, 1e-12), func(c *scenarios.Scenario, x float64) error {
			c.Budget.Delta = x
			return nil
		}
	case "scale":
		u.put = func(c *scenarios.Scenario, x float64) error { return scaleNoise(c, c.Stack, x, nil) }
	default:
		return u, u.useEntry(s, req.Entry)
	}
	return u, nil
}

// useEntry sets the entry, the field, the range and the start of the search: entry n or, for n = 0, the only entry that
// has the unknown.
func (u *unknown) useEntry(s *scenarios.Scenario, n int) error {
	if err := u.chooseEntry(s, n); err != nil {
		return err
	}
	e := s.Stack[u.entry-1]
	set := func(e *scenarios.Entry, x float64) error { return e.SetNumber(u.field, x) }
	u.start = e.Values[u.field].Number
	if spec := e.Spec(); u.field == spec.Records && s.Records > 0 {
		u.high = s.Records // there are no more
	}
	switch {
	case u.solve == "max_batch":
		training, err := u.truncatedTraining(s, e)
		if err != nil {
			return err
		}
		set = func(e *scenarios.Entry, x float64) error { e.Values = training.WithMaxBatch(e.Values, x); return nil }
	case u.field == "count":
		u.start, set = e.Count, func(e *scenarios.Entry, x float64) error { e.Count = x; return nil }
	}
	if !(u.start >= u.low && u.start <= u.high) {
		u.start = 1
	}
	u.put = func(c *scenarios.Scenario, x float64) error {
		e := &c.Stack[u.entry-1]
		e.Disabled = false
		return set(e, x)
	}
	if u.solve == "max_batch" { // truncated batches are not supported under every adjacency
		whole, _ := u.scenarioAt(s, u.high)
		_, err := scenarios.Stack(whole)
		return err
	}
	return nil
}

// chooseEntry sets the entry and its field: entry n or, for n = 0, the only entry that states the
// field, else the only one that could state it.
func (u *unknown) chooseEntry(s *scenarios.Scenario, n int) error {
	if n < 0 || n > len(s.Stack) {
		return fmt.Errorf("there is no entry %d; the stack has %s", n, numeral.Plural(len(s.Stack), "entry", "entries"))
	}
	var could, states []int
	for i := range s.Stack {
		e := &s.Stack[i]
		if field := fieldOf(e, u.solve); field != "" && (n == i+1 || n == 0 && !e.Disabled) {
			could = append(could, i)
			if e.Values.Has(field) {
				states = append(states, i)
			}
		}
	}
	if len(states) == 1 {
		could = states
	}
	switch {
	case len(could) == 1:
		u.entry = could[0] + 1
		u.field = fieldOf(&s.Stack[could[0]], u.solve)
		return nil
	case n > 0:
		return fmt.Errorf("entry %d has no %s", n, u.solve)
	case len(could) == 0:
		return fmt.Errorf("no entry of the stack has %s", u.solve)
	}
	return fmt.Errorf("%d entries have %s; say which with --entry N", len(could), u.solve)
}

// scenarioAt returns the scenario at a value of the unknown; the original is not touched.
func (u *unknown) scenarioAt(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error) {
	c := s.Copy()
	return c, u.put(c, x)
}
