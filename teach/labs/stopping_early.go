package labs

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/stat"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// stoppingEarly simulates training that stops when its validation loss rises. What may be quoted
// is the whole plan, the rung reached of a plan in rungs, or an odometer, not the steps that were run.
var stoppingEarly = Lab{
	Name: "stopping-early", Title: "Stopping a training adaptively",
	Summary:   "when a run stops by its own validation loss, and what may be quoted there: rung, odometer, not the part that was run",
	Adjacency: mechanisms.AddRemove, Unit: "data point",
	Params: []param.Param{
		number("sampling_rate", "q", "sampling rate", 0.01, 1e-4, 0.2),
		number("noise_multiplier", "z", "noise multiplier", 1, 0.5, 10),
		whole("steps", "T", "planned steps", 10_000, 100, 100_000),
		whole("rungs", "r", "rungs of the plan", 10, 2, 20),
		number("delta", "δ", "promised δ", 1e-5, 1e-10, 1e-2),
		whole("runs", "", "simulated trainings", 400, 10, 10_000),
	},
	run: runStoppingEarly,
}

func runStoppingEarly(s *trial) {
	steps, rungs, delta, runs := s.whole("steps"), s.whole("rungs"), s.number("delta"), s.whole("runs")
	release := accounting.Subsample(accounting.GaussianDP(1/s.number("noise_multiplier")), s.number("sampling_rate"))
	plan := []accounting.Entry{{Release: release, Count: float64(steps)}}
	parts, err := adaptive.RungBounds(s.ctx, plan, delta, rungs, 1e-3)
	must(parts, cmp.Or(s.ctx.Err(), err))
	orders := adaptive.DefaultOrders
	weights := mapEach(orders, func(float64) float64 { return 1 / float64(len(orders)) })
	var at, fixed, rung, odometer []float64
	for i, part := range parts {
		s.reportProgress(i, rungs)
		count := math.Floor(float64(steps) * float64(i+1) / float64(rungs))
		b := accounting.Evaluate(s.ctx, accounting.Numerical, []accounting.Entry{{Release: release, Count: count}},
			accounting.Target{Delta: delta})
		at, fixed, rung = append(at, count), append(fixed, b.Epsilon), append(rung, part.Epsilon)
		sums := mapEach(orders, func(alpha float64) float64 { r, _ := release.Renyi(alpha); return count * r })
		odometer = append(odometer, adaptive.MixtureOfOrders(orders, weights, sums, delta))
	}
	half := rungs/2 - 1
	s.addUpperBound("rung", rung[half], "up to step "+text(at[half])+", over all runs, with the rung reached; the rungs fixed in advance")
	s.addUpperBound("odometer", odometer[half], "mixture of orders, at step "+text(at[half]))
	s.addFigure("not quotable", fixed[half], "the part that was run, as if it had been the plan")
	s.addUpperBound("plan", fixed[rungs-1], "all "+text(float64(steps))+" steps, whether they are run or not, by the numerical accountant; the cost of the run is by a closed form")
	table := Table{Title: "ε by the step where the run stops", Columns: []string{"step", "rung", "odometer", "not quotable"}, Costs: true}
	for i := range at {
		table.Rows = append(table.Rows, Row{text(at[i]), []float64{rung[i], odometer[i], fixed[i]}})
	}
	s.addTable(table)
	s.addChart(chart.Chart{Title: "What may be quoted where the run stops", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "ε"},
		Series: []chart.Series{{Name: "rung", X: at, Y: rung}, {Name: "odometer", X: at, Y: odometer}, {Name: "not quotable", X: at, Y: fixed}},
		Marks:  []chart.Mark{chart.Horizontal(fixed[rungs-1], "the whole plan")}})
	stops := s.simulateStops(steps, runs)
	centres, density := histogram(stops, 0, float64(steps), 40)
	s.addChart(chart.Chart{Title: "Where the simulated runs stopped", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "density"},
		Series: []chart.Series{{Name: "runs", X: centres, Y: density, Step: true}}})
	mean := stat.Mean(stops, nil)
	s.addFigure("mean stop", mean, "over "+text(float64(runs))+" runs that stop when their noisy validation loss rises")
	s.addSentence("The time to stop depends on the data: a run that stops adaptively at step %s is not a plan of %s steps.", text(at[half]), text(at[half]))
	s.addSentence("Quotable: the plan, %s; the rung reached if the rungs were fixed in advance, %s; the odometer, %s. Not quotable: %s.",
		upperText(fixed[rungs-1]), upperText(rung[half]), upperText(odometer[half]), text(fixed[half]))
	s.spend("training", "dp-sgd", param.Values{
		"noise_multiplier": s.values["noise_multiplier"], "sampling_rate": s.values["sampling_rate"], "steps": s.values["steps"],
	}, 1)
}

// simulateStops returns the step at which each run stops: its validation loss falls and then rises, and is measured
// with noise forty times during the run.
func (s *trial) simulateStops(steps, runs int) []float64 {
	r := s.rand(0)
	list := make([]float64, runs)
	for i := range list {
		list[i] = float64(steps)
		best := math.Inf(1)
		for look := 1; look <= 40; look++ {
			x := float64(look) / 40
			seen := math.Exp(-4*x) + 0.3*x + 0.05*r.NormFloat64()
			if seen > best+0.08 {
				list[i] = x * float64(steps)
				break
			}
			best = math.Min(best, seen)
		}
	}
	return list
}
