package tui

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// leftWant names the question how many more of an entry fit.
type leftWant struct{ version, entry int }

// leftCount is an answer, and what it answers.
type leftCount struct {
	n    float64
	want leftWant
}

// countLeft asks how many more of the selected entry fit, by every theorem.
func (a *App) countLeft(s *scenarios.Scenario, want leftWant) tea.Cmd {
	if want.entry == 0 || s.Budget.Epsilon <= 0 {
		a.leftJob.stop()
		a.left = nil
		return nil
	}
	account := a.account
	return a.pool.start(&a.leftJob, a.pause(pauseLeft), func(ctx context.Context, emit func(tea.Msg)) {
		left := map[accounting.Method]leftCount{}
		for _, m := range leftMethods {
			n, err := account.QueriesLeft(ctx, s, want.entry, m)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				left[m] = leftCount{n, want}
				emit(leftMsg{left: maps.Clone(left)})
			}
		}
		emit(leftMsg{left: left, all: true})
	})
}

// leftMethods are the theorems worth asking; the numerical one is last, as it takes
// longest.
var leftMethods = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.Optimal, accounting.RDP, accounting.RDPPinned,
	accounting.RDPClassic, accounting.ZCDP, accounting.ZCDPClassic, accounting.GDP, accounting.Numerical,
}

// mostLeft is the largest of the counts that were made together with that of a theorem.
func (a *App) mostLeft(m accounting.Method) (n float64, ok bool) {
	c, ok := a.left[m]
	for _, other := range a.left {
		if other.want == c.want {
			c.n = max(c.n, other.n)
		}
	}
	return c.n, ok
}

// leftOf is how many more of the selected entry fit by a theorem, and whether the
// count is of an earlier state.
func (a *App) leftOf(m accounting.Method) (n float64, stale, ok bool) {
	c, ok := a.left[m]
	return c.n, c.want != a.counted, ok
}
