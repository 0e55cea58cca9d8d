package labs

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/mechanisms"
)

// The stream halts at the c-th positive. Halting at count > c, as a slide has it,
// would release one more and spend (c+1)/c of the budget.
func TestSparseHaltsAtTheLastPositivePaidFor(t *testing.T) {
	stream := make([]float64, 200)
	for i := range stream {
		stream[i] = 1e9 // far above any noise
	}
	for c := 1; c < 20; c++ {
		m := mechanisms.SparseVector{Epsilon: 1, Positives: float64(c), Sensitivity: 1}
		for slide, want := range map[bool]int{false: c, true: c + 1} {
			answers, got, _ := new(trial).answerStream(m, stream, rand.New(rand.NewPCG(1, 2)), slide, nil)
			if got != want || len(answers) != want {
				t.Errorf("c = %d, slide's rule %v: %d positives among %d answers, want %d", c, slide, got, len(answers), want)
			}
		}
	}
}

// The exact δ of the attack on one comparison is the one that simulated streams show.
func TestAttackOnAThresholdIsSimulated(t *testing.T) {
	m := mechanisms.SparseVector{Epsilon: 4, Positives: 1, Sensitivity: 1, Queries: 1}
	run := m.Run()
	exact := attackThreshold(run.ThresholdScale(), run.QueryScale(), m.Sensitivity).Delta
	r, n := rand.New(rand.NewPCG(1, 2)), 40_000
	above := [2]float64{}
	for i, gap := range []float64{0.5, -0.5} {
		for range n {
			_, positives, _ := new(trial).answerStream(m, []float64{gap}, r, false, nil)
			above[i] += float64(positives) / float64(n)
		}
	}
	if seen := above[0] - above[1]; math.Abs(seen-exact) > 5*math.Sqrt(0.5/float64(n)) {
		t.Errorf("simulated %v, computed %v", seen, exact)
	}
}
