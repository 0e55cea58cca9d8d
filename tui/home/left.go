package home

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/jobs"
)

// leftWant names the question how many more of an entry fit.
type leftWant struct{ version, entry int }

// leftCount is an answer, and what it answers.
type leftCount struct {
	n    float64
	want leftWant
}

// countLeft asks how many more of the selected entry fit, by every theorem.
func (h *Home) countLeft(s *scenarios.Scenario, want leftWant) tea.Cmd {
	if want.entry == 0 || s.Budget.Epsilon <= 0 {
		h.leftJob.Stop()
		h.left = nil
		return nil
	}
	account := h.Accountant
	return h.Jobs.Start(&h.leftJob, jobs.PauseLeft, func(ctx context.Context, tell func(func())) {
		left := map[accounting.Method]leftCount{}
		for _, t := range accounting.Methods() { // the numerical one is last, as it takes longest
			n, err := account.QueriesLeft(ctx, s, want.entry, t.Method)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				left[t.Method] = leftCount{n, want}
				tell(h.counts(maps.Clone(left), false))
			}
		}
		tell(h.counts(left, true))
	})
}

// mostLeft is the largest of the counts that were made together with that of a theorem.
func (h *Home) mostLeft(m accounting.Method) (n float64, ok bool) {
	c, ok := h.left[m]
	for _, other := range h.left {
		if other.want == c.want {
			c.n = max(c.n, other.n)
		}
	}
	return c.n, ok
}

// LeftOf is how many more of the selected entry fit by a theorem, and whether the
// count is of an earlier state.
func (h *Home) LeftOf(m accounting.Method) (n float64, stale, ok bool) {
	c, ok := h.left[m]
	return c.n, c.want != h.counted, ok
}

// counts takes answers over; all of them once no further theorem follows.
func (h *Home) counts(left map[accounting.Method]leftCount, all bool) func() {
	return func() {
		if all || h.left == nil {
			h.left = left
		} else { // what is not counted anew yet stays, dimmed
			maps.Copy(h.left, left)
		}
		h.Arrived++
	}
}
