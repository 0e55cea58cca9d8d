package scenarios

import (
	"context"
	"errors"

	"epsiloscope/accounting"
)

var errUnbuilt = errors.New("not built yet")

// Evaluate computes every bound of the scenario.
func Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	return nil, errUnbuilt
}

// Refine evaluates the closed forms at once and then yields results with an ever
// narrower numerical interval, until the width asked for, the end of the context
// or a yield that returns false.
func Refine(ctx context.Context, s *Scenario, opt Options, yield func(*Result) bool) error {
	return errUnbuilt
}

// Evaluator evaluates scenarios and keeps what it computed, by value.
type Evaluator struct{}

func NewEvaluator() *Evaluator { return &Evaluator{} }

func (ev *Evaluator) Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	return nil, errUnbuilt
}
func (ev *Evaluator) Refine(ctx context.Context, s *Scenario, opt Options, yield func(*Result) bool) error {
	return errUnbuilt
}
func (ev *Evaluator) Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	return PlanResult{}, errUnbuilt
}
func (ev *Evaluator) QueriesLeft(ctx context.Context, s *Scenario, entry int, method accounting.Method) (float64, error) {
	return 0, errUnbuilt
}

// Stack is what the accountants compose: the scenario's entries, folded.
func (ev *Evaluator) Stack(s *Scenario, opt Options) ([]accounting.Entry, error) {
	return nil, errUnbuilt
}

// PlanRequest asks for one unknown.
type PlanRequest struct {
	Solve   string // count, epsilon, sigma, scale, steps, rounds, delta or n
	Entry   int    // from 1; 0 means the only entry that has the field
	Method  accounting.Method
	Epsilon float64 // 0: the budget's
	Delta   float64 // 0: the budget's
}

// PlanResult is the answer, on the safe side.
type PlanResult struct {
	Solve    string
	Entry    int // 0 where the unknown belongs to the whole scenario
	Method   accounting.Method
	Value    float64
	Achieved Budget
	Feasible bool
	Note     string
}

// Plan solves for one unknown under the scenario's budget.
func Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	return PlanResult{}, errUnbuilt
}

// Apply puts a plan's answer into the scenario.
func (s *Scenario) Apply(r PlanResult) error { return errUnbuilt }

// QueriesLeft is how many more copies of an entry (from 1) fit the budget by the
// given method ("" for the best closed form). It is a whole number, +Inf if the
// entry costs nothing.
func QueriesLeft(ctx context.Context, s *Scenario, entry int, method accounting.Method) (float64, error) {
	return 0, errUnbuilt
}

// Failure is an expectation that does not hold.
type Failure struct {
	Expectation Expectation
	Bound       accounting.Bound
	Problem     string
}

// CheckExpectations evaluates the scenario and compares it with its expect list.
func CheckExpectations(ctx context.Context, s *Scenario) []Failure { return nil }
