package home

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/tui/jobs"
)

// leftWant asks how many more of an entry fit.
type leftWant struct {
	stand
	entry int
}

// leftCounts are answers by theorem, each with what it answers.
type leftCounts map[accounting.Method]leftCount

type leftCount struct {
	n    float64
	want leftWant
}

// countLeft asks how many more of the selected entry fit, by every theorem. A count of an
// earlier state stays, dimmed, until that theorem has counted anew.
func (h *Home) countLeft() tea.Cmd {
	s, want := h.Doc.Scenario(), leftWant{h.stand(), h.Doc.Entry()}
	nothing := want.entry == 0 || s.Budget.Epsilon <= 0
	if (nothing || h.left.Asked.doc != h.Doc) && (h.left.Known || h.left.Busy) {
		h.left.Forget()
	}
	if nothing {
		return nil
	}
	account, before := h.Accountant, h.left.Answer
	return h.left.Ask(h.Jobs, jobs.PauseLeft, want, func(ctx context.Context, tell func(leftCounts)) {
		left := leftCounts{}
		maps.Copy(left, before)
		for _, t := range accounting.Methods() { // the numerical one is last, as it takes longest
			n, err := account.QueriesLeft(ctx, s, want.entry, t.Method)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				left[t.Method] = leftCount{n, want}
				tell(maps.Clone(left))
			}
		}
		maps.DeleteFunc(left, func(_ accounting.Method, c leftCount) bool { return c.want != want })
		tell(left)
	})
}

// mostLeft is the largest of the counts that were made together with that of a theorem.
func (h *Home) mostLeft(m accounting.Method) (n float64, ok bool) {
	c, ok := h.left.Answer[m]
	for _, other := range h.left.Answer {
		if other.want == c.want {
			c.n = max(c.n, other.n)
		}
	}
	return c.n, ok
}

// LeftOf is how many more of the selected entry fit by a theorem, and whether the
// count is of an earlier state.
func (h *Home) LeftOf(m accounting.Method) (n float64, stale, ok bool) {
	c, ok := h.left.Answer[m]
	return c.n, c.want != h.left.Asked, ok
}
