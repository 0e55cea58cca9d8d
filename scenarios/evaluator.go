package scenarios

import (
	"context"
	"errors"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// A scenario comes in; its enabled entries are priced, and a stack with the price of each entry goes out.

// Evaluator evaluates scenarios. It keeps what was computed of each release and of its loss, so that after a change of
// one entry only that entry is computed again. No result depends on what was evaluated before. Several goroutines may
// use it.
type Evaluator struct {
	numerical pld.Accountant
	releases  accounting.Shared
}

// NewEvaluator returns an evaluator that remembers nothing yet.
func NewEvaluator() *Evaluator { return &Evaluator{} }

// Context returns a context in which all numerical bounds come from one accountant: the
// evaluator's own, unless the context already has one. A second evaluation after one entry
// has changed then composes only that entry again.
func (ev *Evaluator) Context(ctx context.Context) context.Context {
	return pld.NewContext(ctx, &ev.numerical)
}

// entryPrice is the cost of one run of an entry.
type entryPrice struct {
	entries []accounting.Entry
	notes   []mechanisms.Note
	err     error
}

// pricedStack is a folded stack and the releases of each entry.
type pricedStack struct {
	stack   []accounting.Entry   // folded: releases with equal keys once
	entries [][]accounting.Entry // by entry of the scenario; empty if disabled
	notes   [][]mechanisms.Note
}

// Stack returns the releases that the accountants compose: those of the enabled entries, folded.
func Stack(s *Scenario) ([]accounting.Entry, error) {
	c, err := priceStack(s, new(accounting.Shared))
	if err != nil {
		return nil, err
	}
	return c.stack, nil
}

// priceStack prices the enabled entries; releases that are known already are taken from there.
func priceStack(s *Scenario, known *accounting.Shared) (*pricedStack, error) {
	c := &pricedStack{entries: make([][]accounting.Entry, len(s.Stack)), notes: make([][]mechanisms.Note, len(s.Stack))}
	var errs Errors
	for i := range s.Stack {
		e := &s.Stack[i]
		if e.Disabled {
			continue
		}
		p := priceEntry(s, e)
		if p.err != nil {
			errs = append(errs, entryError(s, i, p.err))
			continue
		}
		c.notes[i] = p.notes
		c.entries[i] = known.Unify(accounting.Times(p.entries, e.Count*s.Rounds))
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

// priceEntry returns the cost of one run of the entry in its scenario.
func priceEntry(s *Scenario, e *Entry) entryPrice {
	if e.Parallel != nil {
		return priceParallel(s, e)
	}
	d, err := s.Sensitivity(e)
	if err != nil {
		return entryPrice{err: err}
	}
	if err := s.checkAlso(e, d); err != nil {
		return entryPrice{err: err}
	}
	m, err := s.Mechanism(e)
	if err != nil {
		return entryPrice{err: err}
	}
	if err := mechanisms.CheckRuns(m, e.Count*s.Rounds); err != nil {
		return entryPrice{err: err}
	}
	setting := mechanisms.Setting{
		Adjacency: s.Adjacency, Group: s.Group, Sampling: e.Sampling, Also: e.Also, Records: s.Records,
	}
	if e.Also.AddRemove && e.Also.Number != 0 {
		values := d.Apply(e.Spec(), e.Values)
		setting.AddRemoveMechanism, err = mechanisms.WithAddRemoveNumber(e.Mechanism, values, e.Also.Number)
		if err != nil {
			return entryPrice{err: err}
		}
	}
	entries, notes, err := mechanisms.Entries(m, setting)
	return entryPrice{entries, notes, err}
}
