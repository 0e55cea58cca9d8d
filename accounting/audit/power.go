package audit

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"epsiloscope/accounting/special"
)

// Table is a claimed privacy profile at some ε ≥ 0, ascending: upper ends of δ in both directions. Any set of ε is
// valid; more of them make an audit more powerful.
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

// maxPlanned bounds the numbers of trials that are planned.
const maxPlanned = 10_000_000

// ErrTooMany says that no number of trials up to ten million has the power.
var ErrTooMany = fmt.Errorf("more than %d trials would be needed", maxPlanned)

// How many audits are simulated to find a size, and to state its power: to one point of a hundred, nearly always.
const (
	searchedAudits = 300
	statedAudits   = 6000
)

// OneRunPlan is an audit of one run, fixed before the run: Guesses of the canaries are guessed, the larger half of
// these with the highest scores in and the others with the lowest scores out, and the claim is refuted if at least
// Correct are right.
type OneRunPlan struct {
	OneRun
	Power float64 // the probability of that
}

// guessedShares are the shares of the canaries about which a guess is tried.
var guessedShares = []float64{1, 0.8, 0.6, 0.4, 0.25, 0.15, 0.08, 0.04, 0.02}

// PlanOneRun returns the least number of canaries it finds, and the guesses to fix before the run, with which the
// attack refutes the claim at the confidence with at least the given power. The power is simulated, with the guesses by
// rank that [OneRunScores] makes: as many canaries are members as fair coins say.
func PlanOneRun(claim Table, attack Attack, power, confidence float64) (OneRunPlan, error) {
	if err := firstError(checkConfidence(confidence), checkPower(power), attack.validate()); err != nil {
		return OneRunPlan{}, err
	}
	at := func(m int, share float64) OneRun {
		o := OneRun{Canaries: m, Guesses: max(1, int(math.Floor(share*float64(m))))}
		o.Correct = o.leastRefuting(claim, 1-confidence)
		return o
	}
	found := make([]int, len(guessedShares)) // for each share, the number of canaries to try next; 0 if above high
	for high := 1; high/2 < maxPlanned; high *= 2 {
		for i, share := range guessedShares {
			enough := func(m int) bool {
				_, enough := attack.oneRunPower(at(m, share), searchedAudits, power)
				return enough
			}
			if found[i] == 0 && enough(high) {
				found[i] = bisectNumber(high, enough)
			}
		}
		for { // the share with the least number first, so that the first plan with the power is the least
			i := -1
			for j, m := range found {
				if m > 0 && m <= min(high, maxPlanned) && (i < 0 || m < found[i]) {
					i = j
				}
			}
			if i < 0 {
				break
			}
			o := at(found[i], guessedShares[i])
			if stated, enough := attack.oneRunPower(o, statedAudits, power); enough {
				return OneRunPlan{o, stated}, nil
			}
			found[i] += max(1, found[i]/100)
		}
	}
	return OneRunPlan{}, ErrTooMany
}

// RunsPlan is an audit of independent runs, fixed before the first: Runs of each kind and, besides, Calibration runs
// without the record. The Rank-th largest score of these is the threshold.
type RunsPlan struct {
	Runs, Calibration, Rank int
	Power                   float64
}

// certainCalibration is the number of runs that set the threshold for scores of two values, where one would do.
const certainCalibration = 5

// PlanTwoSample returns how many runs of each kind, and how many to set the threshold, an attack needs to refute the
// claim at the confidence with at least the given power, which is simulated with the threshold that
// [CalibrateThreshold] sets.
func PlanTwoSample(claim Table, attack Attack, power, confidence float64) (RunsPlan, error) {
	if err := firstError(checkConfidence(confidence), checkPower(power), attack.validate()); err != nil {
		return RunsPlan{}, err
	}
	best, least := RunsPlan{}, math.MaxInt
	for _, start := range attack.likelyRuns(claim, power, confidence) {
		for _, p := range start {
			for ; 2*p.Runs+p.Calibration < least && p.Runs <= maxPlanned; p.Runs += max(1, p.Runs/20) {
				if attack.runsPower(p, claim, confidence, searchedAudits) < power {
					continue
				}
				if p.Power = attack.runsPower(p, claim, confidence, statedAudits); p.Power >= power {
					best, least = p, 2*p.Runs+p.Calibration
					break
				}
			}
		}
	}
	if least == math.MaxInt {
		return RunsPlan{}, ErrTooMany
	}
	return best, nil
}

// likelyRuns returns plans with about the number of runs that the best thresholds need if they are known, a list for
// each of the best three.
func (a Attack) likelyRuns(claim Table, power, confidence float64) [][]RunsPlan {
	type threshold struct {
		runs int
		fpr  float64
	}
	var all []threshold
	rates := claim.Claim()
	for _, c := range a {
		if c.TPR <= c.FPR || c.FPR > 0.5 {
			continue
		}
		n, ok := leastNumber(maxPlanned, func(n int) bool {
			s := TwoSample{Members: n, NonMembers: n, TruePositives: n - quantile(n, 1-c.TPR, math.Sqrt(power)),
				FalsePositives: quantile(n, c.FPR, math.Sqrt(power))}
			refuted, err := s.refutes(rates, 1-confidence)
			return err == nil && refuted
		})
		if ok {
			all = append(all, threshold{n, c.FPR})
		}
	}
	slices.SortFunc(all, func(a, b threshold) int { return a.runs - b.runs })
	var lists [][]RunsPlan
	for _, t := range all[:min(3, len(all))] {
		if t.fpr == 0 {
			lists = append(lists, []RunsPlan{{Runs: t.runs, Calibration: certainCalibration, Rank: 1}})
			continue
		}
		var list []RunsPlan
		for _, times := range []float64{2, 5} {
			c := int(math.Ceil(times / t.fpr))
			list = append(list, RunsPlan{Runs: max(1, t.runs*9/10), Calibration: c,
				Rank: max(1, int(math.Round(t.fpr*float64(c+1))))})
		}
		lists = append(lists, list)
	}
	return lists
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

// leastNumber doubles a number until it is enough, and then bisects; false if it would exceed most.
func leastNumber(most int, enough func(n int) bool) (int, bool) {
	high := 1
	for ; !enough(high); high *= 2 {
		if high >= most {
			return 0, false
		}
	}
	return bisectNumber(high, enough), true
}

// bisectNumber returns the least number above half of one that is enough.
func bisectNumber(high int, enough func(n int) bool) int {
	_, n := special.Bisect(float64(high/2), float64(high), 1, func(x float64) bool { return !enough(int(x)) })
	if n = math.Ceil(n); n < float64(high) && !enough(int(n)) {
		return high
	}
	return int(n)
}

// RequiredGuesses returns the least number of guesses in one run, about as many canaries, that can refute a claim (ε,
// δ) even of a mechanism without any noise: all are right. It is false if no number can, as δ is not below 1 −
// confidence.
func RequiredGuesses(epsilon, delta, confidence float64) (float64, bool) {
	if firstError(checkEpsilon(epsilon), checkDelta(delta), checkConfidence(confidence)) != nil ||
		delta >= 1-confidence {
		return math.Inf(1), false
	}
	// q^r·(1−δ) + δ < 1 − confidence.
	n := math.Floor(math.Log((1-confidence-delta)/(1-delta))/-math.Log1p(math.Exp(-epsilon))) + 1
	return n, n <= maxCount
}

func checkPower(power float64) error {
	if !(power > 0 && power < 1) {
		return fmt.Errorf("the power must lie strictly between 0 and 1, got %g", power)
	}
	return nil
}
