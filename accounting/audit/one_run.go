package audit

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// OneRun is an attack on one run: each of Canaries records was put in by its own fair coin, the
// attacker saw only the output, guessed exactly Guesses of the coins and was right in Correct.
//
// It is valid only if the coins are fair and independent (not "exactly half of them"), were tossed
// anew for this run, and the number of guesses was fixed before the run; an attacker who would
// abstain pads with coin flips. The claim that is tested must hold for each canary, with the adjacency
// by which it goes in or out.
type OneRun struct{ Canaries, Guesses, Correct int }

// Validate returns an error that says which count cannot be.
func (o OneRun) Validate() error {
	if err := checkCount("the number of canaries", o.Canaries, 1); err != nil {
		return err
	}
	if err := checkCount("the number of guesses", o.Guesses, 1); err != nil {
		return err
	}
	if o.Guesses > o.Canaries {
		return fmt.Errorf("there are more guesses (%d) than canaries (%d): count every canary, guessed or not", o.Guesses, o.Canaries)
	}
	if err := checkCount("the number of right guesses", o.Correct, 0); err != nil {
		return err
	}
	if o.Correct > o.Guesses {
		return fmt.Errorf("there are more right guesses (%d) than guesses (%d): count right guesses among the guesses that were made", o.Correct, o.Guesses)
	}
	return nil
}

// PValue returns the largest probability, over all mechanisms with the (ε, δ) guarantee, of Correct or
// more right guesses, rounded up. With W ~ Bin(r, e^ε/(1+e^ε)) and F = P[W ≥ v] it is
//
//	F + m·δ·F·(1−F)/(v·P[W = v]), at most 1.
//
// Averaging over flips and permutations of the coins keeps the guarantee and the probability, so
// the mechanism is a distribution of the number of right guesses; the guarantee is then a linear
// constraint, and the mechanism that attains the bound is known.
func (o OneRun) PValue(epsilon, delta float64) (float64, error) {
	if err := firstError(o.Validate(), checkEpsilon(epsilon), checkDelta(delta)); err != nil {
		return 1, err
	}
	return o.pValue(epsilon, delta), nil
}

func (o OneRun) pValue(epsilon, delta float64) float64 {
	if o.Correct == 0 {
		return 1
	}
	m, r, v := float64(o.Canaries), o.Guesses, o.Correct
	q := 1 / (1 + math.Exp(-epsilon))
	if q == 1 {
		return 1
	}
	above, below, up, down := tails(r, v, q)
	// F·(1−F)/P[W = v] by the sum that was taken from its largest term, so that nothing overflows.
	// P[W = v−1]/P[W = v] = v/(r−v+1)·e^{−ε}.
	extra := below * up / float64(v)
	if math.IsNaN(up) {
		extra = above * down / float64(r-v+1) * math.Exp(-epsilon)
	}
	p := (above + m*delta*extra) * (1 + padding + 8*0x1p-53*math.Exp(epsilon)) // 1 − q loses digits
	if !(p < 1) {
		return 1
	}
	return p
}

// EpsilonLower returns the largest ε whose p-value is below 1 − confidence, rounded down.
func (o OneRun) EpsilonLower(delta, confidence float64) (float64, error) {
	if err := firstError(o.Validate(), checkDelta(delta), checkConfidence(confidence)); err != nil {
		return 0, err
	}
	level := 1 - confidence
	refutes := func(epsilon float64) bool { return o.pValue(epsilon, delta) < level }
	if !refutes(0) {
		return 0, nil
	}
	high := 1.0
	for refutes(high) {
		high *= 2
	}
	low, _ := special.Bisect(0, high, 1e-12, refutes)
	return low, nil
}

// LargestProvable returns the largest ε that this number of canaries and guesses can show, with every guess right.
func (o OneRun) LargestProvable(delta, confidence float64) (float64, error) {
	o.Correct = o.Guesses
	return o.EpsilonLower(delta, confidence)
}

// curvePoints is the number of ε at which a claimed profile is tried.
const curvePoints = 64

// CurvePValue returns a p-value of a claimed profile: the least of the p-values of its (ε, δ(ε)). Each of
// them bounds the same probability, and the profile is not random, so nothing is corrected for.
func (o OneRun) CurvePValue(claim Claim) (float64, error) {
	if err := o.Validate(); err != nil {
		return 1, err
	}
	// Beyond this ε even the binomial part alone exceeds ½.
	top := math.Max(1, 2*math.Log(float64(o.Guesses)+2))
	var failure error
	p := func(epsilon float64) float64 {
		delta, err := claim.Delta(epsilon)
		if err != nil {
			failure = err
			return 1
		}
		if !(delta >= 0 && delta < 1) {
			return 1
		}
		return o.pValue(epsilon, delta)
	}
	best, at := 1.0, 0.0
	for k := range curvePoints + 1 {
		epsilon := top * float64(k) / curvePoints
		if x := p(epsilon); x < best {
			best, at = x, epsilon
		}
	}
	step := top / curvePoints
	found := special.Minimise(p, math.Max(0, at-step), at+step, 16)
	if failure != nil {
		return 1, failure
	}
	return math.Min(best, found.Value), nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
