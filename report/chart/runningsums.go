package chart

import (
	"fmt"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// RunningSums is the error of every running sum that a matrix releases, beside that of the
// other factorisations at equal cost.
var RunningSums = Kind{"running-sums", "error of running sums: by factorisation at equal cost", "entry", false, runningSums}

func runningSums(v *view) (Chart, error) {
	i, m, err := entryOf[mechanisms.Matrix](v, "releases no running sums")
	if err == nil && m.Cyclic {
		err = fmt.Errorf("entry %d: what other factorisations cost depends on how batches are drawn; see the chart %s", i+1, BandsCost.Name)
	}
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: fmt.Sprintf("error of the running sums of entry %d, at μ = %s", i+1, report.FormatGiven(m.Mu())),
		X:     Axis{Label: "step", Log: true, Min: 1, Max: unset},
		Y:     Axis{Label: "standard deviation, in clipping norms", Min: 0, Max: unset},
	}
	steps := curve.WholeSpace(m.Steps, v.points())
	for _, f := range untilDone(v, mechanisms.Factorisations()) {
		deviations, rms, err := m.RunningError(f)
		if err != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %v", f, err))
			continue
		}
		c.Series = append(c.Series, Series{Name: string(f), X: steps, Y: curve.ValuesOver(steps,
			func(t float64) float64 { return deviations[int(t)-1] })})
		which := " at the same cost"
		if f == m.Factorisation {
			which = ", as it is set"
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s: root mean square %s%s", f, report.Nearest(rms), which))
	}
	return c, nil
}
