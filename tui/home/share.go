package home

import (
	"context"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/share"
)

// Share gives the chart that is chosen, whether it stands on the screen or not, with its
// numerical curve.
func (h *Home) Share() share.Subject {
	kind := h.Shown()
	ask := ChartAsk{Scenario: h.Doc.Scenario(), Fine: kind.Fine}
	if row, ok := h.Doc.Selected(); ok {
		ask.Row = row.Entry
	}
	return share.Subject{Title: kind.Title, Stem: stems[kind.Key], Chart: func(ctx context.Context) (chart.Chart, error) {
		c, err := kind.Build(ctx, ask)
		if kind.Entry && c.Title != "" { // the entry that it is about
			c.Title = kind.Title + ", " + c.Title
		}
		return h.shaped(c), err
	}}
}

// stems are the charts as names of files, those of the command line.
var stems = map[string]string{
	"1": "epsilon-k", "2": "renyi", "3": "profile", "4": "noise", "5": "utility", "6": "tradeoff", "7": "ledger", "8": "utility-epsilon", "9": "loss",
}
