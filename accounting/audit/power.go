package audit

import (
	"fmt"
	"math"
	"sort"

	"epsiloscope/accounting/special"
)

// Table is a claimed privacy profile at some ε ≥ 0, ascending: upper ends of δ in both directions. Any set of ε is valid;
// more of them make an audit more powerful.
type Table struct{ Epsilon, Remove, Add []float64 }

// Claim returns the profile as a claim. Between the points of the table it says no more than they do.
func (t Table) Claim() Claim {
	return Claim{
		Delta: func(epsilon float64) (float64, error) {
			i := sort.SearchFloat64s(t.Epsilon, epsilon)
			if i == len(t.Epsilon) || t.Epsilon[i] != epsilon {
				i-- // δ does not increase
			}
			if i < 0 {
				return 1, nil
			}
			return math.Max(t.Remove[i], t.Add[i]), nil
		},
		TruePositiveRate: func(level float64) (float64, error) { return t.power(t.Remove, t.Add, level), nil },
		TrueNegativeRate: func(level float64) (float64, error) { return t.power(t.Add, t.Remove, level), nil },
	}
}

// power returns an upper end of the power of a test of a level: min over ε of e^ε·level + δ and, by complements,
// of 1 − e^{−ε}·(1 − δ − level) with δ of the other direction.
func (t Table) power(same, other []float64, level float64) float64 {
	least := 1.0
	for i, e := range t.Epsilon {
		least = math.Min(least, math.Min(math.Exp(e)*level+same[i], 1-math.Exp(-e)*(1-other[i]-level)))
	}
	return math.Max(level, math.Min(1, least*(1+8*0x1p-53)))
}

// Guesser is an attack as far as its power depends on it: it guesses a share Guessed of the canaries and is right
// about each with probability Accuracy, independently.
type Guesser struct{ Guessed, Accuracy float64 }

// Certain is the attack on a mechanism without noise.
var Certain = Guesser{1, 1}

// maxPlanned bounds the numbers of trials that are planned.
const maxPlanned = 10_000_000

// ErrTooMany says that no number of trials up to ten million has the power.
var ErrTooMany = fmt.Errorf("more than %d trials would be needed", maxPlanned)

// PlanOneRun returns a number of canaries, and of guesses to fix before the run, with which the attack refutes the claim at
// the confidence with at least the given power. Fewer may do by chance of rounding; the power at the answer is computed exactly.
func PlanOneRun(claim Table, attack Guesser, power, confidence float64) (OneRun, error) {
	if err := firstError(checkConfidence(confidence), checkShare("the power", power), checkAttack(attack)); err != nil {
		return OneRun{}, err
	}
	at := func(m int) OneRun {
		o := OneRun{Canaries: m, Guesses: int(math.Floor(attack.Guessed * float64(m)))}
		o.Correct = o.leastRefuting(claim, 1-confidence)
		return o
	}
	enough := func(m int) bool {
		o := at(m)
		return o.Correct <= o.Guesses && o.chance(attack.Accuracy) >= power
	}
	m, ok := leastNumber(enough)
	if !ok {
		return OneRun{}, ErrTooMany
	}
	return at(m), nil
}

// chance returns the probability that at least Correct guesses are right, rounded down.
func (o OneRun) chance(accuracy float64) float64 {
	if accuracy >= 1 {
		return 1
	}
	above, _, _, _ := tails(o.Guesses, o.Correct, accuracy)
	return above * (1 - padding)
}

// leastRefuting returns the least number of right guesses that refutes the claim at a level; one more than the
// guesses if none does.
func (o OneRun) leastRefuting(claim Table, level float64) int {
	return o.Guesses + 1 - sort.Search(o.Guesses, func(down int) bool { // p falls with the right guesses
		o.Correct = o.Guesses - down
		return !o.refutes(claim, level)
	})
}

func (o OneRun) refutes(claim Table, level float64) bool {
	for i, e := range claim.Epsilon {
		if o.Correct > 0 && o.pValue(e, math.Max(claim.Remove[i], claim.Add[i])) < level {
			return true
		}
	}
	return false
}

// PlanTwoSample returns how many runs of each kind a test with these rates needs to refute the claim at
// the confidence with at least the given power. It asks both counts of errors to be no worse than a quantile that each meets with
// probability √power.
func PlanTwoSample(claim Table, fpr, tpr, power, confidence float64) (TwoSample, error) {
	if err := firstError(checkConfidence(confidence), checkShare("the power", power)); err != nil {
		return TwoSample{}, err
	}
	if !(fpr >= 0 && tpr <= 1 && fpr < tpr) {
		return TwoSample{}, fmt.Errorf("a test must find more members than it accuses others, got a true-positive rate of %g at a false-positive rate of %g", tpr, fpr)
	}
	rates := claim.Claim()
	at := func(n int) TwoSample {
		return TwoSample{Members: n, NonMembers: n, TruePositives: n - quantile(n, 1-tpr, math.Sqrt(power)), FalsePositives: quantile(n, fpr, math.Sqrt(power))}
	}
	n, ok := leastNumber(func(n int) bool {
		refuted, err := at(n).refutes(rates, 1-confidence)
		return err == nil && refuted
	})
	if !ok {
		return TwoSample{}, ErrTooMany
	}
	return at(n), nil
}

// quantile returns the least k with P[Bin(n, p) ≤ k] ≥ share.
func quantile(n int, p, share float64) int {
	if p <= 0 {
		return 0
	}
	if p >= 1 {
		return n
	}
	return sort.Search(n, func(k int) bool {
		_, below, _, _ := tails(n, k+1, p)
		return below >= share
	})
}

// leastNumber doubles a number until it is enough, and then bisects.
func leastNumber(enough func(n int) bool) (int, bool) {
	high := 1
	for ; !enough(high); high *= 2 {
		if high >= maxPlanned {
			return 0, false
		}
	}
	_, n := special.Bisect(float64(high/2), float64(high), 1, func(x float64) bool { return !enough(int(x)) })
	if n = math.Ceil(n); n < float64(high) && !enough(int(n)) {
		return high, true
	}
	return int(n), true
}

// RequiredGuesses returns the least number of guesses in one run, about as many canaries, that can refute a claim (ε, δ) even of a
// mechanism without any noise: all are right. It is false if no number can, as δ is not below 1 − confidence.
func RequiredGuesses(epsilon, delta, confidence float64) (float64, bool) {
	if firstError(checkEpsilon(epsilon), checkDelta(delta), checkConfidence(confidence)) != nil || delta >= 1-confidence {
		return math.Inf(1), false
	}
	// q^r·(1−δ) + δ < 1 − confidence.
	n := math.Floor(math.Log((1-confidence-delta)/(1-delta))/-math.Log1p(math.Exp(-epsilon))) + 1
	return n, n <= maxCount
}

func checkShare(name string, x float64) error {
	if !(x > 0 && x < 1) {
		return fmt.Errorf("%s must lie strictly between 0 and 1, got %g", name, x)
	}
	return nil
}

func checkAttack(a Guesser) error {
	if !(a.Guessed > 0 && a.Guessed <= 1 && a.Accuracy > 0.5 && a.Accuracy <= 1) {
		return fmt.Errorf("an attack must guess a share of the canaries and be right more often than not, got %g and %g", a.Guessed, a.Accuracy)
	}
	return nil
}
