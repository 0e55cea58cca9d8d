package plan

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Margins say what each entry adds to the cost of the whole, under one method.
type Margins struct {
	Method  accounting.Method
	Epsilon float64 // of the whole
	Round   float64 // what one more round would add
	// Blur is the width of the numerical interval: differences below it mean nothing.
	// It is 0 for the closed methods.
	Blur    float64
	Entries []Margin
}

// Margin is one entry's part.
type Margin struct {
	Entry   int     // from 1
	Alone   float64 // ε of the entry by itself, in all rounds
	Saves   float64 // what the whole costs less without it; 0 if it is disabled
	OneMore float64 // what one more copy, in every round, adds; the first one if it is disabled
}

// Margins evaluates the scenario with every entry left out and doubled in turn. With
// no method the best one of the whole is taken, for all alike. Costs that do not
// exist are +Inf.
func (ev Planner) Margins(ctx context.Context, s *scenarios.Scenario, method accounting.Method, opt scenarios.Options) (*Margins, error) {
	ctx = ev.Context(ctx)
	if method == "" {
		r, err := ev.Evaluate(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		if r.Best < 0 {
			return nil, errors.New("no theorem gives the whole a finite ε, so there are no parts of it")
		}
		method = r.Winner().Method
	}
	whole, err := ev.Bound(ctx, s, method, opt.Precision)
	switch {
	case err != nil:
		return nil, err
	case !whole.Finite():
		return nil, fmt.Errorf("%s gives the whole no finite ε: %s", method.Name(), whole.Note)
	}
	// cost is the ε after an edit; after an error, nothing is evaluated any more.
	cost := func(edit func(c *scenarios.Scenario)) float64 {
		if err != nil {
			return 0
		}
		c := s.Copy()
		edit(c)
		if _, beyond := c.Target(opt.Precision); beyond != nil {
			return math.Inf(1) // one more than a count may be
		}
		var b accounting.Bound
		b, err = ev.Bound(ctx, c, method, opt.Precision)
		return b.Epsilon
	}
	m := &Margins{Method: method, Epsilon: whole.Epsilon}
	if whole.Interval != nil {
		m.Blur = whole.Epsilon - whole.Lower
	}
	m.Round = cost(func(c *scenarios.Scenario) { c.Rounds++ }) - whole.Epsilon
	for i, e := range s.Stack {
		part := Margin{Entry: i + 1}
		part.Alone = cost(func(c *scenarios.Scenario) {
			c.Stack = c.Stack[i : i+1]
			c.Stack[0].Disabled = false
		})
		if e.Disabled {
			part.OneMore = cost(func(c *scenarios.Scenario) { c.Stack[i].Disabled, c.Stack[i].Count = false, 1 }) - whole.Epsilon
		} else {
			part.Saves = whole.Epsilon - cost(func(c *scenarios.Scenario) { c.Stack[i].Disabled = true })
			part.OneMore = cost(func(c *scenarios.Scenario) { c.Stack[i].Count++ }) - whole.Epsilon
		}
		m.Entries = append(m.Entries, part)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}
