package labs

import (
	"cmp"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// shuffledSurvey: yes or no, randomized by each person and shuffled; an attacker who runs some of
// the devices subtracts their reports (Cheu et al. 2019; Feldman, McMillan, Talwar 2021).
var shuffledSurvey = Lab{
	Name: "shuffled-survey", Title: "A survey through a shuffler", Paper: "Feldman, McMillan, Talwar 2021",
	Summary:   "what a shuffler adds to randomized answers, and what is left of it if some of the people collude with the attacker",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε₀", "privacy loss of one answer, before it is shuffled", 2, 0.1, 8),
		whole("people", "n", "people who answer", 1000, 2, 10_000),
		whole("colluders", "", "of them, whose answers the attacker knows; fewer than people", 500, 0, 9_999),
		number("share", "p", "true share of yes", 0.3, 0, 1),
		number("at", "ε", "where δ is measured", 0.1, 0.01, 8),
		whole("samples", "", "simulated surveys in each world", 5000, 100, 100_000),
		number("delta", "δ", "of the cost", 1e-6, 1e-12, 0.1),
	},
	run: runShuffledSurvey,
}

func runShuffledSurvey(s *trial) {
	local, n, samples, at := s.number("epsilon"), s.number("people"), s.whole("samples"), s.number("at")
	colluders := math.Min(s.number("colluders"), n-1)
	s.recordDerivedValue("colluders", colluders)
	honest := n - colluders
	answer := mechanisms.RandomizedResponse{Epsilon: local, Categories: 2}
	s.estimateSurvey(answer, n)

	// All other honest people hold no; she holds no in one world and yes in the other. The attacker
	// counts the yes of all, less those of the colluders, which are known.
	lie := 1 - answer.Truth()
	counts := s.simulateWorlds(samples, 1, func(r *rand.Rand, world int) float64 {
		yes := 0.0
		for person := range int(honest) {
			chance := lie
			if person == 0 && world == 1 {
				chance = 1 - lie
			}
			if r.Float64() < chance {
				yes++
			}
		}
		return yes
	})
	a := measureAttack(at, counts, func(epsilon float64) (float64, float64) {
		return countAttack(honest, lie, epsilon)
	}, shareUpTo)
	all, upper := s.upperProfile(s.shuffledParts(local, n), a.epsilons),
		s.upperProfile(s.shuffledParts(local, honest), a.epsilons)
	central := s.shuffleCost(local, honest)
	s.addUpperBound("ε seen by the shuffler", local, "each answer with its sender")
	s.addUpperBound("ε seen by the analyst", central.Upper, "shuffled, δ = "+text(s.number("delta"))+", with "+text(honest)+" honest people; an attack shows at least "+text(central.Lower))
	s.reportAttack(a, samples, "surveys", "bound")
	s.addUpperBound("bound for the honest people", upper[askedIndex], "δ at the same ε")
	s.addUpperBound("bound if colluders counted", all[askedIndex], "δ at the same ε for "+text(n)+" people: wrong if "+text(colluders)+" collude")
	s.addSentence("The shuffler sees answers of ε = %s; the analyst, who sees them shuffled, learns at most ε = %s of one of %s honest people.", upperText(local), upperText(central.Upper), text(honest))
	if colluders > 0 {
		verdict := "the attack stays below it here, but nothing keeps it there"
		if a.exact[askedIndex] > all[askedIndex] {
			verdict = "which the attack exceeds"
		}
		s.addSentence("Known answers can be subtracted: with the colluders counted as honest δ would be stated as %s, %s (%s).", upperText(all[askedIndex]), verdict, text(a.exact[askedIndex]))
	}
	s.plotAttack("δ of one shuffled survey against ε", a, chart.Series{Name: "bound, honest people", Y: upper}, chart.Series{Name: "bound, colluders counted", Y: all})
	var people, above, below []float64
	for i, m := range []float64{1, 10, 100, 1000, 1e4, 1e5, 1e6} {
		s.reportProgress(i, 7)
		end := s.shuffleCost(local, m)
		people, above, below = append(people, m), append(above, end.Upper), append(below, end.Lower)
	}
	s.addChart(chart.Chart{Title: "What shuffling adds, by honest people", X: chart.Axis{Label: "honest people", Log: true}, Y: chart.Axis{Label: "ε"},
		Series: []chart.Series{{Name: "at most", X: people, Y: above}, {Name: "attack", X: people, Y: below}},
		Marks:  []chart.Mark{chart.Horizontal(local, "seen by the shuffler"), chart.Vertical(honest, "honest here")}})
	s.addLeak(Leak{"few yes among the answers that the attacker does not know", at, a.exact[askedIndex], 0})
	s.spend("shuffled answers", "shuffle", param.Values{
		"of.mechanism": param.ChoiceValue("randomized-response"), "of.epsilon": param.NumberValue(local), "people": param.WholeValue(honest)}, 1)
}

// estimateSurvey draws people with the true share of yes, and their answers, once.
func (s *trial) estimateSurvey(answer mechanisms.RandomizedResponse, n float64) {
	r, share, yes := s.rand(0), s.number("share"), 0.0
	for range int(n) {
		if (r.Float64() < share) == (r.Float64() < answer.Truth()) {
			yes++
		}
	}
	s.addFigure("estimated share", answer.Estimate(yes/n), "shuffled or not; true "+text(share)+", standard deviation "+text(math.Sqrt(answer.EstimatorVariance(share, n))))
}

func (s *trial) shuffledParts(local, people float64) []pairs.Part {
	m := mechanisms.Shuffle{Of: mechanisms.RandomizedResponse{Epsilon: local, Categories: 2}, People: people}
	return must(accounting.Parts(s.ctx, m.Releases(1)))
}

// shuffleCost returns the certified interval of ε of one round.
func (s *trial) shuffleCost(local, people float64) pld.Interval {
	end, err := pld.Epsilon(s.ctx, s.shuffledParts(local, people), s.number("delta"), pld.Options{Width: 1e-3})
	return must(end, cmp.Or(s.ctx.Err(), err))
}

// countAttack returns the largest number of yes that speaks for no, and the δ reached at ε by the
// event of at most that many: all others hold no and lie with the given probability.
func countAttack(honest, lie, epsilon float64) (most, delta float64) {
	others := func(y float64) float64 {
		if y < 0 || y > honest-1 {
			return 0
		}
		return math.Exp(special.LogBinomial(y, honest-1, lie))
	}
	no, yes := 0.0, 0.0 // of at most y, if she holds one or the other
	for y := 0.0; y <= honest; y++ {
		no += (1-lie)*others(y) + lie*others(y-1)
		yes += lie*others(y) + (1-lie)*others(y-1)
		if d := no - math.Exp(epsilon)*yes; d > delta {
			most, delta = y, d
		}
	}
	return most, delta
}
