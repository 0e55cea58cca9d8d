package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/accounting"
)

// Solvable lists what [Plan] solves for.
var Solvable = []string{"count", "epsilon", "sigma", "scale", "steps", "rounds", "delta", "n", "max_batch"}

// PlanRequest asks for one unknown.
type PlanRequest struct {
	Solve     string // one of [Solvable]
	Entry     int    // from 1; 0 means the only entry that has the field
	Method    accounting.Method
	Epsilon   float64 // 0: the budget's
	Delta     float64 // 0: the budget's
	Precision float64 // of the numerical method; 0 means 1e-3
	// Distance asks for the δ at ε = 0, the total variation distance, whatever the budget
	// says; Solve is "delta".
	Distance bool
	Digits   int // significant digits of the answer, on the safe side; 0 means 8
}

func (r PlanRequest) digits() int {
	if r.Digits > 0 {
		return r.Digits
	}
	return 8
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
	digits   int // of the numbers that Apply writes
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
	switch {
	case req.Distance && req.Solve != "delta":
		return PlanResult{}, errors.New("ε = 0 is a target for delta only: it is met where nothing is released")
	case req.Distance:
		c.Budget.Epsilon = 0
	case c.Budget.Epsilon == 0 && req.Solve != "max_batch":
		return PlanResult{}, errors.New("there is no target: give the scenario a budget, or --epsilon")
	}
	if err := c.checkTarget(); err != nil {
		return PlanResult{}, err
	}
	if req.Method != "" && !slices.Contains(methods, string(req.Method)) {
		return PlanResult{}, fmt.Errorf("there is no method called %q; known: %s", req.Method, strings.Join(methods, ", "))
	}
	p.scenario, p.target = &c, c.target(Options{Precision: req.Precision})
	if req.Solve == "max_batch" {
		return p.harmless(ctx)
	}
	if req.Distance && (req.Method == "" || req.Method == accounting.Numerical) {
		if r, ok, err := p.distance(ctx); ok || err != nil {
			return r, err
		}
	}
	return p.solve(ctx)
}

// Apply puts a plan's answer into the scenario.
func (s *Scenario) Apply(r PlanResult) error {
	if !r.Feasible {
		return errors.New("the plan found no answer to apply")
	}
	u, err := newUnknown(s, PlanRequest{Solve: r.Solve, Entry: r.Entry, Digits: r.digits})
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
