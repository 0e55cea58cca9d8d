package scenarios

import (
	"context"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/mechanisms"
)

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
	if p := s.recordsProblem(e); p != nil {
		return entryPrice{err: p}
	}
	m, err := s.Mechanism(e)
	if err != nil {
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
	if err == nil && e.SamplesPeople() {
		notes = append(notes, NoteWholePeople)
	}
	return entryPrice{entries, notes, mechanisms.CheckRuns(m, math.Inf(1)), err}
}
