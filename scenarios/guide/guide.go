// Package guide makes a first plan of what somebody wants to release, in their own words: it
// chooses the mechanism, the noise and δ, and says what it chose. Start with [Build].
package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// The kinds of release there are.
const (
	Counts   = "counts"
	Totals   = "totals"
	Choice   = "a choice"
	Training = "a trained model"
)

// Wish is what somebody wants: releases that share one budget.
type Wish struct {
	Name     string
	Unit     string  // whose data one record is
	People   float64 // how many records there are; δ stays below 1 / People
	Epsilon  float64 // the budget
	Releases []Release
}

// Release is one thing to be released.
type Release struct {
	Kind  string
	Times float64 // how often the same thing is released

	// Counts and totals: the 95 % error of one number, 0 for as small as the budget
	// allows; and how much one person changes: counts by one each, or one total by so much.
	Exact, Change float64

	Options       float64 // of a choice: among how many
	Epochs, Batch float64 // of a training
}

// Plan is a scenario that was built, and what there is to say about it.
type Plan struct {
	Scenario *scenarios.Scenario
	Result   *scenarios.Result
	Errors   []float64 // 95 % error of one number by entry; 0 if it has none
	Fits     bool      // within the budget
	Chose    []string  // what was chosen, a sentence each
	Instead  []string  // if it does not fit: what would, the smallest change first
}

// Accountant is what a plan is computed with; [plan.Planner] is one.
type Accountant interface {
	Evaluate(context.Context, *scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
	Plan(context.Context, *scenarios.Scenario, plan.Request) (plan.Result, error)
}

// delta is a δ for n people: the largest power of ten that is at most 1 / 100 n. Below 1/n
// nobody's record can be published whole; a hundredth leaves room.
func delta(n float64) float64 {
	d, err := strconv.ParseFloat(fmt.Sprintf("1e%d", int(math.Floor(-math.Log10(100*n)))), 64)
	if err != nil || !(d > 0) || d >= 1 {
		return 1e-3
	}
	for d > 1/(100*n) { // the logarithm may have been rounded
		d /= 10
	}
	return d
}

// who names what People counts.
func (w Wish) who() string {
	if slices.ContainsFunc(w.Releases, func(r Release) bool { return r.Kind == Training }) {
		return "examples"
	}
	return "people"
}

// Missing is the first question that has no answer yet; "" if there is none.
func (w Wish) Missing() string {
	missing := ""
	need := func(asked bool, x float64, words string) {
		if missing == "" && asked && !(x > 0) {
			missing = words
		}
	}
	for _, r := range w.Releases {
		need(r.Kind == Totals, r.Change, "say how much one person can add to a total")
		need(r.Kind == Choice, r.Options, "say how many options there are to choose from")
		need(r.Kind == Training, r.Epochs, "say how many epochs the training has")
		need(r.Kind == Training, r.Batch, "say how large a batch is")
	}
	need(true, float64(len(w.Releases)), "say what will be released")
	need(true, w.People, "say how many "+w.who()+" are in the data: δ must stay below 1/n")
	need(true, w.Epsilon, "say what the total ε is: 1 is a common start")
	return missing
}

// Build makes the plan.
func Build(ctx context.Context, ev Accountant, w Wish) (*Plan, error) {
	if missing := w.Missing(); missing != "" {
		return nil, errors.New(missing)
	}
	s := scenarios.New()
	s.Name, s.Unit, s.Records = cmp.Or(w.Name, "A plan for "+w.kinds()), w.Unit, w.People
	s.Budget = scenarios.Budget{Epsilon: w.Epsilon, Delta: delta(w.People)}
	p, err := w.plan(ctx, ev, s)
	if err != nil {
		return nil, err
	}
	p.Chose = append(p.Chose, fmt.Sprintf("δ = %s, at most a hundredth of 1/n for %s %s", report.Stated(s.Budget.Delta), report.Stated(w.People), w.who()))
	if !p.Fits {
		p.Instead = w.alternatives(ctx, ev, p)
	}
	if err := p.Scenario.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Plan) better(other *Plan) bool {
	if p.Fits != other.Fits {
		return p.Fits
	}
	if math.Abs(p.Errors[0]-other.Errors[0]) > 1e-2*other.Errors[0] {
		return p.Errors[0] < other.Errors[0]
	}
	return p.epsilon() < other.epsilon()
}

func (p *Plan) epsilon() float64 { return p.Result.Winner().Epsilon }

// planOf evaluates what was built.
func planOf(ctx context.Context, ev Accountant, s *scenarios.Scenario, chose []string) (*Plan, error) {
	r, err := ev.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	p := &Plan{Scenario: s, Result: r, Chose: chose, Errors: make([]float64, len(s.Stack))}
	p.Fits = report.Fits(r.Winner(), s.Budget.Epsilon)
	for i, e := range s.Stack {
		if a, err := e.Accuracy(1); err == nil {
			p.Errors[i] = a.Each
		}
	}
	return p, nil
}
