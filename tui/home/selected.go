package home

import (
	"context"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/layout"
)

// leftCounts are answers by theorem, each with what it answers.
type leftCounts map[accounting.Method]leftCount

type leftCount struct {
	n  float64
	of state
}

// countLeft asks how many more of the selected entry fit, by every theorem. A count of an
// earlier state stays, dimmed, until that theorem has counted anew.
func (h *Home) countLeft() tea.Cmd {
	s, now := h.Doc.Scenario(), h.stateWith(h.Doc.Entry())
	nothing := now.row == 0 || !s.Budget.IsSet()
	if (nothing || h.left.Asked.doc != h.Doc) && (h.left.Known || h.left.Busy) {
		h.left.Forget()
	}
	if nothing {
		return nil
	}
	account, before := h.Accountant, h.left.Answer
	return h.left.Ask(h.Jobs, jobs.PauseLeft, now, func(ctx context.Context, tell func(leftCounts, error)) {
		left := leftCounts{}
		maps.Copy(left, before)
		for _, t := range accounting.Methods() { // the numerical one is last, as it takes longest
			n, err := account.QueriesLeft(ctx, s, now.row, t.Method)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				left[t.Method] = leftCount{n, now}
				tell(maps.Clone(left), nil)
			}
		}
		maps.DeleteFunc(left, func(_ accounting.Method, c leftCount) bool { return c.of != now })
		tell(left, nil)
	})
}

// mostLeft returns the largest of the counts that were made together with that of a theorem.
func (h *Home) mostLeft(m accounting.Method) (n float64, ok bool) {
	c, ok := h.left.Answer[m]
	for _, other := range h.left.Answer {
		if other.of == c.of {
			c.n = max(c.n, other.n)
		}
	}
	return c.n, ok
}

// LeftOf returns how many more of the selected entry fit by a theorem, and whether the
// count is of an earlier state.
func (h *Home) LeftOf(m accounting.Method) (n float64, stale, ok bool) {
	c, ok := h.left.Answer[m]
	return c.n, c.of != h.left.Asked, ok
}

// detail holds the results about the selected entry: its noise, its error, its own cost.
type detail struct {
	mechanism string
	noise     chart.Chart
	noisy     bool // the chart has something to show
	alone     *scenarios.Result
	error     *mechanisms.Accuracy
}

// inspect starts finding out about the selected entry, if its column is shown.
func (h *Home) inspect() tea.Cmd {
	row, ok := h.Doc.SelectedRow()
	if !ok || row.Block() || !h.Lay.Slots[layout.Detail].Visible() {
		return nil
	}
	s, e, account, pool := h.Doc.ScenarioFor(row), *row.Entry, h.Accountant, h.Jobs
	rounds := s.Rounds * h.Doc.Runs(row)
	build := h.charts[h.chartIndex(chart.Noise.Name)].Build
	of := h.stateWith(h.Doc.Cursor())
	return h.detail.Ask(pool, jobs.PauseChart, of, func(ctx context.Context, tell func(detail, error)) {
		d := detail{mechanism: e.Mechanism}
		acc, err := s.WithSensitivity(&e).Accuracy(rounds)
		if err == nil {
			d.error = &acc
		}
		e.Disabled = false
		alone := *s
		alone.Stack, alone.Rounds, alone.Expect = []scenarios.Entry{e}, 1, nil
		// The noise beside that of equal cost for all copies, as the large chart has it.
		d.noise, err = build(ctx, ChartAsk{Scenario: &alone, Row: &alone.Stack[0]})
		d.noisy = err == nil
		one := alone
		e.Count = 1
		one.Stack = []scenarios.Entry{e}
		if r, err := account.Evaluate(ctx, &one, scenarios.Options{ClosedFormsOnly: true}); err == nil {
			d.alone = r
		}
		tell(d, nil)
		if !pool.Wait(ctx, jobs.PauseLeft) {
			return
		}
		if r, err := account.Evaluate(ctx, &one, scenarios.Options{}); err == nil { // as the bounds have it
			d.alone = r
			tell(d, nil)
		}
	})
}
