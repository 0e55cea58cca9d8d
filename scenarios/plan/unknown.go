package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
)

// unknown is what a plan solves for: where it stands in a scenario, what it may be
// and which way it drives the cost.
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
	// custom puts a value in where no one field is the unknown.
	custom func(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error)
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
		u.start = s.Rounds
		return u, nil
	case "scale":
		return u, nil
	case "delta":
		u.start = max(s.Budget.Delta, 1e-12)
		return u, nil
	}
	if err := u.choose(s, req.Entry); err != nil {
		return nil, err
	}
	e := &s.Stack[u.entry-1]
	if u.solve == "max_batch" {
		return u, u.cutting(s, e)
	}
	u.start = e.Values[u.field].Number
	if u.field == "count" {
		u.start = e.Count
	}
	if !(u.start >= u.low && u.start <= u.high) {
		u.start = 1
	}
	return u, nil
}

// choose settles the entry: the one named, else the only one that states the
// field, else the only one that could.
func (u *unknown) choose(s *scenarios.Scenario, n int) error {
	if n < 0 || n > len(s.Stack) {
		return fmt.Errorf("there is no entry %d; the stack has %s", n, numeral.Plural(len(s.Stack), "entry", "entries"))
	}
	var could, states []int
	for i := range s.Stack {
		e := &s.Stack[i]
		if field, ok := fieldOf(e, u.solve); ok && (n == i+1 || n == 0 && !e.Disabled) {
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
		u.field, _ = fieldOf(&s.Stack[could[0]], u.solve)
		return nil
	case n > 0:
		return fmt.Errorf("entry %d has no %s", n, u.solve)
	case len(could) == 0:
		return fmt.Errorf("no entry of the stack has %s", u.solve)
	}
	return fmt.Errorf("%d entries have %s; say which with --entry N", len(could), u.solve)
}

// fieldOf is what an unknown is called in an entry.
func fieldOf(e *scenarios.Entry, solve string) (string, bool) {
	if solve == "count" {
		return "count", true
	}
	if e.Parallel != nil {
		return "", false
	}
	spec := e.Spec()
	p, has := spec.Param(solve)
	for i := 0; !has && i < len(spec.Params); i++ {
		p = spec.Params[i]
		has = p.Alias == solve
	}
	return p.Name, has
}

// Now is what an unknown is at present; false if it is not stated.
func Now(s *scenarios.Scenario, solve string, entry int) (float64, bool) {
	switch solve {
	case "scale":
		return 1, true
	case "rounds":
		return s.Rounds, true
	case "delta":
		return s.Budget.Delta, true
	}
	if entry < 1 || entry > len(s.Stack) {
		return 0, false
	}
	e := &s.Stack[entry-1]
	field, has := fieldOf(e, solve)
	switch {
	case !has:
		return 0, false
	case field == "count":
		return e.Count, true
	}
	v, stated := e.Values[field]
	if !stated && solve == "steps" {
		m, _ := mechanisms.New(e.Mechanism, e.Values)
		if training, ok := m.(mechanisms.DPSGD); ok {
			training, err := training.Of(s.Records)
			return training.Steps, err == nil
		}
	}
	return v.Number, stated
}

// with is the scenario at a value of the unknown; the original is not touched.
func (u *unknown) with(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error) {
	if u.custom != nil {
		return u.custom(s, x)
	}
	c := *s
	switch u.solve {
	case "rounds":
		c.Rounds = x
		return &c, nil
	case "delta":
		c.Budget.Delta = x
		return &c, nil
	case "scale":
		stack, err := scaleNoise(s.Stack, x, noisier(u.digits))
		c.Stack = stack
		return &c, err
	}
	c.Stack = slices.Clone(s.Stack)
	e := &c.Stack[u.entry-1]
	e.Disabled = false
	if u.field == "count" {
		e.Count = x
		return &c, nil
	}
	return &c, e.SetNumber(u.field, x)
}

// round takes a real-valued answer to the digits asked for, towards the cheap side:
// nobody wants more, and trials that differ by less need not be evaluated twice.
func (u *unknown) round(x float64) float64 {
	if u.whole {
		return x
	}
	y := numeral.RoundUp(x, u.digits)
	if u.rises {
		y = numeral.RoundDown(x, u.digits)
	}
	return math.Min(math.Max(y, u.low), u.high)
}
