package home

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/share"
)

// chartWant names one chart of one state of the document.
type chartWant struct {
	version, kind, row int
}

// chartData is the newest chart that arrived.
type chartData struct {
	want   chartWant
	chart  chart.Chart
	err    error
	serial int
}

// chartWanted is the chart that stands on the screen, if any does.
func (h *Home) chartWanted() (chartWant, bool) {
	if !h.Lay.Slots[layout.Chart].Visible() {
		return chartWant{}, false
	}
	want := chartWant{version: h.Doc.Version(), kind: h.chart}
	if h.charts[h.chart].Entry {
		want.row = h.Doc.Cursor()
	}
	return want, true
}

// draw builds a chart from closed forms, then once more with the numerical curve
// if nothing changed for a moment.
func (h *Home) build(s *scenarios.Scenario, want chartWant) tea.Cmd {
	pool := h.Jobs
	kind := h.charts[want.kind]
	ask := ChartAsk{Scenario: s}
	if row, ok := h.Doc.Selected(); ok {
		ask.Row = row.Entry
	}
	return h.Jobs.Start(&h.chartJob, jobs.PauseChart, func(ctx context.Context, tell func(func())) {
		c, err := kind.Build(ctx, ask)
		tell(h.arrives(want, c, err))
		if ask.Fine = true; !kind.Fine || err != nil || !pool.Wait(ctx, jobs.PauseLeft) {
			return
		}
		if c, err := kind.Build(ctx, ask); err == nil {
			tell(h.arrives(want, c, nil))
		}
	})
}

// arrives makes a chart the newest.
func (h *Home) arrives(want chartWant, c chart.Chart, err error) func() {
	return func() {
		h.drawn = chartData{want: want, chart: c, err: err, serial: h.drawn.serial + 1}
		h.graph.plot.SetChart(h.shaped(c))
	}
}

// Drawn is the newest chart, whether it is of what is on the screen, and why there is none.
func (h *Home) Drawn() (c chart.Chart, fresh bool, err error) {
	return h.drawn.chart, h.drawn.want == h.charted, h.drawn.err
}

// toggleRatio shows ε as it is, or divided by the best bound, where curves that coincide
// are seen apart.
func (h *Home) toggleRatio() {
	c, _, _ := h.Drawn()
	if _, ok := c.OverBest(); !ok && !h.ratio {
		h.Say("this chart has no bounds to divide: 1 shows ε against K")
		return
	}
	h.ratio = !h.ratio
	h.graph.plot.SetChart(h.shaped(h.drawn.chart))
	h.graph.moved++
	if h.ratio {
		h.Say("ε divided by the best bound; % goes back")
	}
}

// shaped is a chart as it is to be shown.
func (h *Home) shaped(c chart.Chart) chart.Chart {
	if h.ratio {
		c, _ = c.OverBest()
	}
	return c
}

// Share gives the chart that is chosen, whether it stands on the screen or not, with its
// numerical curve.
func (h *Home) Share() share.Subject {
	kind := h.Shown()
	ask := ChartAsk{Scenario: h.Doc.Scenario(), Fine: kind.Fine}
	if row, ok := h.Doc.Selected(); ok {
		ask.Row = row.Entry
	}
	return share.Subject{Title: kind.Title, Stem: kind.Stem, Chart: func(ctx context.Context) (chart.Chart, error) {
		c, err := kind.Build(ctx, ask)
		if kind.Entry && c.Title != "" { // the entry that it is about
			c.Title = kind.Title + ", " + c.Title
		}
		return h.shaped(c), err
	}}
}
