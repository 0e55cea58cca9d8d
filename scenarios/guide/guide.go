// Package guide makes a first plan of what somebody wants to release, in their own words: it
// chooses the mechanism, the noise and δ, and says what it chose. Start with [Build].
package guide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
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

// Release is one of them.
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

// Accountant is what a plan is computed with; *scenarios.Evaluator is one.
type Accountant interface {
	Evaluate(context.Context, *scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
	Plan(context.Context, *scenarios.Scenario, plan.Request) (plan.Result, error)
}

// Delta is a δ for n people: the largest power of ten that is at most 1 / 100 n. Below 1/n
// nobody's record can be published whole; a hundredth leaves room.
func Delta(n float64) float64 {
	d, err := strconv.ParseFloat(fmt.Sprintf("1e%d", int(math.Floor(-math.Log10(100*n)))), 64)
	if err != nil || !(d > 0) || d >= 1 {
		return 1e-3
	}
	for d > 1/(100*n) { // the logarithm may have been rounded
		d /= 10
	}
	return d
}

// who are counted by People.
func (w Wish) who() string {
	if slices.ContainsFunc(w.Releases, func(r Release) bool { return r.Kind == Training }) {
		return "examples"
	}
	return "people"
}

// Missing is the first question that has no answer yet; "" if there is none.
func (w Wish) Missing() string {
	type question struct {
		ask  bool
		x    float64
		need string
	}
	var list []question
	for _, r := range w.Releases {
		list = append(list, question{r.Kind == Totals, r.Change, "say how much one person can add to a total"},
			question{r.Kind == Choice, r.Options, "say how many options there are to choose from"},
			question{r.Kind == Training, r.Epochs, "say how many epochs the training has"},
			question{r.Kind == Training, r.Batch, "say how large a batch is"})
	}
	list = append(list, question{true, float64(len(w.Releases)), "say what will be released"},
		question{true, w.People, "say how many " + w.who() + " are in the data: δ must stay below 1/n"},
		question{true, w.Epsilon, "say what the total ε is: 1 is a common start"})
	for _, q := range list {
		if q.ask && !(q.x > 0) {
			return q.need
		}
	}
	return ""
}

// Build makes the plan.
func Build(ctx context.Context, ev Accountant, w Wish) (*Plan, error) {
	if missing := w.Missing(); missing != "" {
		return nil, errors.New(missing)
	}
	s := scenarios.New()
	s.Name, s.Unit, s.Records = w.Name, w.Unit, w.People
	if s.Name == "" {
		s.Name = "A plan for " + w.kinds()
	}
	s.Budget = scenarios.Budget{Epsilon: w.Epsilon, Delta: Delta(w.People)}
	p, err := w.plan(ctx, ev, s)
	if err != nil {
		return nil, err
	}
	p.Chose = append(p.Chose, fmt.Sprintf("δ = %s, at most a hundredth of 1/n for %s %s", report.Short(s.Budget.Delta), report.Short(w.People), w.who()))
	if !p.Fits {
		p.Instead = w.instead(ctx, ev, p)
	}
	if err := p.Scenario.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// best is the better of the mechanisms that serve a release: the one that fits or, of
// several, the one that is more exact or, at the same exactness, cheaper.
func (r Release) best(ctx context.Context, ev Accountant, s *scenarios.Scenario) (*Plan, error) {
	var best *Plan
	var failed error
	entries, err := r.entries(s.Records)
	if err != nil {
		return nil, err
	}
	for _, c := range entries {
		p, err := r.fit(ctx, ev, s, c)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed = err
			continue
		}
		if best == nil || p.better(best) {
			best = p
		}
	}
	if best == nil {
		return nil, failed
	}
	return best, nil
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

func (p *Plan) epsilon() float64 {
	if p.Result.Best < 0 {
		return math.Inf(1)
	}
	return p.Result.Bounds[p.Result.Best].Epsilon
}

// candidate is an entry with the parameter that makes its noise, and why it was chosen.
type candidate struct {
	entry scenarios.Entry
	solve string
	why   string
}

func (r Release) entries(people float64) ([]candidate, error) {
	entry := func(mechanism, label string, values param.Values) scenarios.Entry {
		return scenarios.Entry{Mechanism: mechanism, Label: label, Count: math.Max(1, r.Times), Sampling: 1, Values: values}
	}
	number := param.NumberValue
	switch r.Kind {
	case Counts, Totals:
		l1, l2 := r.Change, r.Change
		says := fmt.Sprintf("one person changes a total by at most %s; something must enforce it", report.Short(r.Change))
		if r.Kind == Counts { // so many counts by one each
			l1 = math.Max(1, math.Ceil(r.Change))
			l2 = roundUp(math.Sqrt(l1))
			says = "one person is in at most one count of a release; something must enforce it"
			if l1 > 1 {
				says = fmt.Sprintf("one person is in at most %s counts of a release; something must enforce it", report.Short(l1))
			}
		}
		return []candidate{
			{entry("laplace", r.Kind, param.Values{"epsilon": number(1), "sensitivity": number(l1)}), "epsilon",
				"Laplace noise, which is cheaper here than Gaussian; " + says},
			{entry("gaussian", r.Kind, param.Values{"sigma": number(10 * l2), "sensitivity": number(l2)}), "sigma",
				"Gaussian noise, which is cheaper here than Laplace; " + says},
		}, nil
	case Choice:
		return []candidate{{entry("exponential", "choice", param.Values{"epsilon": number(0.1), "sensitivity": number(1),
			"outputs": param.WholeValue(math.Ceil(r.Options))}), "epsilon",
			"the exponential mechanism; one person changes no score by more than 1"}}, nil
	case Training:
		if r.Batch > people {
			return nil, errors.New("a batch cannot be larger than the data")
		}
		return []candidate{{entry("dp-sgd", "training", param.Values{"noise_multiplier": number(1),
			"batch": param.WholeValue(r.Batch), "epochs": number(r.Epochs)}), "sigma",
			fmt.Sprintf("DP-SGD, %s steps; every record joins a batch by itself with probability %s (Poisson sampling); shuffled batches are not covered",
				report.Short(math.Ceil(r.Epochs*people/r.Batch)), report.Figure(r.Batch/people))}}, nil
	}
	return nil, fmt.Errorf("there is no kind of release %q", r.Kind)
}

// fit sets the noise of a candidate: for the error wished for, else so that the budget is
// just met; with as few digits as keep the promise.
func (r Release) fit(ctx context.Context, ev Accountant, s *scenarios.Scenario, c candidate) (*Plan, error) {
	t := *s
	t.Stack = []scenarios.Entry{c.entry}
	if r.exact() {
		with, err := plan.WithError(ctx, &t, 1, r.Exact, false)
		if err != nil {
			return nil, err
		}
		round := report.Upper // more ε, less noise: the error stays below the wish
		if c.solve == "sigma" {
			round = report.Lower
		}
		e := with.Stack[0].Clone()
		x, err := numeral.Parse(round(e.Values[c.solve].Number))
		if err != nil {
			return nil, err
		}
		e.Values[c.solve] = param.NumberValue(x)
		t.Stack = []scenarios.Entry{e}
	} else if err := solve(ctx, ev, &t, plan.Request{Solve: c.solve, Entry: 1}); err != nil {
		return nil, err
	}
	return planOf(ctx, ev, &t, []string{c.why})
}

// exact reports that its error is given, and with it its noise.
func (r Release) exact() bool { return r.Exact > 0 && (r.Kind == Counts || r.Kind == Totals) }

// planOf evaluates what was built.
func planOf(ctx context.Context, ev Accountant, s *scenarios.Scenario, chose []string) (*Plan, error) {
	r, err := ev.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	p := &Plan{Scenario: s, Result: r, Chose: chose, Errors: make([]float64, len(s.Stack))}
	p.Fits = r.Best >= 0 && report.Fits(r.Bounds[r.Best], s.Budget.Epsilon)
	for i, e := range s.Stack {
		if a, err := e.Accuracy(1); err == nil {
			p.Errors[i] = a.Each
		}
	}
	return p, nil
}

// solve puts the answer of a question into the scenario, as a person would write it.
func solve(ctx context.Context, ev Accountant, s *scenarios.Scenario, req plan.Request) error {
	r, err := ev.Plan(ctx, s, req)
	if err != nil {
		return err
	}
	if !r.Feasible {
		return errors.New(report.WhyNot(r))
	}
	if x, err := numeral.Parse(report.Answered(r)); err == nil && x > 0 {
		r.Value = x
	}
	return r.Apply(s)
}

// roundUp has four digits, on the safe side of a sensitivity.
func roundUp(x float64) float64 {
	if up, err := numeral.Parse(report.Upper(x)); err == nil && up >= x {
		return up
	}
	return x
}
