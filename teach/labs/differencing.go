package labs

import (
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// smokers is the histogram of Bassi's deck: how many people smoke 0, 1, …, 5
// cigarettes a day. That is 108 people and 400 cigarettes.
var smokers = []float64{10, 2, 4, 13, 44, 35}

// differencing: a count and a sum, asked with and without one person, reveal that
// person's value. Noise prevents it; averaging K answers reveals the value again, at K
// times the cost.
var differencing = Lab{
	Name: "differencing", Title: "The differencing attack", Decks: "Bassi",
	Summary:   "two harmless averages reveal one person's answer; noise stops it, repeating brings it back at K·ε",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss of each noisy answer", 0.5, 1e-3, 100),
		whole("person", "j", "whose value is attacked, by what they smoke: 0 … 5", 5, 0, 5),
		whole("repeats", "K", "how often each question may be repeated", 1000, 1, 100_000),
	},
	run: runDifferencing,
}

func runDifferencing(s *trial) {
	value := s.number("person")
	count, sum := 0.0, 0.0
	for i, c := range smokers {
		count += c
		sum += c * float64(i)
	}
	s.addFigure("exact answer with the person", sum, "sum over all "+text(count)+" people")
	s.addFigure("exact answer without", sum-value, "")
	s.addFigure("difference", sum-(sum-value), "the attacker learns the value itself")
	s.addSentence("Without noise the attack is arithmetic: %s − %s = %s.", text(sum), text(sum-value), text(value))

	// A sum of values in 0…5 changes by at most 5 when one record is added or removed.
	m := mechanisms.Laplace{Epsilon: s.number("epsilon"), Sensitivity: float64(len(smokers) - 1)}
	noise, r := m.Noise(), s.rand(0)
	repeats := s.whole("repeats")
	held := value // 0 on the neighbour without the person
	if s.isNeighbour() {
		held = 0
	}
	var guesses, spentAt, errAt []float64
	total, nearer := 0.0, 0.0
	s.startSequence(Sequence{Columns: []string{"estimate", "the secret", "with", "without", "ε spent"}, CurveCount: 2})
	for k := 1; k <= repeats; k++ {
		with := s.randomizeOne(sum-value+held, sum-value+held+noise.Rand(r), m.Sensitivity)
		without := s.randomizeOne(sum-value, sum-value+noise.Rand(r), m.Sensitivity)
		total += with - without
		if with > sum-value/2 {
			nearer++
		}
		if s.keepsSteps() {
			s.addStep(false, []float64{total / float64(k), value, with, without, 2 * float64(k) * m.Epsilon},
				"Repeat %d: %s with the person, %s without. The average difference so far is %s.", k, text(with), text(without), text(total/float64(k)))
		}
		if k&(k-1) == 0 || k == repeats { // 1, 2, 4, …
			s.reportProgress(k, repeats)
			guesses = append(guesses, total/float64(k))
			s.publish(total / float64(k))
			spentAt = append(spentAt, float64(k))
			errAt = append(errAt, 2*m.Scale()/math.Sqrt(float64(k)))
		}
	}
	s.addFigure("one noisy difference", guesses[0], "standard deviation "+text(errAt[0]))
	s.addFigure("average of "+text(float64(repeats))+" differences", guesses[len(guesses)-1], "standard deviation "+text(errAt[len(errAt)-1]))
	s.addUpperBound("what the repeats cost", 2*float64(repeats)*m.Epsilon, "basic composition: 2K answers at ε each")
	s.addSentence("One noisy difference is off by about %s; after %d repeats by %s. The ε of all answers add up to %s (basic composition); the cost of the run is the best closed-form bound at a δ above 0.",
		text(errAt[0]), repeats, text(errAt[len(errAt)-1]), upperText(2*float64(repeats)*m.Epsilon))
	s.addChart(chart.Chart{
		Title: "The attacker's estimate as answers repeat", X: chart.Axis{Label: "repeats K", Log: true}, Y: chart.Axis{Label: "estimate"},
		Series: []chart.Series{
			{Name: "estimate", X: spentAt, Y: guesses},
			{Name: "+1 sd", Faint: true, X: spentAt, Y: mapEach(errAt, func(sd float64) float64 { return value + sd })},
			{Name: "−1 sd", Faint: true, X: spentAt, Y: mapEach(errAt, func(sd float64) float64 { return value - sd })},
		},
		Marks: []chart.Mark{chart.Horizontal(value, "the secret")},
	})
	// without the person, an answer is nearer to the sum with him as often as it is now nearer to that without
	if value > 0 {
		s.addLeak(Leak{"one answer nearer to the sum with the person than to that without", 0, 2*nearer/float64(repeats) - 1, 1 / math.Sqrt(float64(repeats))})
	}
	s.spendLaplace("repeated sums", m, 2*float64(repeats))
}
