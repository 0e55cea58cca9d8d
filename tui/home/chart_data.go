package home

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/layout"
)

// build draws the chart that is on the screen, if any is, from closed forms, then once more
// with the numerical curve if nothing changed for a moment.
func (h *Home) build() tea.Cmd {
	if !h.Lay.Slots[layout.Chart].Visible() {
		return nil
	}
	pool, kind, ask, now := h.Jobs, h.CurrentChart(), h.ask(), h.stateWith(0)
	if now.chart = h.chart; kind.Entry {
		now.row = h.Doc.Cursor()
	}
	return h.drawn.Ask(pool, jobs.PauseChart, now, func(ctx context.Context, tell func(chart.Chart, error)) {
		c, err := kind.Build(ctx, ask)
		tell(c, err)
		if ask.Fine = true; !kind.Of.Tight || err != nil || !pool.Wait(ctx, jobs.PauseLeft) {
			return
		}
		finer, err := kind.Build(ctx, ask)
		switch {
		case err == nil || accounting.FaultOf(err) != nil:
			tell(finer, err)
		case ctx.Err() == nil: // nothing better comes
			c.Pending = false
			tell(c, nil)
		}
	})
}

// ask returns what a chart is drawn of now.
func (h *Home) ask() ChartAsk {
	ask := ChartAsk{Scenario: h.Doc.Scenario(), shared: new(accounting.Shared)}
	if row, ok := h.Doc.SelectedRow(); ok {
		ask.Row = row.Entry
	}
	return ask
}

// NewestChart returns the newest chart, whether it is of what is on the screen, and why there is none.
func (h *Home) NewestChart() (c chart.Chart, fresh bool, err error) {
	return h.drawn.Answer, h.drawn.Fresh(), h.drawn.Err
}

// ownTitle returns what the chart on the screen says of itself: the entry that it is about, or
// against what ε is drawn.
func (h *Home) ownTitle() string {
	if h.drawn.Of.chart != h.chart || h.drawn.Err != nil {
		return ""
	}
	return draw.Clean(h.drawn.Answer.Title)
}

// view is the form in which charts of ε against a count are shown: on linear axes unless a key asks for another.
type view int

const (
	viewLinear view = iota
	viewLog         // on logarithmic axes
	viewRatio       // divided by the best bound
)

// apply returns a chart as a view shows it; one that has no such view stays as it is.
func (v view) apply(c chart.Chart) chart.Chart {
	switch v {
	case viewLog:
		c, _ = c.LogAxes()
	case viewRatio:
		c, _ = c.RatioToBest()
	}
	return c
}

// form states how charts of bounds are shown: in a view, and without the forms of theorems that the table folds,
// unless one of them is the best.
type form struct {
	view     view
	open     bool // nothing is folded
	best     accounting.Method
	selected accounting.Method // the row of the table that is selected while the table has the keys; "" for none
}

func (h *Home) chartForm() form { return form{h.view, h.formsOpen(), h.winner(), h.Theorem()} }

func (f form) apply(c chart.Chart) chart.Chart {
	c.Winner = cmp.Or(c.Winner, f.best.Name())
	if f.selected != "" {
		c.Selected = f.selected.Name()
	}
	if !f.open {
		c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s chart.Series) bool {
			return slices.ContainsFunc(accounting.Methods(), func(t accounting.Theorem) bool {
				return t.FormOf != "" && t.Method.Name() == s.Name && f.best != t.Method && f.selected != t.Method
			})
		})
	}
	return f.view.apply(c)
}

// winner returns the theorem of the best bound; "" if there is none.
func (h *Home) winner() accounting.Method {
	if r := h.Result; r != nil && r.Best >= 0 {
		return r.Bounds[r.Best].Method
	}
	return ""
}

// toggle shows ε against a count in another view, or back on linear axes.
func (h *Home) toggle(to view, says string) func() {
	return func() {
		c, _, _ := h.NewestChart()
		if _, ok := c.LogAxes(); !ok {
			h.Say("this chart has no such view: 1 shows ε against a count")
			return
		}
		if h.view == to {
			h.view = viewLinear
			h.Say("ε on linear axes")
		} else {
			h.view = to
			h.Say(says)
		}
		h.graph.plot.SetChart(h.chartForm().apply(c))
	}
}

// Share gives the chart that is shown, with its numerical curve; where none is, the bounds.
func (h *Home) Share() export.Subject {
	if !h.Lay.Slots[layout.Chart].Visible() {
		return export.Subject{Title: "the bounds", Stem: "bounds"}
	}
	kind, ask, shown := h.CurrentChart(), h.ask(), h.chartForm()
	ask.Fine = kind.Of.Tight
	title, stem := kind.Title, kind.Of.Name
	if c, _, _ := h.NewestChart(); stem == chart.EpsilonK.Name && c.X.Label != "K" && c.X.Label != "R" {
		stem = chart.Epochs.Name
	}
	if !kind.Entry {
		title = cmp.Or(h.ownTitle(), title)
	}
	return export.Subject{Title: title, Stem: stem, Chart: func(ctx context.Context) (chart.Chart, error) {
		c, err := kind.Build(ctx, ask)
		if kind.Entry && c.Title != "" { // the entry that it is about
			c.Title = kind.Title + ", " + c.Title
		}
		return shown.apply(c), err
	}}
}
