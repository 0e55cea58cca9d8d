package guide

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// bestProposal returns the best mechanism for a release, with its noise: one that fits the budget, of several the
// most accurate, of equally accurate ones the one with the smallest ε.
func (r Release) bestProposal(ctx context.Context, ev Planner, s *scenarios.Scenario) (*Proposal, error) {
	var best *Proposal
	var failed error
	entries, err := r.entries(s)
	if err != nil {
		return nil, err
	}
	for _, c := range entries {
		if r.Mechanism != "" && r.Mechanism != c.entry.Mechanism {
			continue
		}
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
const enforceNote = "; drop records so that it holds"

// Mechanisms lists the mechanisms that serve a kind of release, if there are several.
func Mechanisms(kind string) []string {
	if kind == Counts || kind == Totals {
		return []string{"laplace", "gaussian"}
	}
	return nil
}

// entries lists the mechanisms that serve a release under the adjacency of a scenario.
func (r Release) entries(s *scenarios.Scenario) ([]candidate, error) {
	entry := func(mechanism string, values param.Values) scenarios.Entry {
		return scenarios.Entry{Mechanism: mechanism, Label: strings.TrimPrefix(r.Kind, "a "), Count: math.Max(1, r.Times),
			Sampling: 1, Query: r.query(), Values: values}
	}
	number := param.NumberValue
	switch r.Kind {
	case Counts, Totals:
		laplace, gaussian := entry("laplace", param.Values{"epsilon": number(1)}), entry("gaussian", param.Values{"sigma": number(10)})
		byLength, err := s.Sensitivity(&gaussian)
		if err != nil {
			return nil, err
		}
		bySum, err := s.Sensitivity(&laplace)
		if err != nil {
			return nil, err
		}
		gaussian.Values["sigma"] = number(10 * byLength.Value)
		enforced := enforceNote
		if r.Kind == Totals {
			enforced = "; clip values so that it holds"
		}
		why := func(noise, other string) string {
			if r.Mechanism != "" {
				return noise + " noise, as chosen; "
			}
			return noise + " noise, which is cheaper here than " + other + "; "
		}
		return []candidate{
			{laplace, "epsilon", why("Laplace", "Gaussian") + bySum.Sentence() + enforced},
			{gaussian, "sigma", why("Gaussian", "Laplace") + byLength.Sentence() + enforced},
		}, nil
	case Survey:
		e := entry("randomized-response", param.Values{"epsilon": number(1), "categories": param.WholeValue(math.Max(2, math.Ceil(r.Options)))})
		e.Query = query.Query{}
		return []candidate{{e, "epsilon", "randomized response: each person's device answers at random now and then, so that nobody else has to be trusted"}}, nil
	case Choice:
		e := entry("exponential", param.Values{"epsilon": number(0.1), "outputs": param.WholeValue(math.Ceil(r.Options))})
		d, err := s.Sensitivity(&e)
		return []candidate{{e, "epsilon", "the exponential mechanism; one person adds at most 1 to a score: " + d.Norm.Symbol() + " = " + numeral.Format(d.Value)}}, err
	case Training:
		return r.training(s)
	}
	return nil, fmt.Errorf("there is no kind of release %q", r.Kind)
}

// query returns what a release asks. In a release of counts a person is in several of them, once in each. To a total a
// person adds a number of either sign. A person may be for any of the options.
func (r Release) query() query.Query {
	switch r.Kind {
	case Counts:
		return query.Query{Kind: query.PeopleByGroup, MaxGroups: math.Max(1, math.Ceil(r.Change))}
	case Totals:
		return query.Query{Kind: query.Sum,
			Clip: query.Clip{Form: query.ClipRange, Low: -r.Change, High: r.Change}, Total: 1}
	}
	return query.Query{Kind: query.PeopleByGroup, MaxGroups: math.Max(1, math.Ceil(r.Options))}
}

// training returns the entry of a training with the sampling scheme and the noise that were given.
func (r Release) training(s *scenarios.Scenario) ([]candidate, error) {
	if r.Batch > s.Records {
		return nil, errors.New("a batch cannot be larger than the data")
	}
	values := param.Values{"noise_multiplier": param.NumberValue(cmp.Or(r.Noise, 1)), "batch": param.WholeValue(r.Batch),
		"epochs": param.NumberValue(r.Epochs)}
	if r.Batches != mechanisms.Poisson {
		values["batches"] = param.ChoiceValue(string(r.Batches))
	}
	e := scenarios.Entry{Mechanism: "dp-sgd", Label: "training", Count: 1, Sampling: 1, Values: values}
	why := fmt.Sprintf("DP-SGD, %s steps: %s", numeral.Format(math.Ceil(r.Epochs*s.Records/r.Batch)), mechanisms.DescribeScheme(r.Batches))
	return []candidate{{e, "sigma", why}}, nil
}

// fit sets the noise of a candidate: that of the requested error, else the least noise that meets the budget,
// rounded to few digits on the safe side.
func (r Release) fit(ctx context.Context, ev Planner, s *scenarios.Scenario, c candidate) (*Proposal, error) {
	t := *s
	t.Stack = []scenarios.Entry{c.entry}
	if r.Kind == Training && r.Noise > 0 {
		return evaluateProposal(ctx, ev, &t, []string{c.why})
	}
	if !r.hasGivenError() {
		if err := solve(ctx, ev, &t, plan.Request{Solve: c.solve, Entry: 1}); err != nil {
			return nil, err
		}
		return evaluateProposal(ctx, ev, &t, []string{c.why})
	}
	with, err := plan.WithError(ctx, &t, 1, r.Exact)
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
	return evaluateProposal(ctx, ev, &t, []string{c.why})
}

// hasGivenError reports whether its error is given, which decides its noise.
func (r Release) hasGivenError() bool { return r.Exact > 0 && (r.Kind == Counts || r.Kind == Totals) }

// hasFixedNoise reports whether its noise is fixed, by its error or directly.
func (r Release) hasFixedNoise() bool { return r.hasGivenError() || r.Kind == Training && r.Noise > 0 }

// solve solves for an unknown and puts the answer into the scenario, with few digits.
func solve(ctx context.Context, ev Planner, s *scenarios.Scenario, req plan.Request) error {
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
