package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
	Refusal string // of the first entry that cannot be run as often as was asked; "" if all can
}

// Margin is the part of an entry in the cost.
type Margin struct {
	Entry   int     // from 1
	Alone   float64 // ε of the entry by itself, in all rounds
	Saves   float64 // what the whole costs less without it; 0 if it is disabled
	OneMore float64 // what one more copy, in every round, adds; the first one if it is disabled
}

// Margins evaluates the scenario without each of its first entries, and with one more copy of it; most is how many
// entries, 0 means all. If no method is given, it uses the best one for the whole scenario throughout. A cost without a
// bound is +Inf, and so is that of runs that an entry cannot have.
func (ev Planner) Margins(ctx context.Context, s *scenarios.Scenario, method accounting.Method,
	opt scenarios.Options, most int) (*Margins, error) {
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
	target, err := s.Target(opt.Precision)
	if err != nil {
		return nil, err
	}
	p := marginCosts{priced: ev.Price(s), harm: s.Budget.Harm, method: method, target: target}
	runs := s.Runs()
	whole, err := p.priced.Bound(ctx, runs, method, target)
	switch {
	case err != nil:
		return nil, err
	case !whole.Finite():
		return nil, fmt.Errorf("%s gives the whole no finite ε: %s", method.Name(), whole.Note)
	}
	all, err := p.costOf(ctx, runs)
	if err != nil {
		return nil, err
	}
	m := &Margins{Method: method, Epsilon: cmp.Or(compared, whole.Epsilon), Harm: s.Budget.Harm}
	if method == accounting.Numerical {
		m.Width = all.Upper - all.Lower
	}
	if m.Harm.Kind() != "" {
		m.HarmWhole = all.Upper
	}
	rounds, _ := s.FieldAt("rounds")
	m.Round = math.Inf(1)
	if rounds.CheckNumber(s.Rounds+1) == "" {
		next := *s
		next.Rounds++
		m.Round = p.cost(ctx, next.Runs()) - all.Upper
	}
	if p.err != nil {
		return nil, p.err
	}
	m.Entries = make([]Margin, min(len(s.Stack), cmp.Or(most, len(s.Stack))))
	if err := p.margins(ctx, s, all.Upper, m.Entries); err != nil {
		return nil, err
	}
	m.Refusal = p.refusal
	return m, nil
}

// margins evaluates the margins of the first entries, given the cost of the whole; several at a time.
func (p *marginCosts) margins(ctx context.Context, s *scenarios.Scenario, whole float64, all []Margin) error {
	refusals := make([]string, len(all))
	err := accounting.Several(ctx, len(all), func(ctx context.Context, i int) error {
		costs := marginCosts{priced: p.priced, harm: p.harm, method: p.method, target: p.target}
		all[i] = costs.margin(ctx, s, i, whole)
		refusals[i] = costs.refusal
		return costs.err
	})
	p.refusal = cmp.Or(append([]string{p.refusal}, refusals...)...)
	return err
}

// margin evaluates the margin of an entry, given the cost of the whole.
func (p *marginCosts) margin(ctx context.Context, s *scenarios.Scenario, i int, whole float64) Margin {
	e, runs := s.Stack[i], s.Runs()
	part := Margin{Entry: i + 1, OneMore: math.Inf(1)}
	times := e.Count * s.Rounds
	part.Alone = p.cost(ctx, []scenarios.Runs{{Entry: i + 1, Times: times}})
	others := slices.DeleteFunc(runs, func(r scenarios.Runs) bool { return r.Entry == i+1 })
	if e.Disabled {
		times = 0
	} else {
		part.Saves = whole - p.cost(ctx, others)
	}
	if scenarios.EntryField("count").CheckNumber(e.Count+1) == "" {
		more := append(others, scenarios.Runs{Entry: i + 1, Times: times + s.Rounds})
		part.OneMore = p.cost(ctx, more) - whole
	}
	return part
}

// marginCosts evaluates runs of the entries of one scenario.
type marginCosts struct {
	priced *scenarios.Priced
	harm   scenarios.HarmLimit
	method accounting.Method
	target accounting.Target

	refusal string // the first
	err     error  // the first; after it, nothing is evaluated any more
}

// cost returns the upper end of what the budget limits, +Inf for runs that an entry cannot have.
func (p *marginCosts) cost(ctx context.Context, runs []scenarios.Runs) float64 {
	if p.err != nil {
		return 0
	}
	ends, err := p.costOf(ctx, runs)
	if refused, ok := errors.AsType[scenarios.Errors](err); ok {
		p.refusal = cmp.Or(p.refusal, refused[0].Field+": "+refused[0].Problem)
		return math.Inf(1)
	}
	p.err = err
	return ends.Upper
}

// costOf returns the quantity that the budget limits, by one method: ε, or a harm. A harm is that of the method's
// (ε, δ) or, for the numerical method, of its certified curve.
func (p *marginCosts) costOf(ctx context.Context, runs []scenarios.Runs) (risk.Ends, error) {
	if p.harm.Kind() == "" || p.method != accounting.Numerical {
		b, err := p.priced.Bound(ctx, runs, p.method, p.target)
		if p.harm.Kind() == "" || err != nil {
			return risk.Ends{Lower: b.Lower, Upper: b.Epsilon}, err
		}
		return risk.Ends{Lower: 0, Upper: p.harm.HarmOf(b)}, nil
	}
	profile, err := p.priced.Profile(ctx, runs)
	if err == nil {
		err = profile.LowerEndError()
	}
	if err != nil {
		return risk.Ends{Lower: 0, Upper: 1}, err
	}
	return p.harm.Measure(ctx, profile)
}
