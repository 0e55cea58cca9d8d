package labs

import (
	"math"
	"math/rand/v2"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// sparseVector: a stream of queries of which only the few above a threshold are
// paid for.
var sparseVector = Lab{
	Name: "sparse-vector", Title: "The sparse vector technique", Decks: "Bassi",
	Summary:   "a stream of queries, only the positives are paid for: answers, cost, the theorem's α and the slide's halting rule",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "total privacy loss", 1, 1e-3, 100),
		number("delta", "δ", "total δ; 0 for pure", 0, 0, 0.5),
		whole("positives", "c", "positives released before halting", 5, 1, 1000),
		whole("queries", "k", "queries in the stream", 1000, 1, 1_000_000),
		number("threshold", "T", "threshold", 1000, -1e9, 1e9),
		number("beta", "β", "the theorem's failure probability", 0.05, 1e-9, 0.5),
		choice("thresholds", "one threshold for all queries, or each its own: q − T_i is a query too, compared with 0", "one", "own"),
	},
	run: runSparseVector,
}

// answerStream answers a stream of queries, given by how far each is above its threshold, with
// the mechanism's noise: true if the noisy gap is above the noise of the threshold. It halts
// once c positives are out; slide takes the slide's rule instead, which lets one more through.
// seen, if not nil, is called with each comparison.
func (s *trial) answerStream(m mechanisms.SparseVector, gaps []float64, r *rand.Rand, slide bool,
	seen func(noisy, level float64)) (answers []bool, positives int, worst float64) {
	run := m.Run()
	threshold := mechanisms.LaplaceNoise(run.ThresholdScale())
	query := mechanisms.LaplaceNoise(run.QueryScale())
	level := threshold.Rand(r)
	limit := int(m.Positives)
	if slide {
		limit++ // "count > c" releases c+1
	}
	for _, gap := range gaps {
		noisy := gap + query.Rand(r)
		above := s.randomizeAnswer(gap, noisy >= level, m.Sensitivity)
		answers = append(answers, above)
		if seen != nil {
			seen(noisy, level)
		}
		if above {
			worst = math.Max(worst, -gap)
			level = threshold.Rand(r)
			if positives++; positives >= limit {
				break
			}
		} else {
			worst = math.Max(worst, gap)
		}
	}
	return answers, positives, worst
}

func runSparseVector(s *trial) {
	m := mechanisms.SparseVector{
		Epsilon: s.number("epsilon"), Delta: s.number("delta"), Positives: s.number("positives"),
		Sensitivity: 1, Threshold: s.number("threshold"), Queries: s.number("queries"),
	}
	alpha := m.Accuracy(m.Queries, s.number("beta"))
	gaps := s.gaps(m, alpha)
	thresholds := s.thresholds(m, alpha)
	stream := make([]float64, len(gaps))
	for i := range gaps {
		stream[i] = thresholds[i] + gaps[i]
	}
	s.startSequence(Sequence{Columns: []string{"value", "noisy value", "noisy T", "ε left"}, CurveCount: 3, Window: 40, Mark: "⊤, paid for"})
	i, left := -1, m.Positives
	answers, positives, worst := s.answerStream(m, gaps, s.rand(1), false, func(noisy, level float64) {
		i++
		says := "⊥: the noisy value is below the noisy threshold. That is all the analyst sees, and it is free."
		if noisy >= level {
			left--
			says = "⊤: the noisy value is above. One of " + text(m.Positives) + " runs is spent; the threshold gets new noise."
		}
		s.addStep(noisy >= level, []float64{stream[i], thresholds[i] + noisy, thresholds[i] + level,
			m.RunEpsilon() * left}, "%s", says)
	})
	s.publish(float64(len(answers)), float64(positives))
	_, slide, _ := s.answerStream(m, gaps, s.rand(1), true, nil)
	s.addFigure("ε of one run", m.RunEpsilon(), "c runs of AboveThreshold")
	s.addFigure("queries answered", float64(len(answers)), "of "+text(m.Queries)+" before the c-th positive")
	s.addFigure("positives", float64(positives), "halts at the c-th")
	s.addFigure("positives by the slide's rule", float64(slide), "\"count > c\" releases one more: ε is then "+upperText(m.SlideHalting()))
	s.addFigure("theorem's α", alpha, "with probability at least 1−β, every answer is within this")
	s.addFigure("largest error seen", worst, "how far on the wrong side of T a value was answered")
	s.addSentence("%d queries were answered for the price of %s positives.", len(answers), text(m.Positives))
	if m.Delta > 0 && m.IsPure() {
		s.addSentence("δ = %s is not used: for so few positives basic composition allows each run more ε than the advanced theorem.", text(m.Delta))
	}

	failures, trials := 0.0, 400
	for t := range trials {
		s.reportProgress(t, trials)
		if _, _, w := s.answerStream(m, gaps, s.rand(100+uint64(t)), false, nil); w > alpha {
			failures++
		}
	}
	s.addFigure("runs with an error above α", failures/float64(trials), "theorem: at most "+text(s.number("beta")))
	index := spread(0, float64(len(answers)-1), max(2, len(answers)))[:len(answers)]
	above := make([]float64, len(answers))
	for i := range above {
		above[i] = math.NaN()
		if answers[i] {
			above[i] = stream[i]
		}
	}
	plot := chart.Chart{
		Title: "The stream", X: chart.Axis{Label: "query"}, Y: chart.Axis{Label: "value"},
		Series: []chart.Series{{Name: "value", X: index, Y: stream[:len(answers)]},
			{Name: "answered yes", X: index, Y: above, Step: true}},
	}
	if s.choice("thresholds") == "own" {
		plot.Series = append(plot.Series, chart.Series{Name: "threshold", X: index, Y: thresholds[:len(answers)]})
		s.addSentence("Each query has a threshold T_i of its own: q_i − T_i has the same sensitivity and is compared with 0, so nothing else changes.")
	} else {
		plot.Marks = []chart.Mark{chart.Horizontal(m.Threshold, "T")}
	}
	s.addChart(plot)
	run := m.Run()
	s.addLeak(attackThreshold(run.ThresholdScale(), run.QueryScale(), m.Sensitivity))
	s.spend("sparse vector", "sparse-vector", param.Values{
		"epsilon": param.NumberValue(m.Epsilon), "delta": param.NumberValue(m.Delta),
		"positives": param.WholeValue(m.Positives), "queries": param.WholeValue(m.Queries), "threshold": param.NumberValue(m.Threshold),
	}, 1)
}

// gaps returns how far each query is above its threshold: most are α or more below, one in
// twenty of them nearer, within the noise, and twice c well above: more positives than are
// paid for, so that the rule that halts the stream matters.
func (s *trial) gaps(m mechanisms.SparseVector, alpha float64) []float64 {
	r := s.rand(0)
	gaps := make([]float64, int(m.Queries))
	for i := range gaps {
		gaps[i] = -alpha * (1 + r.Float64())
		if r.IntN(20) == 0 {
			gaps[i] = -alpha * r.Float64()
		}
	}
	for _, i := range r.Perm(len(gaps))[:min(len(gaps), 2*int(m.Positives))] {
		gaps[i] = alpha * (1 + r.Float64())
	}
	if s.isNeighbour() { // a person whom every query counts
		for i := range gaps {
			gaps[i] -= m.Sensitivity
		}
	}
	return gaps
}

// thresholds returns the thresholds of the queries: one for all, or one each within 4α.
func (s *trial) thresholds(m mechanisms.SparseVector, alpha float64) []float64 {
	r := s.rand(2)
	list := make([]float64, int(m.Queries))
	for i := range list {
		list[i] = m.Threshold
		if s.choice("thresholds") == "own" {
			list[i] += 4 * alpha * (2*r.Float64() - 1)
		}
	}
	return list
}
