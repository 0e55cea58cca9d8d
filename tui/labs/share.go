package labs

import (
	"context"
	"fmt"
	"strings"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/share"
)

// Share gives the chart of the run that is shown.
func (l *Screen) Share() share.Subject {
	s := l.now()
	if s.run.Outcome == nil {
		return share.Subject{Title: s.Title, Stem: "lab-" + s.Name}
	}
	charts := chart.LabCharts(s.run.Outcome)
	c := charts[l.chart%len(charts)]
	var with []string
	for _, p := range s.Params {
		with = append(with, p.Name+" "+chart.LabValue(s.values[p.Name]))
	}
	return share.Subject{
		Title: s.Title, Stem: "lab-" + s.Name, Caption: fmt.Sprintf("lab %s: %s, seed %d; generated data", s.Name, strings.Join(with, ", "), s.seed),
		Chart: func(context.Context) (chart.Chart, error) { return c, nil },
	}
}
