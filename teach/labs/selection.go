package labs

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// selectionLab: six ways to pick the best candidate, on the same scores.
var selectionLab = Lab{
	Name: "selection", Title: "Picking the winner", Decks: "Bassi, Bellet",
	Summary:   "exponential mechanism, report noisy max and releasing all scores: probability of the right answer against the gap",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss of one selection", 0.5, 1e-3, 100),
		whole("candidates", "m", "candidates", 10, 2, 1000),
		number("gap", "", "how far the best score is above all others", 10, 0.01, 1e6),
		whole("samples", "", "simulated selections", 10_000, 100, 1_000_000),
	},
	run: runSelection,
}

// selectionWays are the ways compared, all at the same ε; each is report noisy max with some
// noise. Releasing all m scores and looking which is largest costs ε/m a score.
var selectionWays = []struct {
	name     string
	noise    string
	monotone bool // scores that only grow when a record comes: half the noise does
	all      bool // release every score
}{
	{"exponential", "gumbel", false, false},
	{"noisy max, exponential noise", "exponential", false, false},
	{"noisy max, Lap(2/ε)", "laplace", false, false},
	{"noisy max of counts, Lap(1/ε)", "laplace", true, false},
	{"release all, Lap(m/ε)", "laplace", true, true},
}

func runSelection(s *trial) {
	m, gap := s.whole("candidates"), s.number("gap")
	table := Table{Title: "Probability of the right answer", Columns: []string{"by", "exact", "simulated"}}
	plot := chart.Chart{Title: "Right answer against the gap", X: chart.Axis{Label: "gap between best and rest", Log: true}, Y: chart.Axis{Label: "P(right)"},
		Marks: []chart.Mark{chart.Vertical(gap, "gap")}}
	gaps := logSpread(gap/30, gap*10, 25)
	for i, way := range selectionWays {
		rival := mechanisms.NoisyMax{Epsilon: s.number("epsilon"), Sensitivity: 1, Shape: way.noise, Monotone: way.monotone}
		if way.all {
			rival.Epsilon /= float64(m)
		}
		exact := func(gap float64) float64 {
			rival.Candidates = oneAhead(m, gap)
			return must(rival.Selection()).Right()
		}
		plot.Series = append(plot.Series, chart.Series{Name: way.name, X: gaps, Y: mapEach(gaps, exact)})
		right := exact(gap)
		table.Rows = append(table.Rows, Row{way.name, []float64{right, s.simulateRival(rival, uint64(i))}})
		s.reportProgress(i+1, len(selectionWays))
	}
	s.addTable(table)
	s.addChart(plot)
	for _, row := range table.Rows {
		s.addFigure("P(right), "+row.Label, row.Values[0], "simulated: "+text(row.Values[1]))
	}
	s.addSentence("The exponential mechanism is noisy max with Gumbel noise; exponential noise (permute and flip) is never worse.")
	s.addSentence("Lap(1/ε), the slide's noise, is enough for counts when records come and go; other scores need Lap(2/ε).")
	s.addSentence("Releasing every score instead divides ε by m = %d.", m)
	s.addSentence("Only the exponential mechanism has bounded range, so only it gets the cheaper ρ = ε²/8 when repeated.")
	picked := mechanisms.Exponential{Epsilon: s.number("epsilon"), Sensitivity: 1, Candidates: oneAhead(m, gap)}
	s.addLeak(s.attackFallingBest(picked, must(picked.Selection())))
	s.spendExponential("one selection, by the exponential mechanism; the other ways cost the same ε", mechanisms.Exponential{Epsilon: picked.Epsilon, Sensitivity: 1, Outputs: float64(m)})
}

// oneAhead returns m scores, the first ahead of all others by the gap.
func oneAhead(m int, gap float64) []param.Item {
	items := make([]param.Item, m)
	items[0].Value = gap
	return items
}

// simulateRival adds noise to every score and counts how often the best wins.
func (s *trial) simulateRival(rival mechanisms.NoisyMax, stream uint64) float64 {
	shape, items := rival.Noise(), rival.Candidates
	if s.isNeighbour() {
		items = changedScores(items, rival.Sensitivity)
	}
	r, n, right := s.rand(10+stream), s.whole("samples"), 0.0
	for k := range n {
		if k%1024 == 0 {
			must(0, s.ctx.Err())
		}
		best, bestScore := 0, items[0].Value+shape.Rand(r)
		for i := 1; i < len(items); i++ {
			if x := items[i].Value + shape.Rand(r); x > bestScore {
				best, bestScore = i, x
			}
		}
		if s.choose(best, items, rival.Sensitivity) == 0 {
			right++
		}
	}
	s.publish(right)
	return right / float64(n)
}
