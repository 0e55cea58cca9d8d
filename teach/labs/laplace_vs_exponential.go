package labs

import (
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// laplaceVsExponential: with the score −|f(D) − o| the exponential mechanism is
// Laplace noise, at twice the scale.
var laplaceVsExponential = Lab{
	Name: "laplace-vs-exponential", Title: "Laplace as an exponential mechanism", Decks: "Machanavajjhala",
	Summary:   "the score −|f(D) − o| gives Lap(2Δ/ε): both densities, and samples from a fine grid of outputs",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss", 1, 1e-3, 100),
		number("sensitivity", "Δ", "most one record moves f", 1, 1e-6, 1e6),
		whole("samples", "", "how many outputs are drawn", 20_000, 100, 1_000_000),
	},
	run: runLaplaceVsExponential,
}

func runLaplaceVsExponential(s *trial) {
	lap := mechanisms.Laplace{Epsilon: s.number("epsilon"), Sensitivity: s.number("sensitivity")}
	// Outputs on a grid around f(D) = 0, fine enough to look continuous.
	reach, cells := 20*lap.Scale(), 1601
	grid := spread(-reach, reach, cells)
	items := make([]param.Item, cells)
	answer := 0.0 // f(D)
	if s.isNeighbour() {
		answer = lap.Sensitivity
	}
	for i, o := range grid {
		items[i].Value = -math.Abs(o - answer)
	}
	m := mechanisms.Exponential{Epsilon: lap.Epsilon, Sensitivity: lap.Sensitivity, Candidates: items}
	counts := s.drawSelections(must(m.Selection()), s.whole("samples"), m.Sensitivity)
	s.publish(counts...)
	meanAbs := 0.0
	for i, c := range counts {
		meanAbs += c * math.Abs(grid[i]) / s.number("samples")
	}
	wide := mechanisms.LaplaceNoise(2 * lap.Scale())
	s.addFigure("Laplace mechanism's scale", lap.Scale(), "Δ/ε")
	s.addFigure("exponential mechanism's scale", 2*lap.Scale(), "2Δ/ε, the price of generality")
	s.addFigure("mean |output| drawn", meanAbs, "Lap(2Δ/ε) expects "+text(2*lap.Scale()))
	s.addSentence("The score must be −|f(D) − o|: with +|f(D) − o| the mechanism would prefer outputs far from the truth.")
	s.addSentence("Over the whole line this noise is even ε/2-private: the normaliser does not move with f(D).")

	width := grid[1] - grid[0]
	xs := spread(-6*lap.Scale(), 6*lap.Scale(), 161)
	shown, density := regroup(grid, counts, s.number("samples"), width, 20)
	s.addChart(chart.Chart{
		Title: "Densities around the true answer", X: chart.Axis{Label: "output − f(D)"}, Y: chart.Axis{Label: "density"},
		Series: []chart.Series{
			{Name: "sampled", X: shown, Y: density, Step: true},
			{Name: "exponential = Lap(2Δ/ε)", X: xs, Y: mapEach(xs, wide.Density)},
			{Name: "Laplace = Lap(Δ/ε)", X: xs, Y: mapEach(xs, lap.Noise().Density)},
		},
	})
	// outputs below Δ/2, and below −Δ/2: as often as below Δ/2 on a neighbour whose f is larger by Δ
	near, far := 0.0, 0.0
	for i, c := range counts {
		if grid[i] < lap.Sensitivity/2 {
			near += c / s.number("samples")
		}
		if grid[i] < -lap.Sensitivity/2 {
			far += c / s.number("samples")
		}
	}
	s.addLeak(Leak{"an output below f(D) + Δ/2, against a neighbour with f(D′) = f(D) + Δ", 0, near - far, math.Sqrt(0.5 / s.number("samples"))})
	s.spendExponential("an answer", mechanisms.Exponential{Epsilon: m.Epsilon, Sensitivity: m.Sensitivity,
		Outputs: float64(cells)})
}

// regroup joins every few grid cells into one bar of a histogram.
func regroup(grid, counts []float64, n, width float64, cells int) (xs, density []float64) {
	for i := 0; i+cells <= len(grid); i += cells {
		sum := 0.0
		for _, c := range counts[i : i+cells] {
			sum += c
		}
		xs = append(xs, grid[i+cells/2])
		density = append(density, sum/(n*width*float64(cells)))
	}
	return xs, density
}
