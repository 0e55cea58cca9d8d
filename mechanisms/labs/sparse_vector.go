package labs

import (
	"math"
	"math/rand/v2"

	"epsiloscope/mechanisms"
)

// sparseVector: a stream of queries of which only the few above a threshold are
// paid for.
var sparseVector = Lab{
	Name: "sparse-vector", Title: "The sparse vector technique", Decks: "Bassi",
	Summary: "a stream of queries, only the positives are paid for: answers, cost, the theorem's α and the slide's halting rule",
	Params: []mechanisms.Param{
		number("epsilon", "ε", "total privacy loss", 1, 1e-3, 100),
		number("delta", "δ", "total δ; 0 for pure", 0, 0, 0.5),
		whole("positives", "c", "positives released before halting", 5, 1, 1000),
		whole("queries", "k", "queries in the stream", 1000, 1, 1_000_000),
		number("threshold", "T", "threshold", 1000, -1e9, 1e9),
		number("beta", "β", "the theorem's failure probability", 0.05, 1e-9, 0.5),
	},
	run: runSparseVector,
}

// answerStream answers a stream of query values with the mechanism's noise: true where
// the noisy value is above the noisy threshold. It halts once c positives are out;
// slide takes the slide's rule instead, which lets one more through.
func answerStream(m mechanisms.SparseVector, stream []float64, r *rand.Rand, slide bool) (answers []bool, worst float64) {
	run := m.Run()
	threshold := mechanisms.LaplaceNoise{Scale: run.ThresholdScale()}
	query := mechanisms.LaplaceNoise{Scale: run.QueryScale()}
	level := m.Threshold + threshold.Rand(r)
	limit := int(m.Positives)
	if slide {
		limit++ // "count > c" releases c+1
	}
	positives := 0
	for _, value := range stream {
		above := value+query.Rand(r) >= level
		answers = append(answers, above)
		if above {
			worst = math.Max(worst, m.Threshold-value)
			level = m.Threshold + threshold.Rand(r)
			if positives++; positives >= limit {
				break
			}
		} else {
			worst = math.Max(worst, value-m.Threshold)
		}
	}
	return answers, worst
}

func runSparseVector(s *trial) error {
	m := mechanisms.SparseVector{
		Epsilon: s.number("epsilon"), Delta: s.number("delta"), Positives: s.number("positives"),
		Sensitivity: 1, Threshold: s.number("threshold"), Queries: s.number("queries"),
	}
	alpha := m.Accuracy(m.Queries, s.number("beta"))
	stream := s.stream(m, alpha)
	answers, worst := answerStream(m, stream, s.rand(1), false)
	slide, _ := answerStream(m, stream, s.rand(1), true)
	s.figure("ε of one run", m.Each(), "c runs of AboveThreshold")
	s.figure("queries answered", float64(len(answers)), "of "+text(m.Queries)+" before the c-th positive")
	s.figure("positives", float64(count(answers)), "halts at the c-th")
	s.figure("positives by the slide's rule", float64(count(slide)), "\"count > c\" releases one more: it costs "+text(m.SlideHalting()))
	s.figure("theorem's α", alpha, "no answer is wrong by more with probability 1−β")
	s.figure("largest error seen", worst, "how far on the wrong side of T a value was answered")
	s.say("%d queries were answered for the price of %s positives.", len(answers), text(m.Positives))

	failures, trials := 0.0, 400
	for t := range trials {
		if err := s.step(t, trials); err != nil {
			return err
		}
		if _, w := answerStream(m, stream, s.rand(100+uint64(t)), false); w > alpha {
			failures++
		}
	}
	s.figure("runs with an error above α", failures/float64(trials), "theorem: at most "+text(s.number("beta")))
	index := spread(0, float64(len(answers)-1), max(2, len(answers)))[:len(answers)]
	above := make([]float64, len(answers))
	for i := range above {
		above[i] = math.NaN()
		if answers[i] {
			above[i] = stream[i]
		}
	}
	s.plot(Plot{
		Title: "The stream", XLabel: "query", YLabel: "value",
		Series: []Series{{Name: "value", X: index, Y: stream[:len(answers)]}, {Name: "answered ⊤", X: index, Y: above, Steps: true}},
		Lines:  []Line{horizontal(m.Threshold, "T")},
	})
	s.spend("sparse vector", "sparse-vector", mechanisms.Values{
		"epsilon": mechanisms.NumberValue(m.Epsilon), "delta": mechanisms.NumberValue(m.Delta),
		"positives": mechanisms.WholeValue(m.Positives), "queries": mechanisms.WholeValue(m.Queries),
	}, 1)
	return nil
}

// stream is values α or more below the threshold, one in twenty of them nearer, within
// the noise, and twice c well above it: more positives than are paid for, so that the
// rule that halts the stream matters.
func (s *trial) stream(m mechanisms.SparseVector, alpha float64) []float64 {
	r := s.rand(0)
	values := make([]float64, int(m.Queries))
	for i := range values {
		values[i] = m.Threshold - alpha*(1+r.Float64())
		if r.IntN(20) == 0 {
			values[i] = m.Threshold - alpha*r.Float64()
		}
	}
	for _, i := range r.Perm(len(values))[:min(len(values), 2*int(m.Positives))] {
		values[i] = m.Threshold + alpha*(1+r.Float64())
	}
	return values
}

func count(answers []bool) (n int) {
	for _, a := range answers {
		if a {
			n++
		}
	}
	return n
}
