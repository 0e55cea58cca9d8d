package scenarios

import (
	"context"
	"math"

	"epsiloscope/accounting"
)

// PlanAll solves for the same unknown under every method, in the order of a
// comparison: what each theorem lets one do. A method that cannot be planned with
// is in the list too, with the reason in its note.
func (ev *Evaluator) PlanAll(ctx context.Context, s *Scenario, req PlanRequest) ([]PlanResult, error) {
	var all []PlanResult
	err := ev.PlanEach(ctx, s, req, func(r PlanResult) bool {
		all = append(all, r)
		return true
	})
	return all, err
}

// PlanEach yields the answers of [Evaluator.PlanAll] one by one as they are found,
// until yield returns false. The numerical method, which costs most, comes last and
// starts from the best of the others.
func (ev *Evaluator) PlanEach(ctx context.Context, s *Scenario, req PlanRequest, yield func(PlanResult) bool) error {
	return PlanEach(ctx, ev, s, req, yield)
}

// Planner solves for one unknown; *Evaluator is one.
type Planner interface {
	Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error)
}

// PlanEach is [Evaluator.PlanEach] for any planner.
func PlanEach(ctx context.Context, ev Planner, s *Scenario, req PlanRequest, yield func(PlanResult) bool) error {
	var best *PlanResult
	for _, m := range Plannable(s) {
		from := s
		if m == accounting.Numerical && best != nil && req.Solve != "scale" {
			from = s.Clone()
			if err := from.Apply(*best); err != nil {
				from = s
			}
		}
		ask := req
		ask.Method = m
		r, err := ev.Plan(ctx, from, ask)
		if err != nil {
			return err
		}
		r.Method = m
		if r.Feasible && (best == nil || r.Better(*best)) {
			best = &r
		}
		if !yield(r) {
			return nil
		}
	}
	return nil
}

// Plannable lists the methods worth planning with, the numerical one last.
func Plannable(s *Scenario) []accounting.Method {
	var list []accounting.Method
	for _, t := range accounting.Methods() {
		if t.Method != accounting.RDPPinned || s.Alpha != 0 {
			list = append(list, t.Method)
		}
	}
	return list
}

// BestPlan is the index of the answer that allows most, −1 if none is feasible.
func BestPlan(all []PlanResult) int {
	best := -1
	for i, r := range all {
		if r.Feasible && (best < 0 || r.Better(all[best])) {
			best = i
		}
	}
	return best
}

// Better reports whether an answer to the same question allows more than another:
// a larger count or ε, a smaller σ, factor, δ or n; of equal ones, the one known to
// cost less.
func (r PlanResult) Better(other PlanResult) bool {
	if r.Value == other.Value {
		return r.Achieved.Epsilon < other.Achieved.Epsilon*(1-1e-9)
	}
	if r.More() {
		return r.Value > other.Value
	}
	return r.Value < other.Value
}

// More reports whether a larger answer is the better one.
func (r PlanResult) More() bool {
	switch r.Solve {
	case "count", "epsilon", "steps", "rounds":
		return true
	}
	return false
}

// Waste is how much of what the best method allows another gives away, 0 to 1: a
// half if it allows half the ε, or asks twice the noise.
func (r PlanResult) Waste(best PlanResult) float64 {
	if !r.Feasible || !best.Feasible || r.Value == best.Value {
		return 0
	}
	share := best.Value / r.Value
	if r.More() {
		share = r.Value / best.Value
	}
	if !(share >= 0) {
		return 0
	}
	return math.Max(0, 1-share)
}
