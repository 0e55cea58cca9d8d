package labs

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// thresholdout: an analyst selects features by asking the holdout, on data without
// any signal. A plain holdout is overfitted; Thresholdout is not.
var thresholdout = Lab{
	Name: "thresholdout", Title: "The reusable holdout", Decks: "Bassi",
	Summary:   "feature selection on pure noise: a plain holdout believes it, Thresholdout does not",
	Adjacency: mechanisms.Replace, Unit: "data point",
	Params: []param.Param{
		whole("n", "n", "rows of the training set, and of the holdout", 4000, 64, 50_000),
		whole("features", "d", "features, all of them noise", 1000, 10, 10_000),
		whole("keep", "k", "features the final majority vote uses", 101, 1, 2001),
		number("sigma", "σ", "scale of Thresholdout's noise, in shares", 0.005, 1e-5, 1),
		number("threshold", "T", "gap that counts as overfitting", 0.03, 0, 1),
		whole("budget", "B", "overfitting answers paid for", 300, 1, 100_000),
		whole("trials", "", "repetitions", 8, 1, 1000),
	},
	run: runThresholdout,
}

// reusableHoldout answers statistical queries on a holdout set by Thresholdout.
type reusableHoldout struct {
	s     *trial
	m     mechanisms.Thresholdout
	r     *rand.Rand
	left  int
	level float64
	seen  func(train, holdout, shown float64, paid bool) // called with every answer; may be nil
}

// newHoldout starts Thresholdout with its full budget.
func (s *trial) newHoldout(m mechanisms.Thresholdout, r *rand.Rand) *reusableHoldout {
	h := &reusableHoldout{s: s, m: m, r: r, left: int(m.Budget)}
	h.drawLevel()
	return h
}

func (h *reusableHoldout) drawLevel() {
	h.level = h.m.Threshold + mechanisms.LaplaceNoise(h.m.ThresholdScale()).Rand(h.r)
}

// ask returns the answer to a query whose values on the training set and on the holdout are given. A nil h is a plain
// holdout and returns the value on the holdout; once the budget is spent the value on the training set is returned.
func (h *reusableHoldout) ask(train, holdout float64) float64 {
	switch {
	case h == nil:
		return holdout
	case h.left == 0:
		return train
	}
	gap := math.Abs(train - holdout)
	above := gap+mechanisms.LaplaceNoise(h.m.QueryScale()).Rand(h.r) > h.level
	shown, paid := train, h.s.randomizeAnswer(gap, above, 1/h.m.N)
	if paid {
		h.left--
		h.drawLevel()
		shown = h.s.randomizeOne(holdout, holdout+mechanisms.LaplaceNoise(h.m.Sigma).Rand(h.r), 1/h.m.N)
	}
	if h.seen != nil {
		h.seen(train, holdout, shown, paid)
	}
	return shown
}

func runThresholdout(s *trial) {
	var train, shown, fresh [2][]float64 // accuracies: [0] with a plain holdout, [1] with Thresholdout
	paid, spent := 0.0, false
	trials := s.whole("trials")
	s.recordDerivedValue("n", math.Ceil(s.number("n")/64)*64)
	m := mechanisms.Thresholdout{Budget: s.number("budget"), Sigma: s.number("sigma"), N: math.Ceil(s.number("n")/64) * 64,
		Threshold: s.number("threshold")}
	for t := range trials {
		for way := range 2 {
			s.reportProgress(2*t+way, 2*trials)
			r := s.rand(uint64(t))
			a, b, c := newBitData(r, s.whole("n"), s.whole("features")), newBitData(r, s.whole("n"), s.whole("features")),
				newBitData(r, s.whole("n"), s.whole("features"))
			if s.isNeighbour() {
				b.flipFirstRow()
			}
			var holdout *reusableHoldout // nil: a plain one
			if way == 1 {
				holdout = s.newHoldout(m, s.rand(1000+uint64(t)))
				if t == 0 {
					s.watchHoldout(holdout)
				}
			}
			chosen, flip := selectFeatures(a, b, holdout, s.whole("keep"))
			accTrain, accHold := a.agreement(a.vote(chosen, flip)), b.agreement(b.vote(chosen, flip))
			train[way] = append(train[way], accTrain)
			shown[way] = append(shown[way], holdout.ask(accTrain, accHold))
			if holdout != nil {
				paid += (m.Budget - float64(holdout.left)) / float64(trials)
				spent = spent || holdout.left == 0
			}
			fresh[way] = append(fresh[way], c.agreement(c.vote(chosen, flip)))
			if holdout != nil {
				s.publish(shown[way][t], fresh[way][t])
			}
		}
	}
	table := Table{Title: "Accuracy of the final vote; the truth is 0.5", Columns: []string{"holdout", "training", "holdout shows", "fresh data", "shown − fresh"}}
	plot := chart.Chart{Title: "Accuracy of the final vote", Y: chart.Axis{Label: "accuracy"}, Marks: []chart.Mark{chart.Horizontal(0.5, "no signal")}}
	for way, name := range []string{"plain", "Thresholdout"} {
		tr := stat.Mean(train[way], nil)
		sh := stat.Mean(shown[way], nil)
		fr := stat.Mean(fresh[way], nil)
		table.Rows = append(table.Rows, Row{name, []float64{tr, sh, fr, sh - fr}})
		plot.Bars = append(plot.Bars, chart.Bar{Label: name + ": training", Value: tr}, chart.Bar{Label: name + ": holdout shows", Value: sh},
			chart.Bar{Label: name + ": fresh data", Value: fr})
	}
	s.addTable(table)
	s.addChart(plot)
	s.addFigure("overfitting of the plain holdout", table.Rows[0].Values[3], "what it shows, less the truth on fresh data")
	s.addFigure("overfitting of Thresholdout", table.Rows[1].Values[3], "")
	s.addFigure("answers paid for", paid, "on average, of the "+text(m.Budget)+" the budget allows")
	s.addUpperBound("privacy cost, pure", m.PureEpsilon(), "2B/(σn), with n = "+text(m.N)+": rows come in 64s")
	s.addSentence("On pure noise the plain holdout shows %s accuracy; fresh data says %s.", text(table.Rows[0].Values[1]), text(table.Rows[0].Values[2]))
	s.addSentence("Thresholdout shows %s where fresh data says %s.", text(table.Rows[1].Values[1]), text(table.Rows[1].Values[2]))
	if spent {
		s.addSentence("The budget was spent before the end: from there on the analyst sees the training set alone, and overfits it.")
	}
	s.addLeak(attackNoisyValue("one noisy holdout value above the middle of its values on two neighbours", mechanisms.LaplaceNoise(m.Sigma), 1/m.N))
	s.spend("Thresholdout's holdout; the plain one is not private", "thresholdout", param.Values{
		"overfit_budget": param.WholeValue(m.Budget), "sigma": param.NumberValue(m.Sigma),
		"n": param.WholeValue(m.N), "threshold": param.NumberValue(m.Threshold),
	}, 1)
}

// watchHoldout keeps the answers of the first repetition as steps.
func (s *trial) watchHoldout(h *reusableHoldout) {
	s.startSequence(Sequence{Columns: []string{"training", "holdout", "shown", "answers left"}, CurveCount: 3, Window: 40, Mark: "from the holdout, paid for"})
	h.seen = func(train, holdout, shown float64, paid bool) {
		says := "Training set and holdout agree up to the noisy threshold: the training value is shown, and the holdout stays unseen."
		if paid {
			says = "They differ by more than the noisy threshold: the holdout's value is shown, with noise, and paid for."
		}
		s.addStep(paid, []float64{train, holdout, shown, float64(h.left)}, "%s", says)
	}
}
