package labs

import (
	"math"
	"math/bits"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
	"epsiloscope/teach/slides"
)

// generalization: the bounds of differential privacy, max-information and Hoeffding on the
// error of a statistical query that was chosen adaptively, and how often it is exceeded.
var generalization = Lab{
	Name: "generalization", Title: "Privacy prevents overfitting", Decks: "Bassi",
	Summary:   "bounds on P(|sample − population| > τ) by privacy, max-information and Hoeffding, with a simulated frequency below them",
	Adjacency: mechanisms.Replace, Unit: "data point",
	Params: []param.Param{
		whole("n", "n", "samples", 200, 10, 1_000_000),
		number("tau", "τ", "tolerance", 0.1, 1e-3, 0.99),
		whole("queries", "", "random queries the analyst picks the worst of", 2000, 1, 10_000),
		whole("trials", "", "simulated data sets", 200, 10, 100_000),
	},
	run: runGeneralization,
}

func runGeneralization(s *trial) {
	n, tau := s.number("n"), s.number("tau")
	epsilon := slides.GeneralizationEpsilon(n, tau)
	s.addFigure("largest ε the theorem allows", epsilon, "√(τ² − ln 2/(2n)); needs nτ² > ½ ln 2")
	s.addFigure("P by privacy", slides.GeneralizationBound(n, tau), "3√2·e^{−nτ²}")
	s.addFigure("P by Hoeffding", slides.Hoeffding(n, tau), "2e^{−2nτ²}: for a query fixed in advance")
	s.addFigure("max-information, pure", slides.MaxInformation(epsilon, n), "bits: log₂e·εn")
	s.addFigure("max-information, β = 0.01", slides.ApproximateMaxInformation(epsilon, n, 0.01), "bits, for independent rows")
	private, plain := s.pickWorst()
	s.addFigure("seen: a plain pick off by more than τ", plain.off, "the query that looks worst on the sample; its error on average: "+text(plain.mean))
	s.addFigure("seen: a private pick off by more than τ", private.off, "picked by an ε-private exponential mechanism; its error on average: "+text(private.mean))
	s.addSentence("The worst of %s queries is off by more than τ = %s in %s of the runs. Picked privately, in %s of them; the theorem allows %s.",
		text(s.number("queries")), text(tau), text(plain.off), text(private.off),
		upperText(slides.GeneralizationBound(n, tau)))

	ns := logSpread(math.Max(10, n/20), n*20, 60)
	s.addChart(chart.Chart{
		Title: "Bounds against n", X: chart.Axis{Label: "n", Log: true}, Y: chart.Axis{Label: "P(error > τ)", Log: true},
		Series: []chart.Series{
			{Name: "privacy", X: ns, Y: mapEach(ns, func(n float64) float64 { return slides.GeneralizationBound(n, tau) })},
			{Name: "max-information", X: ns, Y: mapEach(ns, func(n float64) float64 { return slides.MaxInformationBound(n, tau) })},
			{Name: "Hoeffding", X: ns, Y: mapEach(ns, func(n float64) float64 { return slides.Hoeffding(n, tau) })},
		},
		Marks: []chart.Mark{chart.Vertical(n, "n")},
	})
	attacked := mechanisms.Exponential{Epsilon: s.pickEpsilon(), Sensitivity: 1 / n, Candidates: oneAhead(2, 0)}
	s.addLeak(s.attackFallingBest(attacked, must(attacked.Selection())))
	s.spendExponential("a query picked privately", mechanisms.Exponential{Epsilon: s.pickEpsilon(), Sensitivity: 1 / n,
		Outputs: s.number("queries")})
}

// picks holds how often a picked query was off by more than τ, and by how much on average.
type picks struct{ off, mean float64 }

func (p *picks) add(deviation, tau, trials float64) {
	p.mean += deviation / trials
	if deviation > tau {
		p.off += 1 / trials
	}
}

// pickEpsilon returns the ε of the private selection: the largest that the theorem allows, or τ if it allows none.
func (s *trial) pickEpsilon() float64 {
	if epsilon := slides.GeneralizationEpsilon(s.number("n"), s.number("tau")); epsilon > 0 {
		return epsilon
	}
	return s.number("tau")
}

// pickWorst picks, on each fresh data set of fair coins, the query with the largest
// deviation: through the exponential mechanism, and plainly.
func (s *trial) pickWorst() (private, plain picks) {
	n, tau := s.whole("n"), s.number("tau")
	epsilon := s.pickEpsilon()
	r, trials, q := s.rand(0), s.whole("trials"), s.whole("queries")
	items := make([]param.Item, q)
	for t := range trials {
		s.reportProgress(t, trials)
		worst := 0.0
		for i := range items {
			ones := 0
			for range n / 64 {
				ones += bits.OnesCount64(r.Uint64())
			}
			ones += bits.OnesCount64(r.Uint64() & (1<<(n%64) - 1))
			if s.isNeighbour() && ones > 0 { // a coin that fell on one for every query falls on zero
				ones--
			}
			items[i].Value = math.Abs(float64(ones)/float64(n) - 0.5)
			worst = math.Max(worst, items[i].Value)
		}
		sel := must(mechanisms.Exponential{Epsilon: epsilon, Sensitivity: 1 / float64(n),
			Candidates: items}.Selection())
		picked := s.choose(pick(r, sel.Probabilities), items, 1/float64(n))
		s.publish(float64(picked))
		private.add(items[picked].Value, tau, float64(trials))
		plain.add(worst, tau, float64(trials))
	}
	return private, plain
}
