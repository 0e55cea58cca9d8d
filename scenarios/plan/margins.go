package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/risk"
	"epsiloscope/scenarios"
)

// Margins say what each entry adds to the cost of the whole, under one method: in ε or, if the budget limits a harm, in
// that harm.
type Margins struct {
	Method  accounting.Method
	Epsilon float64 // of the whole
	// Harm names the harm that the budget limits instead of ε, and HarmWhole has its upper end for the whole. All
	// differences are then of it.
	Harm      scenarios.HarmLimit
	HarmWhole float64
	Round     float64 // what one more round would add
	// Width is the width of the numerical interval: differences below it mean nothing.
	// It is 0 for the closed methods.
	Width   float64
	Entries []Margin
}

// Margin is the part of an entry in the cost.
type Margin struct {
	Entry   int     // from 1
	Alone   float64 // ε of the entry by itself, in all rounds
	Saves   float64 // what the whole costs less without it; 0 if it is disabled
	OneMore float64 // what one more copy, in every round, adds; the first one if it is disabled
}

// Margins evaluates the scenario without each entry, and with one more copy of it. If no method is given, it
// uses the best one for the whole scenario throughout. A cost without a bound is +Inf.
func (ev Planner) Margins(ctx context.Context, s *scenarios.Scenario, method accounting.Method,
	opt scenarios.Options) (*Margins, error) {
	ctx = ev.Context(ctx)
	// the ε of the comparison, which of theorems with the same ε takes the least; 0 if a method was asked for
	compared := 0.0
	if method == "" {
		r, err := ev.Evaluate(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		if r.Best < 0 {
			return nil, errors.New("no theorem gives the whole a finite ε, so there are no parts of it")
		}
		method, compared = r.BestBound().Method, r.BestBound().Epsilon
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
		var ends risk.Ends
		ends, err = ev.limitedCost(ctx, c, method, opt.Precision)
		return ends.Upper
	}
	m := &Margins{Method: method, Epsilon: cmp.Or(compared, whole.Epsilon), Harm: s.Budget.Harm}
	all, err := ev.limitedCost(ctx, s, method, opt.Precision)
	if err != nil {
		return nil, err
	}
	if method == accounting.Numerical {
		m.Width = all.Upper - all.Lower
	}
	if m.Harm.Kind() != "" {
		m.HarmWhole = all.Upper
	}
	m.Round = cost(func(c *scenarios.Scenario) { c.Rounds++ }) - all.Upper
	for i, e := range s.Stack {
		part := Margin{Entry: i + 1}
		part.Alone = cost(func(c *scenarios.Scenario) {
			c.Stack = c.Stack[i : i+1]
			c.Stack[0].Disabled = false
		})
		if e.Disabled {
			part.OneMore = cost(func(c *scenarios.Scenario) {
				c.Stack[i].Disabled, c.Stack[i].Count = false, 1
			}) - all.Upper
		} else {
			part.Saves = all.Upper - cost(func(c *scenarios.Scenario) { c.Stack[i].Disabled = true })
			part.OneMore = cost(func(c *scenarios.Scenario) { c.Stack[i].Count++ }) - all.Upper
		}
		m.Entries = append(m.Entries, part)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// limitedCost returns the quantity that the budget limits, by one method: ε, or a harm. A harm is that of the method's
// (ε, δ) or, for the numerical method, of its certified curve.
func (ev Planner) limitedCost(ctx context.Context, s *scenarios.Scenario, method accounting.Method,
	precision float64) (risk.Ends, error) {
	limit := s.Budget.Harm
	if limit.Kind() == "" || method != accounting.Numerical {
		b, err := ev.Bound(ctx, s, method, precision)
		if limit.Kind() == "" || err != nil {
			return risk.Ends{Lower: b.Lower, Upper: b.Epsilon}, err
		}
		return risk.Ends{Lower: 0, Upper: limit.HarmOf(b)}, nil
	}
	profile, err := ev.Profile(ctx, s)
	if err == nil {
		err = profile.LowerEndError()
	}
	if err != nil {
		return risk.Ends{Lower: 0, Upper: 1}, err
	}
	return limit.Measure(ctx, profile)
}
