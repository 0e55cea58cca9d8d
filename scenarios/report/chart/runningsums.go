package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/report"
)

// RunningSums is the error of every running sum that a matrix releases, beside that of the
// other factorisations at equal cost.
var RunningSums = Kind{"running-sums", "error of running sums, by factorisation at equal cost", false, runningSums}

func runningSums(v *view) (Chart, error) {
	i, m, err := entryOf[mechanisms.Matrix](v, "releases no running sums")
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: fmt.Sprintf("error of the running sums of entry %d, at μ = %s", i+1, report.Stated(m.Mu())),
		X:     Axis{Label: "step", Log: true, Min: 1, Max: unset},
		Y:     Axis{Label: "standard deviation, in clipping norms", Min: 0, Max: unset},
	}
	for _, f := range each(v, mechanisms.Factorisations()) {
		deviations, rms, err := m.RunningError(f)
		if err != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %v", f, err))
			continue
		}
		series := Series{Name: string(f), Faint: f != m.Factorisation}
		last := 0
		for n := range v.points() {
			t := int(math.Round(math.Pow(m.Steps, float64(n+1)/float64(v.points()))))
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
