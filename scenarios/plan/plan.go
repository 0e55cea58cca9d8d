// Package plan solves backwards: what would fit a budget instead of what a scenario
// costs. A [Planner] solves for one unknown ([Planner.Plan]), under every theorem
// ([Planner.All]), divides a budget over the entries ([Planner.Rebalance]) and says what each
// entry adds ([Planner.Margins]). Every answer is on the safe side.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Request asks for one unknown.
type Request struct {
	Solve     string // one of [Solvable]
	Entry     int    // from 1; 0 means the only entry that has the field
	Method    accounting.Method
	Precision float64 // of the numerical method; 0 means [pld.DefaultWidth]
	// Distance asks for the δ at ε = 0, the total variation distance, whatever the budget
	// says; Solve is "delta".
	Distance bool
	Digits   int // significant digits of the answer, on the safe side; 0 means 8
}

func (r Request) digits() int { return cmp.Or(r.Digits, 8) }

// Result is the answer, on the safe side.
type Result struct {
	Solve    string
	Entry    int               // 0 where the unknown belongs to the whole scenario
	Method   accounting.Method // the theorem that proves the answer
	Value    float64
	Achieved scenarios.Budget
	// Harm is the harm that the budget limits instead of ε, and HarmAchieved its certified upper
	// end at the answer.
	Harm         scenarios.HarmLimit
	HarmAchieved float64
	Feasible     bool
	Note         string
	digits       int // of the numbers that Apply writes
	nativeRank   int // of the bound, which decides between equal answers
}

// Planner solves backwards what its evaluator prices.
type Planner struct{ *scenarios.Evaluator }

// New returns a planner that remembers nothing yet.
func New() Planner { return Planner{scenarios.NewEvaluator()} }

// Plan solves for one unknown under the scenario's budget. Without a method the
// best one for each value counts, the numerical one included.
func (ev Planner) Plan(ctx context.Context, s *scenarios.Scenario, req Request) (Result, error) {
	u, err := newUnknown(s, req)
	if err != nil {
		return Result{}, err
	}
	return ev.plan(ctx, s, u, req)
}

// plan solves for an unknown whose entry is known. It fails if a bound ended in a fault of the program, instead of
// planning without that bound.
func (ev Planner) plan(ctx context.Context, s *scenarios.Scenario, u *unknown, req Request) (r Result, err error) {
	err = accounting.Recover(ev.Context(ctx), func(ctx context.Context) error {
		r, err = solveFor(ctx, s, u, req)
		return err
	})
	return r, err
}

func solveFor(ctx context.Context, s *scenarios.Scenario, u *unknown, req Request) (Result, error) {
	p := &search{unknown: u, method: req.Method}
	c := *s
	switch {
	case req.Distance && req.Solve != "delta":
		return Result{}, errors.New("ε = 0 can be a target only with --solve delta")
	case req.Distance:
		c.Budget.Epsilon = 0
	case c.Budget.Harm.Kind() != "" && req.Solve == "delta":
		return Result{}, errors.New("delta is solved for at a target ε; the budget limits a harm")
	case !c.Budget.IsSet() && req.Solve != "max_batch":
		return Result{}, errors.New("there is no target: give the scenario a budget, or --epsilon")
	}
	target, err := c.Target(req.Precision)
	if err != nil {
		return Result{}, err
	}
	if err := checkMethod(req.Method); err != nil {
		return Result{}, err
	}
	c.Budget.Delta = target.Delta
	p.scenario, p.target, p.harm = &c, target, c.Budget.Harm
	if req.Solve == "max_batch" {
		return p.solveMaxBatch(ctx)
	}
	if req.Distance && (req.Method == "" || req.Method == accounting.Numerical) {
		if r, ok, err := p.distance(ctx); ok || err != nil {
			return r, err
		}
	}
	r, err := p.solve(ctx)
	if err == nil && !r.Feasible {
		_, err = scenarios.Stack(&c) // an entry that is unsupported at every value of the unknown
	}
	return r, err
}

// checkMethod refuses a method that is not one.
func checkMethod(m accounting.Method) error {
	if _, ok := accounting.TheoremOf(m); ok || m == "" {
		return nil
	}
	var names []string
	for _, t := range accounting.Methods() {
		names = append(names, string(t.Method))
	}
	return fmt.Errorf("there is no method called %q; known: %s", m, strings.Join(names, ", "))
}

// Apply puts the answer into a scenario. If the answer is a factor on the noise, the resulting parameters are rounded
// to few digits, towards more noise.
func (r Result) Apply(s *scenarios.Scenario) error {
	if !r.Feasible {
		return errors.New("the plan found no answer to apply")
	}
	u, err := newUnknown(s, Request{Solve: r.Solve, Entry: r.Entry, Digits: r.digits})
	if err != nil {
		return err
	}
	if r.Solve == "scale" {
		u.put = func(c *scenarios.Scenario, x float64) error {
			return scaleNoise(c, c.Stack, x, roundToMoreNoise(u.digits))
		}
	}
	c, err := u.scenarioAt(s, r.Value)
	if err != nil {
		return err
	}
	s.Budget, s.Rounds, s.Stack = c.Budget, c.Rounds, c.Stack
	return nil
}
