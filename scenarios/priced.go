package scenarios

import (
	"context"
	"errors"
	"slices"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// entryPrice is the cost of one run of an entry.
type entryPrice struct {
	entries []accounting.Entry
	notes   []mechanisms.Note
	once    error // why the entry cannot be run twice, if it cannot
	err     error
}

// times returns the releases of n runs.
func (p entryPrice) times(n float64) ([]accounting.Entry, error) {
	switch {
	case p.err != nil:
		return nil, p.err
	case n > 1 && p.once != nil:
		return nil, p.once
	}
	return accounting.Times(p.entries, n), nil
}

// pricedStack is a folded stack and the releases of each entry.
type pricedStack struct {
	stack   []accounting.Entry   // folded: releases with equal keys once
	entries [][]accounting.Entry // by entry of the scenario; empty if disabled
	notes   [][]mechanisms.Note
}

// Priced is a scenario whose entries are priced once, each for one run, and evaluated for any numbers of runs.
type Priced struct {
	scenario  *Scenario
	evaluator *Evaluator
	prices    []func() entryPrice // by entry; each is computed when the entry is first run
}

// Price returns the scenario to evaluate it at several numbers of runs. The scenario must not change afterwards.
// Several goroutines may use the result.
func (ev *Evaluator) Price(s *Scenario) *Priced {
	p := &Priced{scenario: s, evaluator: ev, prices: make([]func() entryPrice, len(s.Stack))}
	for i := range p.prices {
		p.prices[i] = sync.OnceValue(func() entryPrice {
			price := priceEntry(s, &s.Stack[i])
			price.entries = ev.releases.Unify(price.entries) // those that the evaluator knows are taken from there
			return price
		})
	}
	return p
}

// Runs says how often an entry is run.
type Runs struct {
	Entry int     // from 1
	Times float64 // in all rounds together
}

// Runs returns how often each enabled entry is run.
func (s *Scenario) Runs() (list []Runs) {
	for i, e := range s.Stack {
		if !e.Disabled {
			list = append(list, Runs{i + 1, e.Count * s.Rounds})
		}
	}
	return list
}

// Bound computes the bound of one method for the given runs. Entries that cannot be run, or not so often, are an error
// of type [Errors].
func (p *Priced) Bound(
	ctx context.Context, runs []Runs, m accounting.Method, target accounting.Target,
) (accounting.Bound, error) {
	c, err := p.stack(runs)
	if err != nil {
		return accounting.Bound{}, err
	}
	b := accounting.Evaluate(p.evaluator.Context(ctx), m, c.stack, target)
	if b.Fault != nil {
		return accounting.Bound{}, b.Fault
	}
	return b, ctx.Err()
}

// Profile returns the certified profile of the given runs.
func (p *Priced) Profile(ctx context.Context, runs []Runs) (*accounting.Profile, error) {
	c, err := p.stack(runs)
	if err != nil {
		return nil, err
	}
	bare := *p.scenario
	bare.Budget.Harm = HarmLimit{} // it is not asked for yet
	bare.Budget.Delta = p.scenario.DeltaOfEpsilon()
	target, err := bare.Target(0)
	if err != nil {
		return nil, err
	}
	r, err := p.evaluator.evaluate(ctx, &bare, target, c)
	if err != nil {
		return nil, err
	}
	r.profile.levels = p.scenario.Budget.Harm.levels()
	return r.Profile(p.evaluator.Context(ctx))
}

// Stack returns the releases that the accountants compose: those of the enabled entries, folded.
func Stack(s *Scenario) ([]accounting.Entry, error) {
	c, err := NewEvaluator().priceStack(s)
	if err != nil {
		return nil, err
	}
	return c.stack, nil
}

// priceStack prices the enabled entries.
func (ev *Evaluator) priceStack(s *Scenario) (*pricedStack, error) {
	return ev.Price(s).stack(s.Runs())
}

// stack returns the releases of the given runs.
func (p *Priced) stack(runs []Runs) (*pricedStack, error) {
	n := len(p.prices)
	c := &pricedStack{entries: make([][]accounting.Entry, n), notes: make([][]mechanisms.Note, n)}
	var errs Errors
	for _, r := range runs {
		i := r.Entry - 1
		price := p.prices[i]()
		entries, err := price.times(r.Times)
		if err != nil {
			errs = append(errs, entryError(p.scenario, i, err))
		}
		c.entries[i], c.notes[i] = entries, price.notes
	}
	if err := errs.Sort(); err != nil {
		return nil, err
	}
	c.stack = accounting.Fold(slices.Concat(c.entries...))
	return c, nil
}

func entryError(s *Scenario, i int, err error) FieldError {
	f := FieldError{File: s.Source(), Field: format.WithIndex("stack", i), Problem: err.Error()}
	var field string
	if p, ok := errors.AsType[*param.Error](err); ok {
		field, f.Problem = p.Param, p.Problem
		f.Field += "." + field
	}
	if src := s.Stack[i].source; src != nil && f.File != "" {
		f.Line, f.Column = s.origin.doc.Position(src.node.Find(field).Start)
	}
	return f
}
