package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/risk"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// search evaluates the scenario at trial values of the unknown.
type search struct {
	scenario *scenarios.Scenario
	target   accounting.Target
	unknown  *unknown
	method   accounting.Method
	harm     scenarios.HarmLimit // what is limited instead of ε, if anything
	tried    map[attempt]trial   // results so far: two searches may try the same value
	shared   *accounting.Shared  // what trials have in common: all but the unknown
}

// attempt is a value of the unknown, and whether the numerical method is used.
type attempt struct {
	value     float64
	numerical bool
}

// trial is the scenario at one value.
type trial struct {
	value  float64
	bound  accounting.Bound
	harm   float64 // an upper end of the harm, if the budget limits one
	reason string  // why there is no bound, if there is none
}

// meets reports whether a trial stays within a limit, of ε or of harm.
func (p *search) meets(t trial, limit float64) bool {
	return t.bound.Status == accounting.Valid && p.cost(t) <= limit
}

// cost returns what the budget limits: the ε of a trial, or its harm.
func (p *search) cost(t trial) float64 {
	if p.harm.Kind() != "" {
		return t.harm
	}
	return t.bound.Epsilon
}

// limit returns the budget: an ε, or a harm.
func (p *search) limit() float64 {
	if p.harm.Kind() != "" {
		return p.harm.Limit()
	}
	return p.target.Epsilon
}

// narrowHarm is the relative width of a certified harm up to which closed forms are not evaluated: they imply at least
// the lower end, so they could improve the upper end by this width at most.
const narrowHarm = 1e-3

// harmOf evaluates a trial under a budget of harm: by the certified curve if numerical is set, and by the (ε, δ) of the
// closed form asked for, or of the best one if the curve does not decide. The ε of the answer is computed once, at the
// end.
func (p *search) harmOf(ctx context.Context, stack []accounting.Entry, target accounting.Target, t trial,
	numerical bool) trial {
	t.harm = 1
	var err error
	if numerical || p.method == accounting.Numerical {
		var profile *accounting.Profile
		if _, err = accounting.Parts(ctx, stack); err == nil {
			profile, err = accounting.NewProfile(ctx, stack, nil, nil, p.scenario.Adjacency == mechanisms.Replace)
		}
		if err == nil {
			var ends risk.Ends
			if ends, err = p.harm.Measure(ctx, profile); err == nil {
				t.harm = ends.Upper
				t.bound = accounting.Bound{Method: accounting.Numerical, Status: accounting.Valid,
					Epsilon: math.Inf(1), Delta: target.Delta}
			}
			if err == nil && ends.Upper-ends.Lower <= narrowHarm*ends.Upper {
				return t
			}
		}
	}
	var closed []accounting.Bound
	switch p.method {
	case "":
		closed = accounting.ClosedForms(ctx, stack, target)
	case accounting.Numerical:
	default:
		closed = []accounting.Bound{accounting.Evaluate(ctx, p.method, stack, target)}
	}
	if best := accounting.Best(closed); best >= 0 && p.harm.HarmOf(closed[best]) < t.harm {
		t.bound, t.harm = closed[best], p.harm.HarmOf(closed[best])
	} else if t.bound.Status != accounting.Valid && len(closed) == 1 {
		t.bound = closed[0]
		t.explainUnusable()
	}
	if err != nil && t.bound.Status != accounting.Valid {
		t.reason = err.Error()
	}
	return t
}

// finish returns an answer with the ε and the harm that every other page states: the profile gave it without its ε.
func (p *search) finish(ctx context.Context, found trial) trial {
	if p.harm.Kind() == "" || p.method != "" && p.method != accounting.Numerical {
		return found
	}
	at, err := p.unknown.scenarioAt(p.scenario, found.value)
	if err != nil {
		return found
	}
	s := *at
	s.Budget.Harm = p.harm
	r, err := scenarios.NewEvaluator().Evaluate(ctx, &s, scenarios.Options{Precision: p.target.Precision})
	if err != nil || r.Harm == nil {
		return found
	}
	if b, ok := r.Bound(accounting.Numerical); ok && b.Finite() && found.bound.Method == accounting.Numerical {
		found.bound = b
	}
	if r.Harm.Certified.Upper <= p.limit() || found.harm > p.limit() {
		found.harm = r.Harm.Certified.Upper
	}
	return found
}

// trialAt evaluates one value once, with the numerical method or without.
func (p *search) trialAt(ctx context.Context, x float64, numerical bool) trial {
	asked := attempt{x, numerical}
	t, known := p.tried[asked]
	if !known {
		t = p.evaluate(ctx, x, numerical)
		if p.tried == nil {
			p.tried = map[attempt]trial{}
		}
		p.tried[asked] = t
	}
	return t
}

// evaluate returns the trial at one value, with the smallest ε by the method asked for or, if none is, by the best.
func (p *search) evaluate(ctx context.Context, x float64, numerical bool) trial {
	t := trial{value: x, bound: accounting.Bound{Status: accounting.NotApplicable, Epsilon: math.Inf(1)}}
	s, err := p.unknown.scenarioAt(p.scenario, x)
	if err != nil {
		t.reason = err.Error()
		return t
	}
	stack, err := scenarios.Stack(s)
	if err != nil {
		t.reason = err.Error()
		return t
	}
	if p.shared == nil {
		p.shared = new(accounting.Shared)
	}
	stack = p.shared.Unify(stack)
	target := p.target
	if target.Delta = s.Budget.Delta; p.unknown.solve != "delta" { // which tries 0 as well
		target.Delta = s.DeltaOfEpsilon()
	}
	if p.harm.Kind() != "" {
		return p.harmOf(ctx, stack, target, t, numerical)
	}
	if p.method != "" {
		t.bound = accounting.Evaluate(ctx, p.method, stack, target)
	} else {
		bounds := accounting.ClosedForms(ctx, stack, target)
		if numerical {
			bounds = append(bounds, accounting.Evaluate(ctx, accounting.Numerical, stack, target))
		}
		if best := accounting.Best(bounds); best >= 0 {
			t.bound = bounds[best]
		} else {
			t.reason = "no method gives a valid bound"
		}
	}
	if t.reason == "" {
		t.explainUnusable()
	}
	return t
}

// explainUnusable says why a bound that is not valid is nothing to plan with.
func (t *trial) explainUnusable() {
	switch t.bound.Status {
	case accounting.Valid:
		return
	case accounting.Unproven:
		t.reason = fmt.Sprintf("%s gives an approximation here, not a bound to plan with", t.bound.Method.Name())
	default:
		t.reason = strings.TrimSuffix(t.bound.Note, ".")
	}
	t.bound.Epsilon = math.Inf(1)
}

// solve finds the closed answer first and lets the numerical method, which costs
// more, start from there.
func (p *search) solve(ctx context.Context) (Result, error) {
	if p.unknown.solve == "delta" {
		if pure := p.trialAt(ctx, 0, false); p.meets(pure, p.limit()) {
			return p.report(pure, ""), nil
		}
	}
	if p.method == accounting.Numerical {
		if read, ok := p.readDelta(ctx); ok {
			return p.report(read, ""), nil
		}
	}
	if hardest, ok := p.anyValueFits(ctx); ok {
		return p.report(p.finish(ctx, hardest), fmt.Sprintf("The target allows even %s, the end of the range.", numeral.Format(hardest.value))), nil
	}
	// the value that meets a harm by (ε, δ) is far from the one that meets it by the curve
	if p.harm.Kind() != "" && p.method == "" {
		found, note, err := p.find(ctx, p.unknown.start, true)
		if err != nil {
			return Result{}, err
		}
		return p.report(p.finish(ctx, found), note), nil
	}
	start := p.startValue(ctx)
	found, note, err := p.find(ctx, start, false)
	if err == nil && p.method == "" {
		if p.meets(found, p.limit()) {
			start = found.value
		}
		if read, ok := p.readDelta(ctx); ok && !(p.meets(found, p.limit()) && found.value <= read.value) {
			found, note = read, ""
		} else if !ok {
			found, note, err = p.find(ctx, start, true)
		}
	}
	if err != nil {
		return Result{}, err
	}
	if p.method == "" || p.method == accounting.Numerical {
		found = p.atMostOwnDelta(ctx, found)
	}
	return p.report(p.finish(ctx, found), note), nil
}

// anyValueFits evaluates the value that costs most, if the budget limits a harm: as a harm does not grow beyond what
// the other entries and the sampling allow, every value may fit, and a search would come to that end by many steps. It
// reports whether it fits.
func (p *search) anyValueFits(ctx context.Context) (trial, bool) {
	if p.harm.Kind() == "" || p.unknown.whole || p.unknown.solve == "delta" {
		return trial{}, false
	}
	hardest := p.unknown.low
	if p.unknown.rises {
		hardest = p.unknown.high
	}
	t := p.trialAt(ctx, hardest, true)
	return t, p.meets(t, p.limit())
}

// readDelta reads the smallest δ at the target ε off the profile of the stack, without a search. It then evaluates ε at
// that δ and enlarges δ a little while the upper end of ε exceeds the target. It returns false if the unknown is not δ,
// or the profile gives no answer.
func (p *search) readDelta(ctx context.Context) (trial, bool) {
	if p.unknown.solve != "delta" || p.harm.Kind() != "" || !(p.target.Epsilon > 0) {
		return trial{}, false
	}
	stack, err := scenarios.Stack(p.scenario)
	if err != nil {
		return trial{}, false
	}
	delta, err := accounting.SmallestDelta(ctx, stack, p.target.Epsilon, p.target.Delta, p.target.Precision/100)
	if err != nil || !(delta > 0 && delta < p.unknown.high) {
		return trial{}, false
	}
	for grow := 1e-6; grow < 0.05; grow *= 4 {
		delta = numeral.RoundUp(delta, p.unknown.digits)
		if t := p.trialAt(ctx, delta, true); p.meets(t, p.limit()) {
			return p.atMostOwnDelta(ctx, t), true
		}
		delta *= 1 + grow
	}
	return trial{}, false
}

// atMostOwnDelta returns the trial at the scenario's own δ instead of an answer with a larger δ, if that meets the
// budget: what a comparison at that δ says to fit is not answered by more.
func (p *search) atMostOwnDelta(ctx context.Context, found trial) trial {
	own := p.target.Delta
	if p.unknown.solve != "delta" || p.harm.Kind() != "" || !(own > 0 && own < p.unknown.high) ||
		p.meets(found, p.limit()) && found.value <= own {
		return found
	}
	if t := p.trialAt(ctx, own, true); p.meets(t, p.limit()) {
		return t
	}
	return found
}

// distance returns δ at ε = 0, the total variation distance, which is the membership advantage of the comparison; ok is
// false if the numerical accountant has no part in it.
func (p *search) distance(ctx context.Context) (r Result, ok bool, err error) {
	compared, err := scenarios.Evaluate(ctx, p.scenario, scenarios.Options{Precision: p.target.Precision})
	if err != nil {
		return Result{}, false, err
	}
	profile, err := compared.Profile(ctx)
	if err == nil {
		err = profile.LowerEndError()
	}
	var ends risk.Ends
	if err == nil {
		ends, err = profile.Advantage(ctx)
	}
	delta := ends.Upper
	if err != nil || delta >= 1 {
		return Result{}, false, ctx.Err()
	}
	return Result{Solve: "delta", Method: accounting.Numerical, Value: delta,
		Achieved: scenarios.Budget{Epsilon: 0, Delta: delta}, Feasible: true,
		Note: "δ at ε = 0 is the total variation distance: the largest difference in the probability of any event"}, true, nil
}

// find returns the trial at the last value that meets the budget. If none does, it is the
// cheapest trial that has a bound at all, or else one with the reason.
func (p *search) find(ctx context.Context, start float64, numerical bool) (found trial, note string, err error) {
	var bounded *trial
	solution, err := accounting.Solve(ctx, accounting.Search{
		Low: p.unknown.low, High: p.unknown.high, Start: start, Rising: p.unknown.rises, Whole: p.unknown.whole,
		Digits: p.unknown.digits,
		Cost: func(ctx context.Context, x float64) (float64, error) {
			t := p.trialAt(ctx, x, numerical)
			if t.bound.Finite() || p.harm.Kind() != "" && t.harm < 1 {
				bounded = &t
			}
			found = t
			return p.cost(t), ctx.Err()
		},
	}, p.costLimit())
	switch {
	case err != nil:
		return found, "", err
	case solution.Feasible:
		return p.trialAt(ctx, solution.Value, numerical), solution.Note, nil
	case bounded != nil:
		return *bounded, "", nil
	}
	return found, "", nil
}

// costLimit returns the largest cost that a trial may have. Three queries of 0.1 fit a budget of
// 0.3 though their sum is rounded a few units in the last place above it; a real unknown has no
// such steps and stays below.
func (p *search) costLimit() float64 {
	if p.unknown.whole && p.harm.Kind() == "" {
		return p.target.Epsilon * (1 + 8*0x1p-52)
	}
	return p.limit()
}

// report returns the answer that a trial is, with a note on it; if it does not meet the budget, with the reason.
func (p *search) report(found trial, note string) Result {
	u := p.unknown
	r := Result{Solve: u.solve, Entry: u.entry, Method: p.method, Value: found.value, Note: note, digits: u.digits,
		nativeRank: found.bound.NativeRank()}
	if r.Method == "" {
		r.Method = found.bound.Method
	}
	if found.bound.Finite() {
		r.Achieved = scenarios.Budget{Epsilon: found.bound.Epsilon, Delta: found.bound.Delta}
	}
	r.Harm, r.HarmAchieved = p.harm, found.harm
	if r.Feasible = p.meets(found, p.costLimit()); r.Feasible {
		if p.harm.Kind() == "" {
			r.Achieved.Epsilon = math.Min(r.Achieved.Epsilon, p.target.Epsilon) // the last places
		}
		if u.hasUnevenCost(p.scenario) {
			r.Note = strings.TrimSpace(r.Note + " " + unevenNote)
		}
		return r
	}
	r.Note = p.infeasibleNote(found)
	return r
}

// infeasibleNote says that no value meets the budget: why, or how much even the cheapest trial costs.
func (p *search) infeasibleNote(found trial) string {
	u, limited := p.unknown, cmp.Or(p.harm.Kind(), "ε")
	note := fmt.Sprintf("no %s meets %s = %s: ", cmp.Or(u.words, u.solve), limited, numeral.Format(p.limit()))
	at := "at " + numeral.Format(found.value)
	switch {
	case found.reason != "":
		return note + found.reason
	case p.harm.Kind() != "":
		return note + fmt.Sprintf("even %s it is %s", at, numeral.Format(numeral.RoundUp(found.harm, 4)))
	case u.solve == "delta" && found.value == u.high:
		at = "just below 1"
	}
	note += fmt.Sprintf("even %s the whole costs %s", at, numeral.Format(numeral.RoundUp(found.bound.Epsilon, 4)))
	if p.method == "" { // a theorem that was asked for need not be named
		note += " by " + found.bound.Method.Name()
	}
	return note
}
