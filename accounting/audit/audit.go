// Package audit turns the result of a membership attack into a statement about ε that holds with a
// stated confidence: a lower bound, and the p-value of a claimed guarantee.
//
// There are two kinds of attack. [TwoSample] counts the errors of one test over independent
// runs. [OneRun] counts right guesses about many canaries, each in or out by its own fair
// coin, in a single run (Steinke, Nasr, Jagielski 2023).
//
// A claim is refuted or not refuted, never confirmed: a weak attack refutes nothing. Results are on the
// safe side for the claim: p-values are rounded up and lower bounds down.
//
// For example, 150 right guesses of 200 about 1,000 canaries show ε ≥ 0.818 at δ = 10⁻⁴ with
// confidence 95 %:
//
//	run := audit.OneRun{Canaries: 1000, Guesses: 200, Correct: 150}
//	epsilon, err := run.EpsilonLower(1e-4, 0.95)
package audit

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// Result is the outcome of an attack.
type Result interface {
	// Validate returns an error that says which count cannot be.
	Validate() error
	// EpsilonLower returns an ε that the mechanism exceeds at δ with the given confidence, rounded
	// down; 0 if the attack shows nothing.
	EpsilonLower(delta, confidence float64) (float64, error)
	// PValue returns the probability, rounded up, that a mechanism with the (ε, δ) guarantee does as
	// well as the attack did.
	PValue(epsilon, delta float64) (float64, error)
	// CurvePValue returns a p-value, rounded up, of a claimed privacy profile.
	CurvePValue(claim Claim) (float64, error)
	// LargestProvable returns the largest ε that an attack with these numbers of trials can show at all,
	// with every answer right.
	LargestProvable(delta, confidence float64) (float64, error)
}

// Claim is a claimed privacy profile from above.
type Claim struct {
	// Delta returns an upper end of δ(ε) in the worse direction, for ε ≥ 0.
	Delta func(epsilon float64) (float64, error)
	// TruePositiveRate and TrueNegativeRate return upper ends of the power of a test of the given level.
	TruePositiveRate, TrueNegativeRate func(level float64) (float64, error)
}

// maxCount bounds the counts of an attack, so that sums over them stay exact and quick.
const maxCount = 1e9

func checkCount(name string, n, least int) error {
	switch {
	case n < least:
		return fmt.Errorf("%s must be at least %d, got %d", name, least, n)
	case n > maxCount:
		return fmt.Errorf("%s must be at most %d, got %d", name, int(maxCount), n)
	}
	return nil
}

func checkDelta(delta float64) error {
	if !(delta >= 0 && delta < 1) {
		return fmt.Errorf("δ must be at least 0 and below 1, got %g", delta)
	}
	return nil
}

func checkEpsilon(epsilon float64) error {
	if !(epsilon >= 0) {
		return fmt.Errorf("ε must be at least 0, got %g", epsilon)
	}
	return nil
}

func checkConfidence(confidence float64) error {
	if !(confidence >= 0.5 && confidence < 1) {
		return fmt.Errorf("the confidence must be at least 0.5 and below 1, got %g", confidence)
	}
	return nil
}

// padding covers the round-off of a binomial sum, relative.
const padding = 1e-11

// tails returns P[W ≥ v] and P[W < v] for W ~ Bin(n, p), and the two sums that an attack needs:
// up is P[W ≥ v]/P[W = v], down is P[W < v]/P[W = v−1]. A sum that is not summed from its largest
// term is NaN: up if v is below the mean, down if it is above.
func tails(n, v int, p float64) (above, below, up, down float64) {
	up, down = math.NaN(), math.NaN()
	switch {
	case v <= 0:
		return 1, 0, up, down
	case v > n:
		return 0, 1, up, down
	}
	odds := p / (1 - p)
	if float64(v) > float64(n)*p {
		up = series(n-v, func(j int) float64 { return float64(n-v-j) / float64(v+j+1) * odds })
		above = math.Min(1, math.Exp(special.LogBinomial(float64(v), float64(n), p))*up)
		return above, 1 - above, up, down
	}
	down = series(v-1, func(j int) float64 { return float64(v-1-j) / float64(n-v+j+2) / odds })
	below = math.Min(1, math.Exp(special.LogBinomial(float64(v-1), float64(n), p))*down)
	return 1 - below, below, up, down
}

// series returns 1 + r₀ + r₀r₁ + … with at most terms ratios. They must not increase.
func series(terms int, ratio func(int) float64) float64 {
	sum, term := 1.0, 1.0
	for j := range terms {
		r := ratio(j)
		term *= r
		sum += term
		if r < 1 && term*r < (1-r)*sum*1e-18 {
			break
		}
	}
	return sum
}
