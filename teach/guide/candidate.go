package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// bestProposal returns the best mechanism for a release, with its noise: one that fits the budget, of several the
// most accurate, of equally accurate ones the one with the smallest ε.
func (r Release) bestProposal(ctx context.Context, ev Accountant, s *scenarios.Scenario) (*Proposal, error) {
	var best *Proposal
	var failed error
	entries, err := r.entries(s)
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
		if best == nil || p.isBetter(best) {
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

// enforceNote ends a sentence on how much one person contributes: the scenario assumes that bound.
const enforceNote = "; clip contributions or drop records so that it holds"

// entries lists the mechanisms that serve a release under the adjacency of a scenario.
func (r Release) entries(s *scenarios.Scenario) ([]candidate, error) {
	entry := func(mechanism, label string, values param.Values) scenarios.Entry {
		return scenarios.Entry{Mechanism: mechanism, Label: label, Count: math.Max(1, r.Times), Sampling: 1, Values: values}
	}
	number := param.NumberValue
	moves, twice := 1.0, "" // a changed record takes one contribution away and brings another
	if s.Adjacency == mechanisms.Replace {
		moves, twice = 2, ", and a changed record takes one away and brings another: Δ counts both"
	}
	switch r.Kind {
	case Counts, Totals:
		l1, l2 := moves*r.Change, moves*r.Change
		says := fmt.Sprintf("one person adds at most %s to a total%s%s", numeral.Format(r.Change), twice, enforceNote)
		if r.Kind == Counts { // r.Change counts, by one each
			in := math.Max(1, math.Ceil(r.Change))
			l1 = moves * in
			l2 = numeral.RoundUp(math.Sqrt(l1), 4)
			says = "one person is in at most one count of a release" + twice + enforceNote
			if in > 1 {
				says = fmt.Sprintf("one person is in at most %s counts of a release%s%s", numeral.Format(in), twice, enforceNote)
			}
		}
		return []candidate{
			{entry("laplace", r.Kind, param.Values{"epsilon": number(1), "sensitivity": number(l1)}), "epsilon",
				"Laplace noise, which is cheaper here than Gaussian; " + says},
			{entry("gaussian", r.Kind, param.Values{"sigma": number(10 * l2), "sensitivity": number(l2)}), "sigma",
				"Gaussian noise, which is cheaper here than Laplace; " + says},
		}, nil
	case Choice:
		return []candidate{{entry("exponential", "choice", param.Values{"epsilon": number(0.1), "sensitivity": number(moves),
			"outputs": param.WholeValue(math.Ceil(r.Options))}), "epsilon",
			"the exponential mechanism; one person adds at most 1 to a score" + twice}}, nil
	case Training:
		return r.training(s)
	}
	return nil, fmt.Errorf("there is no kind of release %q", r.Kind)
}

// training returns the entry of a training with the sampling scheme and the noise that were given.
func (r Release) training(s *scenarios.Scenario) ([]candidate, error) {
	if r.Batch > s.Records {
		return nil, errors.New("a batch cannot be larger than the data")
	}
	values := param.Values{"noise_multiplier": param.NumberValue(cmp.Or(r.Noise, 1)), "batch": param.WholeValue(r.Batch), "epochs": param.NumberValue(r.Epochs)}
	if r.Batches != mechanisms.Poisson {
		values["batches"] = param.ChoiceValue(string(r.Batches))
	}
	e := scenarios.Entry{Mechanism: "dp-sgd", Label: "training", Count: 1, Sampling: 1, Values: values}
	why := fmt.Sprintf("DP-SGD, %s steps: %s", numeral.Format(math.Ceil(r.Epochs*s.Records/r.Batch)), mechanisms.DescribeScheme(r.Batches))
	return []candidate{{e, "sigma", why}}, nil
}

// fit sets the noise of a candidate: that of the requested error, else the least noise that meets the budget,
// rounded to few digits on the safe side.
func (r Release) fit(ctx context.Context, ev Accountant, s *scenarios.Scenario, c candidate) (*Proposal, error) {
	t := *s
	t.Stack = []scenarios.Entry{c.entry}
	if r.Kind == Training && r.Noise > 0 {
		return evaluateProposal(ctx, ev, &t, []string{c.why})
	}
	if r.hasGivenError() {
		with, err := plan.WithError(ctx, &t, 1, r.Exact, false)
		if err != nil {
			return nil, err
		}
		round := numeral.RoundUp // rounded to less noise, so that the error stays below the requested one
		if c.solve == "sigma" {
			round = numeral.RoundDown
		}
		e := with.Stack[0].Clone()
		e.Values[c.solve] = param.NumberValue(round(e.Values[c.solve].Number, 4))
		t.Stack = []scenarios.Entry{e}
	} else if err := solve(ctx, ev, &t, plan.Request{Solve: c.solve, Entry: 1}); err != nil {
		return nil, err
	}
	return evaluateProposal(ctx, ev, &t, []string{c.why})
}

// hasGivenError reports whether its error is given, which decides its noise.
func (r Release) hasGivenError() bool { return r.Exact > 0 && (r.Kind == Counts || r.Kind == Totals) }

// hasFixedNoise reports whether its noise is fixed, by its error or directly.
func (r Release) hasFixedNoise() bool { return r.hasGivenError() || r.Kind == Training && r.Noise > 0 }

// solve solves for an unknown and puts the answer into the scenario, with few digits.
func solve(ctx context.Context, ev Accountant, s *scenarios.Scenario, req plan.Request) error {
	r, err := ev.Plan(ctx, s, req)
	if err != nil {
		return err
	}
	if !r.Feasible {
		return errors.New(report.InfeasibleReason(r))
	}
	if x, err := numeral.Parse(report.PlanValue(r)); err == nil && x > 0 {
		r.Value = x
	}
	return r.Apply(s)
}
