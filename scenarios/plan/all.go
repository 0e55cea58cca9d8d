package plan

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// All solves for the same unknown under every method, in the order of a comparison. A method that cannot be used
// is included, with the reason in its note.
func (ev Planner) All(ctx context.Context, s *scenarios.Scenario, req Request) ([]Result, error) {
	var all []Result
	err := SolveEach(ctx, ev, s, req, func(r Result) bool {
		all = append(all, r)
		return true
	})
	return all, err
}

// Solver solves for one unknown; [Planner] is one.
type Solver interface {
	Plan(ctx context.Context, s *scenarios.Scenario, req Request) (Result, error)
}

// SolveEach yields the answers of [Planner.All] one by one as they are found,
// until yield returns false. The numerical method, which costs most, comes last.
func SolveEach(ctx context.Context, ev Solver, s *scenarios.Scenario, req Request, yield func(Result) bool) error {
	for _, m := range Methods(s) {
		req.Method = m
		r, err := ev.Plan(ctx, s, req)
		if err != nil {
			return err
		}
		r.Method = m
		if !yield(r) {
			return nil
		}
	}
	return nil
}

// Methods lists the methods worth planning with, the numerical one last.
func Methods(s *scenarios.Scenario) []accounting.Method {
	var list []accounting.Method
	for _, t := range accounting.Methods() {
		if t.Method != accounting.RDPPinned || s.Alpha != 0 {
			list = append(list, t.Method)
		}
	}
	return list
}

// Best returns the index of the answer that allows most, −1 if none is feasible.
func Best(all []Result) int {
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
// cost less, and then the one whose theorem is native to the releases, as in [accounting.Best].
func (r Result) Better(other Result) bool {
	const tie = accounting.TieWidth
	if a, b := r.Achieved.Epsilon, other.Achieved.Epsilon; r.Value == other.Value {
		return a < b*(1-tie) || a <= b*(1+tie) && r.nativeRank < other.nativeRank
	}
	if r.LargerIsBetter() {
		return r.Value > other.Value
	}
	return r.Value < other.Value
}

// LargerIsBetter reports whether a larger value of the unknown serves the user more, as a count does and a σ
// does not.
func (r Result) LargerIsBetter() bool {
	i := slices.Index(Solvable, r.Solve)
	return i >= 0 && unknowns[i].rises
}

// Waste returns the share, from 0 to 1, of what the best method allows that this one does not: a half if it allows
// half the ε or needs twice the noise.
func (r Result) Waste(best Result) float64 {
	if !r.Feasible || !best.Feasible || r.Value == best.Value {
		return 0
	}
	share := best.Value / r.Value
	if r.LargerIsBetter() {
		share = r.Value / best.Value
	}
	if !(share >= 0) {
		return 0
	}
	return math.Max(0, 1-share)
}
