package audit

import (
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// TwoSample is an attack on independent runs: of Members runs with the record the test said
// "in" TruePositives times, of NonMembers runs without it FalsePositives times.
//
// It is valid only if the test and its threshold were fixed in advance or chosen on other runs. Many
// canaries in one run are not independent trials: see [OneRun].
type TwoSample struct{ Members, TruePositives, NonMembers, FalsePositives int }

// Validate returns an error that says which count cannot be.
func (s TwoSample) Validate() error {
	if err := firstError(
		checkCount("the number of runs with the record", s.Members, 1),
		checkCount("the number of runs without the record", s.NonMembers, 1),
		checkCount("the number of true positives", s.TruePositives, 0),
		checkCount("the number of false positives", s.FalsePositives, 0)); err != nil {
		return err
	}
	if s.TruePositives > s.Members {
		return fmt.Errorf("there are more true positives (%d) than runs with the record (%d): count each run once", s.TruePositives, s.Members)
	}
	if s.FalsePositives > s.NonMembers {
		return fmt.Errorf("there are more false positives (%d) than runs without the record (%d): count each run once", s.FalsePositives, s.NonMembers)
	}
	return nil
}

// rates returns upper ends of the false-positive and the false-negative rate that hold together with
// probability 1 − level: one-sided Clopper–Pearson bounds at half of it each.
func (s TwoSample) rates(level float64) (fpr, fnr float64) {
	return clopperPearson(s.FalsePositives, s.NonMembers, level/2),
		clopperPearson(s.Members-s.TruePositives, s.Members, level/2)
}

// clopperPearson returns the least p with P[Bin(n, p) ≤ k] ≤ level, rounded up: an upper end of a
// probability of which k of n trials were seen.
func clopperPearson(k, n int, level float64) float64 {
	if k >= n {
		return 1
	}
	_, high := special.BracketRoot(func(p float64) float64 {
		if p == 1 {
			return math.Inf(-1)
		}
		_, below, _, _ := tails(n, k+1, p)
		return math.Log(below * (1 + padding) / level)
	}, float64(k)/float64(n), 1, 1e-15)
	return high
}

// EpsilonLower returns the larger of ln((1−δ−FNR)/FPR), which is shown by finding members, and
// ln((1−δ−FPR)/FNR), which is shown by clearing others, with upper ends of both rates.
func (s TwoSample) EpsilonLower(delta, confidence float64) (float64, error) {
	if err := firstError(s.Validate(), checkDelta(delta), checkConfidence(confidence)); err != nil {
		return 0, err
	}
	return s.epsilonLower(delta, 1-confidence), nil
}

func (s TwoSample) epsilonLower(delta, level float64) float64 {
	fpr, fnr := s.rates(level)
	shown := 0.0
	if top := 1 - delta - fnr; top > 0 && fpr > 0 {
		shown = math.Max(shown, math.Log(top/fpr))
	}
	if top := 1 - delta - fpr; top > 0 && fnr > 0 {
		shown = math.Max(shown, math.Log(top/fnr))
	}
	return math.Max(0, shown-4*0x1p-52*(1+shown))
}

// MuLower returns a lower bound on the μ of a claimed (μ, δ₀) summary, rounded down; δ₀ = 0 is exact Gaussian
// differential privacy. The claim's own δ₀ must be given: the bound for δ₀ = 0 refutes true claims
// with another.
func (s TwoSample) MuLower(delta0, confidence float64) (float64, error) {
	if err := firstError(s.Validate(), checkDelta(delta0), checkConfidence(confidence)); err != nil {
		return 0, err
	}
	fpr, fnr := s.rates(1 - confidence)
	a, b := fpr/(1-delta0), fnr/(1-delta0)
	if !(a > 0 && a < 1 && b > 0 && b < 1) {
		return 0, nil
	}
	return math.Max(0, -special.NormalQuantile(a)-special.NormalQuantile(b)-1e-12), nil
}

// PValue returns the least level at which the attack refutes the (ε, δ) guarantee, rounded up; 1 if none.
func (s TwoSample) PValue(epsilon, delta float64) (float64, error) {
	if err := firstError(s.Validate(), checkEpsilon(epsilon), checkDelta(delta)); err != nil {
		return 1, err
	}
	return leastLevel(func(level float64) bool { return s.epsilonLower(delta, level) > epsilon }), nil
}

// CurvePValue returns the least level at which the attack refutes a claimed profile, rounded up; 1 if none:
// the members found exceed the largest true-positive rate at the false-positive rate, or the others
// cleared the largest true-negative rate. All ε are tested at once without a correction, as the profile is not random.
func (s TwoSample) CurvePValue(claim Claim) (float64, error) {
	if err := s.Validate(); err != nil {
		return 1, err
	}
	var failure error
	p := leastLevel(func(level float64) bool {
		refuted, err := s.refutes(claim, level)
		failure = firstError(failure, err)
		return refuted
	})
	if failure != nil {
		return 1, failure
	}
	return p, nil
}

// refutes reports whether the attack refutes a claimed profile at a level.
func (s TwoSample) refutes(claim Claim, level float64) (bool, error) {
	excess, err := s.excess(claim, level)
	return err == nil && excess > 0, err
}

// Excess returns by how much the attack exceeds a claimed profile at a confidence, in the larger of the true-positive
// and the true-negative rate. The claim is refuted if it is positive.
func (s TwoSample) Excess(claim Claim, confidence float64) (float64, error) {
	if err := firstError(s.Validate(), checkConfidence(confidence)); err != nil {
		return -1, err
	}
	return s.excess(claim, 1-confidence)
}

func (s TwoSample) excess(claim Claim, level float64) (float64, error) {
	fpr, fnr := s.rates(level)
	if fpr >= 1 || fnr >= 1 {
		return -1, nil
	}
	tpr, err1 := claim.TruePositiveRate(fpr)
	tnr, err2 := claim.TrueNegativeRate(fnr)
	if err := firstError(err1, err2); err != nil {
		return -1, err
	}
	return math.Max(1-fnr-tpr, 1-fpr-tnr), nil
}

// leastLevel returns the least level at which a claim is refuted, rounded up, down to 10⁻³⁰⁰; 1 if it is not refuted
// at any level below 1.
func leastLevel(refuted func(level float64) bool) float64 {
	const lowest = -690.0
	if !refuted(1 - 1e-12) {
		return 1
	}
	if refuted(math.Exp(lowest)) {
		return math.Exp(lowest)
	}
	_, high := special.Bisect(lowest, math.Log1p(-1e-12), 1e-9, func(log float64) bool {
		return !refuted(math.Exp(log))
	})
	return math.Min(1, math.Exp(high)*(1+1e-12))
}

// LargestProvable returns the largest ε that this number of runs can show, without any error.
func (s TwoSample) LargestProvable(delta, confidence float64) (float64, error) {
	s.TruePositives, s.FalsePositives = s.Members, 0
	return s.EpsilonLower(delta, confidence)
}

// RequiredRuns returns the least number of runs of each kind that can refute a claim (ε, δ) even of a
// mechanism without any noise.
func RequiredRuns(epsilon, delta, confidence float64) (float64, error) {
	if err := firstError(checkEpsilon(epsilon), checkDelta(delta), checkConfidence(confidence)); err != nil {
		return 0, err
	}
	// Without an error both rates are 1 − (β/2)^{1/n}; ε is shown if that is below (1−δ)/(1+e^ε).
	rate := (1 - delta) / (1 + math.Exp(epsilon))
	return math.Ceil(math.Log((1-confidence)/2) / math.Log1p(-rate)), nil
}
