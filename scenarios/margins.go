package scenarios

import (
	"context"
	"errors"
	"fmt"

	"epsiloscope/accounting"
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
func (ev *Evaluator) Margins(ctx context.Context, s *Scenario, method accounting.Method, opt Options) (*Margins, error) {
	opt = Options{Precision: opt.Precision, Closed: opt.Closed}
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
	cost := func(s *Scenario) (accounting.Bound, error) {
		if err := s.checkTarget(); err != nil {
			return accounting.Bound{}, err
		}
		stack, err := ev.Stack(s, Options{})
		if err != nil {
			return accounting.Bound{}, err
		}
		return accounting.Evaluate(ctx, method, stack, s.target(opt)), ctx.Err()
	}
	whole, err := cost(s)
	if err != nil {
		return nil, err
	}
	if !whole.Finite() {
		return nil, fmt.Errorf("%s gives the whole no finite ε: %s", method.Name(), whole.Note)
	}
	m := &Margins{Method: method, Epsilon: whole.Epsilon}
	if whole.Interval != nil {
		m.Blur = whole.Epsilon - whole.Lower
	}
	change := func(edit func(*Scenario)) float64 {
		c := *s
		c.Stack = append([]Entry(nil), s.Stack...)
		edit(&c)
		var b accounting.Bound
		if b, err = cost(&c); err != nil {
			return 0
		}
		return b.Epsilon
	}
	m.Round = change(func(c *Scenario) { c.Rounds++ }) - whole.Epsilon
	for i := range s.Stack {
		if err != nil {
			return nil, err
		}
		part := Margin{Entry: i + 1}
		part.Alone = change(func(c *Scenario) {
			c.Stack = c.Stack[i : i+1]
			c.Stack[0].Disabled = false
		})
		if s.Stack[i].Disabled {
			part.OneMore = change(func(c *Scenario) { c.Stack[i].Disabled, c.Stack[i].Count = false, 1 }) - whole.Epsilon
		} else {
			part.Saves = whole.Epsilon - change(func(c *Scenario) { c.Stack[i].Disabled = true })
			part.OneMore = change(func(c *Scenario) { c.Stack[i].Count++ }) - whole.Epsilon
		}
		m.Entries = append(m.Entries, part)
	}
	return m, err
}
