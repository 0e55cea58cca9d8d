package labs

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// odometers shows that a bound for a fixed number of releases is crossed at some time more often
// than δ, and an odometer is not. The line is tight at the budget it is tuned to; the mixture is
// slightly looser there and not far from tight everywhere.
var odometers = Lab{
	Name: "odometers", Title: "Adaptive stopping: line against mixture", Paper: "Whitehouse et al. 2023",
	Summary:   "the loss of Gaussian releases, watched all the time: how often each bound is crossed at some time",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("mu", "μ", "μ of one release", 0.02, 1e-3, 1),
		whole("count", "K", "releases", 1000, 10, 20_000),
		number("delta", "δ", "probability promised", 0.05, 1e-6, 0.2),
		number("epsilon", "ε", "budget the line is tuned to", 1, 0.05, 20),
		whole("samples", "", "simulated sessions", 4000, 100, 100_000),
	},
	run: runOdometers,
}

func runOdometers(s *trial) {
	mu, k, delta, n := s.number("mu"), s.whole("count"), s.number("delta"), s.whole("samples")
	epsilon := s.number("epsilon")
	gamma := adaptive.LineVariance(epsilon, delta) // where the line is sharp
	curves := []struct {
		name string
		at   func(v float64) float64
		hits int
	}{
		{name: "fixed number", at: func(v float64) float64 { return accounting.ConcentratedToEpsilonClassic(v/2, delta) }},
		{name: "line", at: func(v float64) float64 { return adaptive.Line(v, epsilon, delta) }},
		{name: "mixture", at: func(v float64) float64 { return adaptive.OneSidedMixture(v, gamma, delta) }},
	}
	bounds := make([][]float64, len(curves))
	for c := range curves {
		bounds[c] = mapEach(spread(1, float64(k), k), func(n float64) float64 { return curves[c].at(n * mu * mu) })
	}
	noise := mechanisms.Gaussian{Sigma: 1 / mu, Sensitivity: 1}.Noise()
	r, ends := s.rand(0), []float64{}
	for i := range n {
		s.reportProgress(i, n)
		loss := 0.0
		crossed := make([]bool, len(curves))
		for step := range k {
			loss += mu*mu/2 - mu*mu*noise.Rand(r)
			for c := range curves {
				crossed[c] = crossed[c] || loss > bounds[c][step]
			}
		}
		ends = append(ends, loss)
		for c := range curves {
			if crossed[c] {
				curves[c].hits++
			}
		}
	}
	var series []chart.Series
	xs := mapEach(logSpread(1, float64(k), 60), math.Round)
	table := Table{Title: "How often the loss was above the bound at some time", Columns: []string{"bound", "share of sessions"}}
	for _, c := range curves {
		share := float64(c.hits) / float64(n)
		s.addFigure("crossed: "+c.name, share, "promised "+text(delta))
		table.Rows = append(table.Rows, Row{c.name, []float64{share}})
		series = append(series, chart.Series{Name: c.name, X: xs,
			Y: mapEach(xs, func(x float64) float64 { return c.at(x * mu * mu) })})
	}
	s.addTable(table)
	s.addChart(chart.Chart{Title: "What may be quoted after n releases", X: chart.Axis{Label: "n", Log: true},
		Y: chart.Axis{Label: "ε", Log: true}, Series: series,
		Marks: []chart.Mark{chart.Vertical(gamma/(mu*mu), "where the line is sharp")}})
	s.addSentence("Looked at after every release, the bound for a fixed number is crossed at some time in %s of the sessions; %s was promised.", text(float64(curves[0].hits)/float64(n)), text(delta))
	s.addSentence("The line is tuned to ε = %s and sharp at n = %s; the mixture is never sharp and nowhere far off.", text(epsilon), text(math.Round(gamma/(mu*mu))))
	s.addSentence("Only an odometer may be quoted under adaptive stopping: if the time to stop depends on the outputs.")
	end := float64(k) * mu * mu
	s.addLeak(lossLeak(ends, end/2+math.Sqrt(end)))
	s.spend("releases", "gaussian", param.Values{"sigma": param.NumberValue(1 / mu)}, float64(k))
}
