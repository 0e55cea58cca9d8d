package audit

import (
	"math"
	"testing"

	"epsiloscope/accounting/special"
)

// The numbers drawn have the binomial distribution: Pearson's statistic over what is expected ten times or more often.
func TestBinomialDraws(t *testing.T) {
	const draws = 20_000
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.3}, {7, 0.5}, {40, 0.02}, {24, 0.45}, {25, 0.4}, {30, 0.9}, {385, 0.031}, {2000, 0.5}, {1_000_000, 2e-5}} {
		random, seen := newRandom(draws), map[int]int{}
		for range draws {
			seen[drawBinomial(random, c.n, c.p)]++
		}
		statistic, kinds, elsewhere, missing := 0.0, 0, draws, 1.0
		for k := range min(c.n, 2000) + 1 {
			share := math.Exp(special.LogBinomial(float64(k), float64(c.n), c.p))
			if expected := draws * share; expected >= 10 {
				statistic += math.Pow(float64(seen[k])-expected, 2) / expected
				kinds, elsewhere, missing = kinds+1, elsewhere-seen[k], missing-share
			}
		}
		if rest := draws * missing; rest >= 10 {
			statistic += math.Pow(float64(elsewhere)-rest, 2) / rest
			kinds++
		}
		free := float64(kinds - 1)
		if limit := free + 5*math.Sqrt(2*free); kinds < 2 || statistic > limit {
			t.Errorf("%d trials of %g: χ² = %.1f over %d kinds, at most %.1f", c.n, c.p, statistic, kinds, limit)
		}
	}
}
