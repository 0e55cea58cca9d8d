package labs

import (
	"context"
	"fmt"
	"strings"

	"epsiloscope/scenarios/report"
	"epsiloscope/tui/share"
)

// Share gives the chart of the run that is shown.
func (l *Screen) Share() share.Subject {
	s := l.now()
	if s.run.Outcome == nil {
		return share.Subject{Title: s.Title, Stem: "lab-" + s.Name}
	}
	charts := report.LabCharts(s.run.Outcome)
	c := charts[l.chart%len(charts)]
	var with []string
	for _, p := range s.Params {
		with = append(with, p.Name+" "+report.LabValue(s.values[p.Name]))
	}
	return share.Subject{
		Title: s.Title, Stem: "lab-" + s.Name, Caption: fmt.Sprintf("lab %s: %s, seed %d; generated data", s.Name, strings.Join(with, ", "), s.seed),
		Chart: func(context.Context) (report.Chart, error) { return c, nil },
	}
}
