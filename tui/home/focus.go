package home

import (
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/tui/layout"
)

// cycle moves the focus through the panes that are on the screen; where only one
// fits, through all of them.
func (h *Home) cycle(by int) {
	order := []layout.Slot{layout.Stack, layout.Knobs, layout.Bounds, layout.Chart, layout.Detail}
	at := 0
	for i, s := range order {
		if s == h.focus {
			at = i
		}
	}
	for range order {
		at = (at + by + len(order)) % len(order)
		s := order[at]
		single := h.Lay.Mode == layout.Single && (s == layout.Stack || s == layout.Bounds || s == layout.Chart)
		if h.Lay.Slots[s].Visible() || single {
			h.FocusOn(s)
			return
		}
	}
}

// FocusOn gives a pane the keys.
func (h *Home) FocusOn(s layout.Slot) {
	h.focus = s
	if h.Lay.Mode == layout.Single {
		h.chartOn = s == layout.Chart
	}
	h.host.Arrange()
}

// showChart puts a chart on the screen.
func (h *Home) showChart(i int) {
	h.chart = i
	h.chartOn = true
	if h.Lay.Mode == layout.Single {
		h.focus = layout.Chart
	}
	h.host.Arrange()
}

// ShowBounds brings the table back where a chart took its place.
func (h *Home) ShowBounds() {
	h.chartOn, h.chartFull = false, false
	if h.focus == layout.Chart {
		h.focus = layout.Stack
	}
	if h.Lay.Mode == layout.Single {
		h.focus = layout.Bounds
	}
	h.host.Arrange()
}

func (h *Home) toggleFull() {
	h.chartFull = !h.chartFull
	if h.chartFull {
		h.focus = layout.Chart
	}
	h.host.Arrange()
}

// Charting is the key of the chart that stands in the place of the bounds; "" if none does.
func (h *Home) Charting() string {
	if h.chartOn || h.chartFull {
		return h.charts[h.chart].Key
	}
	return ""
}

// Shown is the chart chosen.
func (h *Home) Shown() ChartKind { return h.charts[h.chart] }

// ShowChart puts the chart of a key on the screen.
func (h *Home) ShowChart(key string) {
	for i, c := range h.charts {
		if c.Key == key {
			h.showChart(i)
		}
	}
}

// ChartTitle is what the chart of a key shows.
func (h *Home) ChartTitle(key string) string {
	for _, c := range h.charts {
		if c.Key == key {
			return c.Title
		}
	}
	return ""
}

// unpinned are the rows of the bounds in their order, where no α is pinned.
var unpinned = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.Optimal, accounting.RDP,
	accounting.RDPClassic, accounting.ZCDP, accounting.ZCDPClassic, accounting.GDP, accounting.Numerical,
}

// Point selects a theorem and shows the chart of a key; "" shows the bounds.
func (h *Home) Point(theorem accounting.Method, chart string) {
	h.chartFull, h.focus = false, layout.Stack
	h.bounds.row = max(0, slices.Index(unpinned, theorem))
	h.chart = 0
	h.ShowBounds()
	h.ShowChart(chart)
}
