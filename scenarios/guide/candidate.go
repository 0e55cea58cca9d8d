package guide

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

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
		says := fmt.Sprintf("one person changes a total by at most %s; something must enforce it", numeral.Format(r.Change))
		if r.Kind == Counts { // so many counts by one each
			l1 = math.Max(1, math.Ceil(r.Change))
			l2 = numeral.RoundUp(math.Sqrt(l1), 4)
			says = "one person is in at most one count of a release; something must enforce it"
			if l1 > 1 {
				says = fmt.Sprintf("one person is in at most %s counts of a release; something must enforce it", numeral.Format(l1))
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
				numeral.Format(math.Ceil(r.Epochs*people/r.Batch)), report.Lower(r.Batch/people))}}, nil
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
		round := numeral.RoundUp // more ε, less noise: the error stays below the wish
		if c.solve == "sigma" {
			round = numeral.RoundDown
		}
		e := with.Stack[0].Clone()
		e.Values[c.solve] = param.NumberValue(round(e.Values[c.solve].Number, 4))
		t.Stack = []scenarios.Entry{e}
	} else if err := solve(ctx, ev, &t, plan.Request{Solve: c.solve, Entry: 1}); err != nil {
		return nil, err
	}
	return planOf(ctx, ev, &t, []string{c.why})
}

// exact reports whether its error is given, which decides its noise.
func (r Release) exact() bool { return r.Exact > 0 && (r.Kind == Counts || r.Kind == Totals) }

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
