package labs

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// randomizedResponse: every person lies with a known probability; the share is
// still estimated without bias.
var randomizedResponse = Lab{
	Name: "randomized-response", Title: "The coin survey", Decks: "Park, Machanavajjhala",
	Summary:   "a survey where everyone lies with a coin: the estimate, its spread and its ε = ln((½+γ)/(½−γ))",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("gamma", "γ", "the true answer is given with probability ½+γ", 0.25, 1e-4, 0.4999),
		number("share", "p", "true share of yes", 0.3, 0, 1),
		whole("people", "n", "people asked", 1000, 1, 1_000_000),
		whole("surveys", "", "how often the whole survey is run", 2000, 10, 100_000),
	},
	run: runRandomizedResponse,
}

func runRandomizedResponse(s *trial) {
	gamma, share, n := s.number("gamma"), s.number("share"), s.number("people")
	m := mechanisms.RandomizedResponse{Epsilon: math.Log((0.5 + gamma) / (0.5 - gamma)), Categories: 2}
	r, runs := s.rand(0), s.whole("surveys")
	estimates, told := make([]float64, runs), 0.0
	s.startSequence(Sequence{Columns: []string{"estimate", "share of yes", "hides", "answer"}, CurveCount: 2})
	for i := range estimates {
		s.reportProgress(i, runs)
		yes := 0.0
		for person := range int(n) {
			truth := r.Float64() < share
			if s.isNeighbour() && person == 0 {
				truth = !truth
			}
			honest := r.Float64() < m.Truth()
			if honest {
				told++
			}
			hidden := 0.0
			if truth {
				hidden = 1
			}
			if s.randomizeAnswer(hidden, truth == honest, 1) {
				yes++
			}
			if i == 0 && s.keepsSteps() {
				s.addPersonStep(m, person+1, truth, honest, yes)
			}
		}
		estimates[i] = m.Estimate(yes / n)
		s.publish(estimates[i])
	}
	mean, dev := stat.MeanStdDev(estimates, nil)
	want := math.Sqrt(m.EstimatorVariance(share, n))
	s.addUpperBound("ε", m.Epsilon, "ln((½+γ)/(½−γ)); ln 3 only at γ = ¼")
	s.addFigure("mean of the estimates", mean, "unbiased: the true share is "+text(share))
	s.addFigure("their standard deviation", dev, "theory: "+text(want))
	s.addFigure("without randomization", math.Sqrt(share*(1-share)/n), "sampling error alone")
	s.addSentence("One answer changes the odds of what a person hides by a factor of at most %s (ε = %s); together %s people give the share to ±%s.",
		upperText(math.Exp(m.Epsilon)), upperText(m.Epsilon), text(n), text(1.96*want))

	lo, hi := share-4.5*want, share+4.5*want
	xs, density := histogram(estimates, lo, hi, 45)
	curve := spread(lo, hi, 181)
	s.addChart(chart.Chart{
		Title: "Estimates of the share", X: chart.Axis{Label: "estimate"}, Y: chart.Axis{Label: "density"},
		Series: []chart.Series{
			{Name: "simulated", X: xs, Y: density, Step: true},
			{Name: "normal limit", X: curve, Y: mapEach(curve, func(x float64) float64 { return special.NormalPDF((x-share)/want) / want })},
		},
		Marks: []chart.Mark{chart.Vertical(share, "truth")},
	})
	gammas := logSpread(0.005, 0.495, 80)
	s.addChart(chart.Chart{
		Title: "Spread of the estimate against γ", X: chart.Axis{Label: "γ", Log: true}, Y: chart.Axis{Label: "standard deviation", Log: true},
		Series: []chart.Series{{Name: "n = " + text(n), X: gammas, Y: mapEach(gammas, func(g float64) float64 {
			rr := mechanisms.RandomizedResponse{Epsilon: math.Log((0.5 + g) / (0.5 - g)), Categories: 2}
			return math.Sqrt(rr.EstimatorVariance(share, n))
		})}},
		Marks: []chart.Mark{chart.Vertical(gamma, "γ"), chart.Horizontal(math.Sqrt(share*(1-share)/n), "sampling error")},
	})
	answers, at := n*float64(runs), m.Epsilon/2
	s.addLeak(Leak{"the answer yes of a person who hides yes, against one who hides no", at, told/answers - math.Exp(at)*(1-told/answers), 0.5 * (1 + math.Exp(at)) / math.Sqrt(answers)})
	s.spend("survey", "randomized-response", epsilonValue(m.Epsilon), 1)
}

// addPersonStep keeps one answer of the first survey.
func (s *trial) addPersonStep(m mechanisms.RandomizedResponse, n int, truth, told bool, yes float64) {
	word, number := map[bool]string{true: "yes", false: "no"}, map[bool]float64{true: 1}
	coin := "the coin says lie"
	if told {
		coin = "the coin says tell"
	}
	seen := yes / float64(n)
	s.addStep(false, []float64{m.Estimate(seen), seen, number[truth], number[truth == told]},
		"Person %d hides %s; %s; the answer is %s. The share of yes is %s, so p is estimated as %s.", n, word[truth], coin, word[truth == told], text(seen), text(m.Estimate(seen)))
}
