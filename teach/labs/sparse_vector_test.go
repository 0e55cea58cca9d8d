package labs

import (
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
			answers, got, _ := answerStream(m, stream, rand.New(rand.NewPCG(1, 2)), slide, nil)
			if got != want || len(answers) != want {
				t.Errorf("c = %d, slide's rule %v: %d positives among %d answers, want %d", c, slide, got, len(answers), want)
			}
		}
	}
}
