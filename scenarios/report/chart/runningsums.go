package chart

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// RunningSums is the error of every running sum that a matrix releases, beside that of the
// other factorisations at equal cost.
func RunningSums(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	i, m, err := entryOf[mechanisms.Matrix](s, opt.Entry, "releases no running sums")
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: fmt.Sprintf("error of the running sums of entry %d, at μ = %s", i+1, report.Short(m.Mu())),
		X:     Axis{Label: "step", Log: true, Min: 1, Max: unset},
		Y:     Axis{Label: "standard deviation, in clipping norms", Min: 0, Max: unset},
	}
	for _, f := range mechanisms.Factorisations() {
		if err := ctx.Err(); err != nil {
			return Chart{}, err
		}
		deviations, rms, err := m.RunningError(f)
		if err != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %v", f, err))
			continue
		}
		series := Series{Name: string(f), Faint: f != m.Factorisation}
		last := 0
		for n := range opt.points() {
			t := int(math.Round(math.Pow(m.Steps, float64(n+1)/float64(opt.points()))))
			if t > last {
				series.X, series.Y = append(series.X, float64(t)), append(series.Y, deviations[t-1])
			}
			last = t
		}
		c.Series = append(c.Series, series)
		c.Notes = append(c.Notes, fmt.Sprintf("%s: root mean square %s at the same cost", f, report.Figure(rms)))
	}
	return c, nil
}
