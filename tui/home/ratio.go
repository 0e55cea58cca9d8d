package home

import (
	"epsiloscope/scenarios/report/chart"
)

// toggleRatio shows ε as it is, or divided by the best bound, where curves that coincide
// are seen apart.
func (h *Home) toggleRatio() {
	c, _, _ := h.Drawn()
	if _, ok := c.OverBest(); !ok && !h.ratio {
		h.Say("this chart has no bounds to divide: 1 shows ε against K")
		return
	}
	h.ratio = !h.ratio
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
