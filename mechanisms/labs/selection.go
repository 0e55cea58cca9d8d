package labs

import (
	"epsiloscope/mechanisms"
)

// selection: four ways to pick the best candidate, on the same scores.
var selection = Lab{
	Name: "selection", Title: "Picking the winner", Decks: "Bassi, Bellet",
	Summary: "exponential mechanism and report noisy max with three noises: probability of the right answer against the gap",
	Params: []mechanisms.Param{
		number("epsilon", "ε", "privacy loss of one selection", 0.5, 1e-3, 100),
		whole("candidates", "m", "candidates", 10, 2, 1000),
		number("gap", "", "how far the best score is above all others", 10, 0.01, 1e6),
		whole("samples", "", "simulated selections", 10_000, 100, 1_000_000),
	},
	run: runSelection,
}

// rivals are the ways compared, all at the same ε.
var rivals = []struct{ name, mechanism, noise string }{
	{"exponential", "exponential", ""},
	{"noisy max, Gumbel", "noisy-max", "gumbel"},
	{"noisy max, exponential noise", "noisy-max", "exponential"},
	{"noisy max, Laplace", "noisy-max", "laplace"},
}

func runSelection(s *trial) error {
	m, gap := s.whole("candidates"), s.number("gap")
	table := Table{Title: "Probability of the right answer", Columns: []string{"by", "exact", "simulated"}}
	plot := Plot{Title: "Right answer against the gap", XLabel: "gap between best and rest", YLabel: "P(right)", XLog: true,
		Lines: []Line{vertical(gap, "gap")}}
	gaps := logSpread(gap/30, gap*10, 25)
	for i, way := range rivals {
		sel, err := selectionOf(way.mechanism, way.noise, s.number("epsilon"), oneAhead(m, gap))
		if err != nil {
			return err
		}
		right, err := s.simulateRival(way.noise, oneAhead(m, gap), uint64(i))
		if err != nil {
			return err
		}
		table.Rows = append(table.Rows, Row{way.name, []float64{sel.Right(), right}})
		series := Series{Name: way.name, X: gaps}
		for _, g := range gaps {
			at, err := selectionOf(way.mechanism, way.noise, s.number("epsilon"), oneAhead(m, g))
			if err != nil {
				return err
			}
			series.Y = append(series.Y, at.Right())
		}
		plot.Series = append(plot.Series, series)
		if err := s.step(i+1, len(rivals)); err != nil {
			return err
		}
	}
	s.table(table)
	s.plot(plot)
	for _, row := range table.Rows {
		s.figure("P(right), "+row.Label, row.Values[0], "simulated: "+text(row.Values[1]))
	}
	s.say("Gumbel noise is the exponential mechanism exactly; exponential noise (permute and flip) is never worse.")
	s.say("Only the first two have bounded range, so only they get the cheaper ρ = ε²/8 when repeated.")
	values := epsilonValue(s.number("epsilon"))
	values["scores"] = mechanisms.ScoresValue(scoresOf(oneAhead(m, gap))...)
	s.spend("a selection", "exponential", values, 1)
	return nil
}

// oneAhead is m scores, the first ahead of all others by the gap.
func oneAhead(m int, gap float64) []mechanisms.Item {
	items := make([]mechanisms.Item, m)
	items[0].Value = gap
	return items
}

func scoresOf(items []mechanisms.Item) []float64 {
	scores := make([]float64, len(items))
	for i := range items {
		scores[i] = items[i].Value
	}
	return scores
}

func selectionOf(kind, noise string, epsilon float64, items []mechanisms.Item) (*mechanisms.Selection, error) {
	if kind == "exponential" {
		return mechanisms.Exponential{Epsilon: epsilon, Sensitivity: 1, Candidates: items}.Selection()
	}
	return mechanisms.NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: noise, Candidates: items}.Selection()
}

// simulateRival adds noise to every score and counts how often the best wins; the
// exponential mechanism is drawn by its Gumbel form.
func (s *trial) simulateRival(noise string, items []mechanisms.Item, stream uint64) (float64, error) {
	if noise == "" {
		noise = "gumbel"
	}
	shape := mechanisms.NoisyMax{Epsilon: s.number("epsilon"), Sensitivity: 1, Shape: noise}.Noise()
	r, n, right := s.rand(10+stream), s.whole("samples"), 0.0
	for k := range n {
		if k%1024 == 0 && s.ctx.Err() != nil {
			return 0, s.ctx.Err()
		}
		best, bestScore := 0, items[0].Value+shape.Rand(r)
		for i := 1; i < len(items); i++ {
			if x := items[i].Value + shape.Rand(r); x > bestScore {
				best, bestScore = i, x
			}
		}
		if best == 0 {
			right++
		}
	}
	return right / float64(n), nil
}
