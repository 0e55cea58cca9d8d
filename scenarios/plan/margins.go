package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	opt = scenarios.Options{Precision: opt.Precision, Closed: opt.Closed}
	if method == "" {
		r, err := ev.Evaluate(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		if r.Best < 0 {
			return nil, errors.New("no theorem gives the whole a finite ε, so there are no parts of it")
		}
		method = r.Bounds[r.Best].Method
	}
	v := &variants{ev: ev.Evaluator, base: s, method: method, opt: opt}
	whole := v.cost(ctx, s)
	if v.err == nil && !whole.Finite() {
		return nil, fmt.Errorf("%s gives the whole no finite ε: %s", method.Name(), whole.Note)
	}
	m := &Margins{Method: method, Epsilon: whole.Epsilon}
	if whole.Interval != nil {
		m.Blur = whole.Epsilon - whole.Lower
	}
	m.Round = v.with(ctx, func(c *scenarios.Scenario) { c.Rounds++ }) - whole.Epsilon
	for i := range s.Stack {
		m.Entries = append(m.Entries, v.margin(ctx, i, whole.Epsilon))
	}
	if v.err != nil {
		return nil, v.err
	}
	return m, nil
}

// variants prices a scenario with one thing changed. After an error, which it keeps,
// it evaluates nothing more.
type variants struct {
	ev     *scenarios.Evaluator
	base   *scenarios.Scenario
	method accounting.Method
	opt    scenarios.Options
	err    error
}

func (v *variants) cost(ctx context.Context, s *scenarios.Scenario) (b accounting.Bound) {
	if v.err == nil {
		b, v.err = v.ev.Bound(ctx, s, v.method, v.opt.Precision)
	}
	return b
}

// with is the ε of the scenario after an edit, of which the original sees nothing.
func (v *variants) with(ctx context.Context, edit func(*scenarios.Scenario)) float64 {
	if v.err != nil {
		return 0
	}
	c := *v.base
	c.Stack = slices.Clone(v.base.Stack)
	edit(&c)
	return v.cost(ctx, &c).Epsilon
}

// margin is the part of the entry at a place, from 0, in what the whole costs.
func (v *variants) margin(ctx context.Context, i int, whole float64) Margin {
	part := Margin{Entry: i + 1}
	part.Alone = v.with(ctx, func(c *scenarios.Scenario) {
		c.Stack = c.Stack[i : i+1]
		c.Stack[0].Disabled = false
	})
	if v.base.Stack[i].Disabled {
		part.OneMore = v.with(ctx, func(c *scenarios.Scenario) { c.Stack[i].Disabled, c.Stack[i].Count = false, 1 }) - whole
		return part
	}
	part.Saves = whole - v.with(ctx, func(c *scenarios.Scenario) { c.Stack[i].Disabled = true })
	part.OneMore = v.with(ctx, func(c *scenarios.Scenario) { c.Stack[i].Count++ }) - whole
	return part
}
