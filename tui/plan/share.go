package plan

import (
	"context"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/share"
)

// Share gives the curve around the answer where there is one.
func (p *Screen) Share() share.Subject {
	c := p.solve.curve
	if p.view != 0 || len(c.Series) == 0 {
		return share.Subject{}
	}
	return share.Subject{Title: "ε of the whole against " + c.X.Label, Chart: func(context.Context) (chart.Chart, error) { return c, nil }}
}
