package home

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/layout"
)

// detailWant names the entry the third column is about.
type detailWant struct{ version, row int }

// detail is what was found out about it: its noise, its error, its own cost.
type detail struct {
	want      detailWant
	mechanism string
	noisy     bool // the chart has something to show
	alone     *scenarios.Result
	error     *mechanisms.Accuracy
	serial    int
}

// inspect starts finding out about the selected entry, if its column is shown.
func (h *Home) inspect() tea.Cmd {
	row, ok := h.Doc.Selected()
	want := detailWant{h.Doc.Version(), h.Doc.Cursor()}
	if !ok || row.Block() || want == h.inspected || !h.Lay.Slots[layout.Detail].Visible() {
		return nil
	}
	h.inspected = want
	s, e, account := h.Doc.Scenario(), *row.Entry, h.Accountant
	build := h.charts[noiseChart].Build
	return h.Jobs.Start(&h.detailJob, jobs.PauseChart, func(ctx context.Context, tell func(func())) {
		d := detail{want: want, mechanism: e.Mechanism}
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
		noise, err := build(ctx, ChartAsk{Scenario: &alone, Row: &alone.Stack[0]})
		d.noisy = err == nil
		one := alone
		e.Count = 1
		one.Stack = []scenarios.Entry{e}
		if r, err := account.Evaluate(ctx, &one, scenarios.Options{Closed: true}); err == nil {
			d.alone = r
		}
		tell(func() {
			d.serial = h.detail.serial + 1
			h.detail = d
			h.entry.plot.SetChart(noise)
		})
	})
}

// noiseChart is the place of the noise chart among the kinds.
const noiseChart = 3
