package home

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/layout"
)

// detailWant names the entry the third column is about.
type detailWant struct {
	stand
	row int
}

// detail is what was found out about it: its noise, its error, its own cost.
type detail struct {
	mechanism string
	noise     chart.Chart
	noisy     bool // the chart has something to show
	alone     *scenarios.Result
	error     *mechanisms.Accuracy
}

// inspect starts finding out about the selected entry, if its column is shown.
func (h *Home) inspect() tea.Cmd {
	row, ok := h.Doc.Selected()
	if !ok || row.Block() || !h.Lay.Slots[layout.Detail].Visible() {
		return nil
	}
	s, e, account := h.Doc.Scenario(), *row.Entry, h.Accountant
	build := h.charts[noiseChart].Build
	return h.detail.Ask(h.Jobs, jobs.PauseChart, detailWant{h.stand(), h.Doc.Cursor()}, func(ctx context.Context, tell func(detail)) {
		d := detail{mechanism: e.Mechanism}
		if m, err := mechanisms.New(e.Mechanism, e.Values); err == nil {
			if measured, ok := m.(mechanisms.Measured); ok {
				if acc, err := measured.Error(0.05, max(1, e.Count)); err == nil {
					d.error = &acc
				}
			}
		}
		e.Disabled = false
		alone := *s
		alone.Stack, alone.Rounds, alone.Expect = []scenarios.Entry{e}, 1, nil
		// The noise beside that of equal cost for all copies, as the large chart has it.
		var err error
		d.noise, err = build(ctx, ChartAsk{Scenario: &alone, Row: &alone.Stack[0]})
		d.noisy = err == nil
		one := alone
		e.Count = 1
		one.Stack = []scenarios.Entry{e}
		if r, err := account.Evaluate(ctx, &one, scenarios.Options{Closed: true}); err == nil {
			d.alone = r
		}
		tell(d)
	})
}

// noiseChart is the place of the noise chart among the kinds.
const noiseChart = 3
