package scenarios

import (
	"cmp"
	"context"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/risk"
	"epsiloscope/internal/format"
)

// Evaluate computes every bound of the scenario.
func Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	return NewEvaluator().Evaluate(ctx, s, opt)
}

// Evaluate computes every bound of the scenario.
func (ev *Evaluator) Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	target, c, err := ev.targetAndStack(s, opt.Precision)
	if err != nil {
		return nil, err
	}
	if opt.ClosedFormsOnly {
		return ev.closedForms(ctx, s, target, c)
	}
	return ev.evaluate(ctx, s, target, c)
}

// evaluate computes every bound of a priced scenario.
func (ev *Evaluator) evaluate(
	ctx context.Context, s *Scenario, target accounting.Target, c *pricedStack,
) (*Result, error) {
	r, err := ev.closedForms(ctx, s, target, c)
	if err != nil {
		return nil, err
	}
	b := accounting.Evaluate(ev.Context(ctx), accounting.Numerical, c.stack, r.Target)
	if err := r.setNumerical(ctx, b, c.stack); err != nil {
		return nil, err
	}
	r.renewProfile(s, c)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, ev.addHarm(ctx, s, r)
}

// Bound computes the bound of one method, to the given numerical width (0 means [pld.DefaultWidth]).
func (ev *Evaluator) Bound(
	ctx context.Context, s *Scenario, m accounting.Method, precision float64,
) (accounting.Bound, error) {
	target, err := s.Target(precision)
	if err != nil {
		return accounting.Bound{}, err
	}
	return ev.Price(s).Bound(ctx, s.Runs(), m, target)
}

// Refine yields a result with the closed forms, then results with ever narrower numerical intervals. It stops at
// opt.Precision, when the context ends or when yield returns false.
func (ev *Evaluator) Refine(ctx context.Context, s *Scenario, opt Options, yield func(*Result) bool) error {
	target, c, err := ev.targetAndStack(s, opt.Precision)
	if err != nil {
		return err
	}
	r, err := ev.closedForms(ctx, s, target, c)
	if err != nil || !yield(r.copy()) || opt.ClosedFormsOnly {
		return err
	}
	wanted := true
	var fault error
	err = accounting.Refine(ev.Context(ctx), c.stack, r.Target, func(b accounting.Bound) bool {
		if fault = r.setNumerical(ctx, b, c.stack); fault != nil {
			return false
		}
		r.renewProfile(s, c)
		wanted = yield(r.copy())
		return wanted
	})
	if err = cmp.Or(err, fault); err != nil || !wanted || s.Budget.Harm.Kind() == "" {
		return err
	}
	if err := ev.addHarm(ctx, s, r); err != nil {
		return err
	}
	yield(r.copy())
	return nil
}

// closedForms evaluates all bounds of a priced scenario but the numerical one.
func (ev *Evaluator) closedForms(
	ctx context.Context, s *Scenario, target accounting.Target, c *pricedStack,
) (*Result, error) {
	r := &Result{Name: s.Name, Adjacency: s.Adjacency, Unit: s.Unit, Rounds: s.Rounds, Group: s.Group, Target: target}
	r.Bounds = accounting.ClosedForms(ev.Context(ctx), c.stack, r.Target)
	for _, b := range r.Bounds {
		if b.Fault != nil {
			return nil, b.Fault
		}
	}
	r.Best = bestToQuote(r.Bounds, r.Target.Epsilon)
	r.renewProfile(s, c)
	if s.Budget.Harm.Kind() != "" { // so far through the (ε, δ) of theorems alone
		r.Harm = &HarmResult{Limit: s.Budget.Harm, Certified: risk.Ends{Lower: 0, Upper: 1}, Note: "it has not been computed"}
	}
	r.Entries = entryResults(s, c, r)
	r.notePinnedOrder()
	r.Notes, r.Reasons = notesOn(s, c), s.Reasons()
	r.open, r.adaptive = len(s.OpenSensitivities()) > 0, FirstWord(s.Answer(PointAdaptive)) == "yes"
	return r, nil
}

// targetAndStack returns the parameters of the bounds and the priced stack.
func (ev *Evaluator) targetAndStack(
	s *Scenario, precision float64,
) (target accounting.Target, c *pricedStack, err error) {
	if target, err = s.Target(precision); err == nil {
		c, err = ev.priceStack(s)
	}
	return target, c, err
}

// setNumerical appends the numerical bound of a stack, or replaces it: it is always the last.
func (r *Result) setNumerical(ctx context.Context, b accounting.Bound, stack []accounting.Entry) error {
	if b = accounting.CapNumerical(ctx, b, r.Bounds, stack); b.Fault != nil {
		return b.Fault
	}
	last := len(r.Bounds) - 1
	if last >= 0 && r.Bounds[last].Method == accounting.Numerical {
		r.Bounds[last] = b
	} else {
		r.Bounds = append(r.Bounds, b)
	}
	accounting.SettleTies(r.Bounds)
	r.Best = bestToQuote(r.Bounds, r.Target.Epsilon)
	return nil
}

// copy returns a copy to hand out while the original is refined further.
func (r *Result) copy() *Result {
	c := *r
	c.Bounds = slices.Clone(r.Bounds)
	return &c
}

// DeltaOfEpsilon returns the δ at which ε is stated: the budget's, or one of its own if the budget limits a harm and
// has none.
func (s *Scenario) DeltaOfEpsilon() float64 {
	if s.Budget.Delta == 0 && s.Budget.Harm.Kind() != "" {
		return harmDelta
	}
	return s.Budget.Delta
}

// Target returns the parameters of the bounds, with the given numerical width (0 means [pld.DefaultWidth]). It is an
// error if one of its numbers, or a count, is out of range.
func (s *Scenario) Target(precision float64) (accounting.Target, error) {
	if !(precision > 0) {
		precision = pld.DefaultWidth
	}
	target := accounting.Target{
		Epsilon: s.Budget.Epsilon, Delta: s.DeltaOfEpsilon(), Alpha: s.Alpha, Precision: precision,
	}
	return target, s.checkTarget()
}

// checkTarget checks the numbers that a command line may have overridden, and the
// counts, which a program may have forgotten to fill in.
func (s *Scenario) checkTarget() error {
	bare := *s
	bare.Stack, bare.Expect = nil, nil
	c := bare.problems()
	checkCounts(c, "stack", s.Stack)
	return c.Errors(s.Path())
}

// checkCounts finds a count that was forgotten: 0 would be a release for free.
func checkCounts(c *format.Checker, path string, list []Entry) {
	count := EntryField("count")
	for i, e := range list {
		if text := count.CheckNumber(e.Count); text != "" {
			c.Add(format.WithIndex(path, i)+".count", text)
		}
		for j, branch := range e.Parallel {
			checkCounts(c, format.WithIndex(format.WithIndex(path, i)+".parallel", j), branch)
		}
	}
}

// entryResults lists the entries of the stack, each with its share of the cost.
func entryResults(s *Scenario, c *pricedStack, r *Result) []EntryResult {
	costs := entryCosts(c, r)
	total := 0.0
	for _, x := range costs {
		total += x
	}
	list := make([]EntryResult, len(s.Stack))
	for i, e := range s.Stack {
		list[i] = EntryResult{
			Index: i + 1, Mechanism: e.Mechanism, Label: e.Label, Count: e.Count, Disabled: e.Disabled,
		}
		if e.Parallel != nil {
			list[i].Mechanism = "parallel"
		}
		if d, err := s.Sensitivity(&e); err == nil {
			list[i].Sensitivity = d
		}
		if total > 0 && !math.IsInf(total, 1) {
			list[i].Share = costs[i] / total
		}
	}
	return list
}
