package mechanisms

import (
	"math"
	"testing"

	"epsiloscope/accounting"
)

// twoCandidates is the chance of each of two candidates under exponential noise
// (McKenna & Sheldon 2020): a candidate drawn at random is kept with probability
// e^{−gap}, gap in noise scales below the best.
func twoCandidates(gap float64) (best, other float64) {
	other = math.Exp(-gap) / 2
	return 1 - other, other
}

// Only Gumbel noise has bounded range. The loss of permute-and-flip reaches ε on one
// candidate and is far from 0 on the other, and its divergence passes what bounded
// range allows; it is charged as generic ε-DP.
func TestPermuteAndFlipIsNotBoundedRange(t *testing.T) {
	const epsilon, alpha = 2.0, 8.0
	curve := func(noise string) float64 {
		r, err := NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: noise}.Release().Renyi(alpha)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// One record lowers one score by Δ and raises the other; the noise scale is 2Δ/ε.
	p1, p2 := twoCandidates(epsilon) // a is best by 2Δ
	q1, q2 := twoCandidates(0)       // tied, after a neighbour moved both by Δ
	sum := q1*math.Pow(p1/q1, alpha) + q2*math.Pow(p2/q2, alpha)
	back := p1*math.Pow(q1/p1, alpha) + p2*math.Pow(q2/p2, alpha)
	truth := math.Log(math.Max(sum, back)) / (alpha - 1)
	for _, noise := range []string{"exponential", "laplace"} {
		if got := curve(noise); got < truth {
			t.Errorf("%s noise: D = %g, permute-and-flip reaches %g", noise, got, truth)
		}
		want, _ := accounting.PureDP(epsilon).Renyi(alpha)
		if got := curve(noise); got != want {
			t.Errorf("%s noise: D = %g, generic ε-DP has %g", noise, got, want)
		}
	}
	if curve("gumbel") >= curve("exponential") {
		t.Error("Gumbel noise has bounded range, and costs less")
	}
}
