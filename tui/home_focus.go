package tui

import (
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
		single := h.lay.Mode == layout.Single && (s == layout.Stack || s == layout.Bounds || s == layout.Chart)
		if h.lay.Slots[s].Visible() || single {
			h.focusOn(s)
			return
		}
	}
}

// focusOn gives a pane the keys.
func (h *Home) focusOn(s layout.Slot) {
	h.focus = s
	if h.lay.Mode == layout.Single {
		h.chartOn = s == layout.Chart
	}
	h.host.Arrange()
}

// showChart puts a chart on the screen.
func (h *Home) showChart(i int) {
	h.chart = i
	h.chartOn = true
	if h.lay.Mode == layout.Single {
		h.focus = layout.Chart
	}
	h.host.Arrange()
}

// showBounds brings the table back where a chart took its place.
func (h *Home) showBounds() {
	h.chartOn, h.chartFull = false, false
	if h.focus == layout.Chart {
		h.focus = layout.Stack
	}
	if h.lay.Mode == layout.Single {
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
