package scenarios

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// Solvable lists what [Plan] solves for.
var Solvable = []string{"count", "epsilon", "sigma", "scale", "steps", "rounds", "delta", "n"}

// PlanRequest asks for one unknown.
type PlanRequest struct {
	Solve     string // one of [Solvable]
	Entry     int    // from 1; 0 means the only entry that has the field
	Method    accounting.Method
	Epsilon   float64 // 0: the budget's
	Delta     float64 // 0: the budget's
	Precision float64 // of the numerical method; 0 means 1e-3
}

// PlanResult is the answer, on the safe side.
type PlanResult struct {
	Solve    string
	Entry    int               // 0 where the unknown belongs to the whole scenario
	Method   accounting.Method // the theorem that vouches for the answer
	Value    float64
	Achieved Budget
	Feasible bool
	Note     string
}

// Plan solves for one unknown under the scenario's budget.
func Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	return NewEvaluator().Plan(ctx, s, req)
}

// Plan solves for one unknown under the scenario's budget. Without a method the
// best one for each value counts, the numerical one included.
func (ev *Evaluator) Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	u, err := newUnknown(s, req)
	if err != nil {
		return PlanResult{}, err
	}
	return ev.plan(ctx, s, u, req)
}

// plan solves for an unknown that has been found.
func (ev *Evaluator) plan(ctx context.Context, s *Scenario, u *unknown, req PlanRequest) (PlanResult, error) {
	p := &planner{ev: ev, unknown: u, method: req.Method}
	c := *s
	if req.Epsilon != 0 {
		c.Budget.Epsilon = req.Epsilon
	}
	if req.Delta != 0 {
		c.Budget.Delta = req.Delta
	}
	if c.Budget.Epsilon == 0 {
		return PlanResult{}, errors.New("there is no target: give the scenario a budget, or --epsilon")
	}
	if err := c.checkTarget(); err != nil {
		return PlanResult{}, err
	}
	if req.Method != "" && !slices.Contains(methods, req.Method) {
		return PlanResult{}, fmt.Errorf("there is no method called %q", req.Method)
	}
	p.scenario, p.target = &c, c.target(Options{Precision: req.Precision})
	return p.solve(ctx)
}

// planner evaluates the scenario at trial values of the unknown.
type planner struct {
	ev       *Evaluator
	scenario *Scenario
	target   accounting.Target
	unknown  *unknown
	method   accounting.Method
}

// trial is the scenario at one value.
type trial struct {
	value  float64
	bound  accounting.Bound
	reason string // why there is no bound, if there is none
}

func (t trial) meets(epsilon float64) bool {
	return t.bound.Status == accounting.Valid && t.bound.Epsilon <= epsilon
}

// at evaluates one value, with the numerical method or without.
func (p *planner) at(ctx context.Context, x float64, numerical bool) trial {
	t := trial{value: x, bound: accounting.Bound{Status: accounting.NotApplicable, Epsilon: math.Inf(1)}}
	s, err := p.unknown.with(p.scenario, x)
	if err != nil {
		t.reason = err.Error()
		return t
	}
	stack, err := p.ev.Stack(s, Options{})
	if err != nil {
		t.reason = err.Error()
		return t
	}
	target := p.target
	target.Delta = s.Budget.Delta
	switch {
	case p.method != "":
		t.bound = accounting.Evaluate(ctx, p.method, stack, target)
	default:
		bounds := accounting.Closed(stack, target)
		if numerical {
			bounds = append(bounds, accounting.Evaluate(ctx, accounting.Numerical, stack, target))
		}
		if best := accounting.Best(bounds); best >= 0 {
			t.bound = bounds[best]
		} else {
			t.reason = "no method gives a valid bound"
		}
	}
	if t.reason == "" && t.bound.Status != accounting.Valid {
		t.reason = strings.TrimSuffix(t.bound.Note, ".")
		if t.bound.Status == accounting.Approximate {
			t.reason = fmt.Sprintf("%s gives an approximation here, not a bound to plan with", t.bound.Method)
		}
		t.bound.Epsilon = math.Inf(1)
	}
	return t
}

// solve finds the closed answer first and lets the numerical method, which costs
// more, start from there.
func (p *planner) solve(ctx context.Context) (PlanResult, error) {
	if p.unknown.solve == "delta" {
		if pure := p.at(ctx, 0, false); pure.meets(p.target.Epsilon) {
			return p.report(pure, ""), nil
		}
	}
	start := p.unknown.start
	found, note, err := p.search(ctx, start, false)
	if err == nil && p.method == "" {
		if found.meets(p.target.Epsilon) {
			start = found.value
		}
		found, note, err = p.search(ctx, start, true)
	}
	if err != nil {
		return PlanResult{}, err
	}
	return p.report(found, note), nil
}

// search finds the last value that meets the budget. If none does, it is the
// cheapest value that has a bound at all, or else one with the reason.
func (p *planner) search(ctx context.Context, start float64, numerical bool) (found trial, note string, err error) {
	tried := map[float64]trial{}
	var bounded *trial
	solution, err := accounting.Solve(ctx, accounting.Search{
		Low: p.unknown.low, High: p.unknown.high, Start: start, Rising: p.unknown.rises, Whole: p.unknown.whole,
		Cost: func(ctx context.Context, x float64) (float64, error) {
			x = p.unknown.round(x)
			t, known := tried[x]
			if !known {
				t = p.at(ctx, x, numerical)
				tried[x] = t
			}
			if t.bound.Finite() {
				bounded = &t
			}
			found = t
			return t.bound.Epsilon, ctx.Err()
		},
	}, p.ceiling())
	switch {
	case err != nil:
		return found, "", err
	case solution.Feasible:
		return tried[p.unknown.round(solution.Value)], solution.Note, nil
	case bounded != nil:
		return *bounded, "", nil
	}
	return found, "", nil
}

// ceiling is what a trial may cost. Three queries of 0.1 fit a budget of 0.3 though
// their sum is rounded a few units in the last place above it; a real unknown has no
// such steps and stays below.
func (p *planner) ceiling() float64 {
	if p.unknown.whole {
		return p.target.Epsilon * (1 + 8*0x1p-52)
	}
	return p.target.Epsilon
}

func (p *planner) report(found trial, note string) PlanResult {
	u := p.unknown
	r := PlanResult{Solve: u.solve, Entry: u.entry, Method: p.method, Value: found.value, Note: note}
	if r.Method == "" {
		r.Method = found.bound.Method
	}
	if found.bound.Finite() {
		r.Achieved = Budget{found.bound.Epsilon, found.bound.Delta}
	}
	if r.Feasible = found.meets(p.ceiling()); r.Feasible {
		r.Achieved.Epsilon = math.Min(r.Achieved.Epsilon, p.target.Epsilon) // the last places
		return r
	}
	r.Note = fmt.Sprintf("no %s meets ε = %s", u.what(), mechanisms.FormatNumber(p.target.Epsilon))
	if found.reason != "" {
		r.Note += ": " + found.reason
	} else {
		r.Note += fmt.Sprintf(": even at %s it is %s", mechanisms.FormatNumber(found.value), mechanisms.FormatNumber(atLeast(found.bound.Epsilon)))
		if p.method == "" { // whoever named the theorem knows it
			r.Note += " by " + found.bound.Method.Name()
		}
	}
	return r
}

// atLeast is x > 0 in four significant digits, rounded up: no note may understate
// a cost.
func atLeast(x float64) float64 {
	y := fourDigits(x)
	if y < x { // one unit of the fourth digit
		y = fourDigits(y + math.Pow(10, math.Floor(math.Log10(x))-3))
	}
	return math.Max(x, y)
}

func fourDigits(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 3, 64), 64)
	if err != nil { // beyond the largest number
		return x
	}
	return y
}

// Apply puts a plan's answer into the scenario.
func (s *Scenario) Apply(r PlanResult) error {
	if !r.Feasible {
		return errors.New("the plan found no answer to apply")
	}
	u, err := newUnknown(s, PlanRequest{Solve: r.Solve, Entry: r.Entry})
	if err != nil {
		return err
	}
	c, err := u.with(s, r.Value)
	if err != nil {
		return err
	}
	s.Budget, s.Rounds, s.Stack = c.Budget, c.Rounds, c.Stack
	return nil
}
