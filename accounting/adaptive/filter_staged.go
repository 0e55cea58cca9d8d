package adaptive

import (
	"context"
	"fmt"

	"epsiloscope/accounting"
)

// stagedPlan is a plan in nested parts, each with its own bound: for every
// event S, with I the rung reached, P(S) ≤ Σ_i e^{ε_i}·Q(S, I = i) + Σ_i δ_i. What was
// released on rung i is decided by the run cut off at the end of part i, which is
// (ε_i, δ_i)-DP as a plan; the sum over i is the rest.
type stagedPlan struct{ fixedPlan }

// rungReached returns the number of the smallest part that holds a sum, from 1; 0 for nothing.
func (l stagedPlan) rungReached(sum Cost) int {
	if isZero(sum) {
		return 0
	}
next:
	for rung := 1; rung < len(l.rungs); rung++ {
		for i, have := range l.rungCounts(rung, len(l.rungs)) {
			if sum.part(i).Cmp(have) > 0 {
				continue next
			}
		}
		return rung
	}
	return len(l.rungs)
}

func (l stagedPlan) Odometer() (Odometer, bool) {
	return Odometer{
		Name: "rungs",
		words: "over all runs, with the rung reached: for every event S, P(S) ≤ E_Q[e^u·1_S] + δ, with u the ε of the rung reached. " +
			"It is not a guarantee conditional on the rung; the rest of the budget may be spent afterwards by basic composition only",
		At: func(sum Cost) float64 {
			rung := l.rungReached(sum)
			if rung == 0 {
				return 0
			}
			return l.rungs[rung-1]
		},
	}, true
}

// RungBounds returns the numerical bound of each of n nested parts of a plan, the whole plan
// last, each at an n-th of δ. A single part is the plan itself. Their ε are the
// [Promise.Rungs].
func RungBounds(ctx context.Context, tickets []accounting.Entry, delta float64, n int,
	precision float64) ([]accounting.Bound, error) {
	if n < 1 || n > 1000 {
		return nil, fmt.Errorf("a plan has between 1 and 1000 rungs, not %d", n)
	}
	var whole fixedPlan
	if err := whole.setReleases(tickets); err != nil {
		return nil, err
	}
	rungs := make([]accounting.Bound, n)
	for rung := range n {
		var book []accounting.Entry
		for i, count := range whole.rungCounts(rung+1, n) {
			if count.Sign() > 0 {
				book = append(book, accounting.Entry{Release: whole.releases[i].Release, Count: float(count, 0)})
			}
		}
		b := accounting.Evaluate(ctx, accounting.Numerical, book,
			accounting.Target{Delta: delta / float64(n), Precision: precision})
		if b.Fault != nil {
			return nil, b.Fault
		}
		if b.Status != accounting.Valid {
			return nil, fmt.Errorf("the plan has no numerical bound: %s", b.Note)
		}
		if rung > 0 { // a larger part never costs less; only the last digits may say so
			b.Epsilon = max(b.Epsilon, rungs[rung-1].Epsilon)
		}
		rungs[rung] = b
	}
	return rungs, nil
}

// Rungs returns the ε of bounds.
func Rungs(bounds []accounting.Bound) []float64 {
	list := make([]float64, len(bounds))
	for i, b := range bounds {
		list[i] = b.Epsilon
	}
	return list
}
