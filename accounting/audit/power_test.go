package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// gaussianTable is the claim of one Gaussian release at some ε.
func gaussianTable(mu float64) Table {
	var t Table
	for k := range 61 {
		e := 8 * float64(k*k) / 3600
		d := math.Exp(special.LogGaussianProfile(mu, e))
		t.Epsilon, t.Remove, t.Add = append(t.Epsilon, e), append(t.Remove, d), append(t.Add, d)
	}
	return t
}

// A table is a claim that never promises more than the profile it was read from, and little less.
func TestTableIsAClaim(t *testing.T) {
	exact, table := gaussianClaim(0.7), gaussianTable(0.7).Claim()
	for _, level := range []float64{1e-4, 0.01, 0.1, 0.5, 0.9} {
		want, _ := exact.TruePositiveRate(level)
		for _, power := range []func(float64) (float64, error){table.TruePositiveRate, table.TrueNegativeRate} {
			if got, err := power(level); err != nil || got < want || got > want*1.01 {
				t.Errorf("at %g: %g, the profile allows %g", level, got, want)
			}
		}
	}
	for _, e := range []float64{0, 0.01, 0.5, 3, 20} {
		want, _ := exact.Delta(e)
		if got, _ := table.Delta(e); got < want {
			t.Errorf("δ(%g) = %g, less than %g", e, got, want)
		}
	}
}

// gaussianAttack returns the best attack on Gaussian noise as a plan knows it: some points of its ROC curve.
func gaussianAttack(mu float64) Attack {
	var corners []Corner
	for _, fpr := range []float64{0.001, 0.003, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5} {
		tpr := special.NormalCDF(special.NormalQuantile(fpr) + mu)
		corners = append(corners, Corner{fpr, tpr}, Corner{1 - tpr, 1 - fpr})
	}
	return NewAttack(corners)
}

// Audits as planned, made of scores like those of any attack, refute a faulty mechanism as often as the plan says,
// within three points of a hundred: with guesses by rank, or with a threshold that other runs set. The claim is the
// exact curve.
func TestPlannedAuditsHaveTheirPower(t *testing.T) {
	const confidence = 0.95
	audits := gauge.Cases(1000, 8000)
	for _, c := range gauge.Some(2, []struct{ claim, truth, power float64 }{
		{0.5, math.Inf(1), 0.8}, {0.5, 1, 0.8}, {1, 2, 0.8}, {2, math.Inf(1), 0.9}, {0.3, 0.9, 0.6}, {1.5, 3, 0.95},
	}) {
		random := rand.New(rand.NewPCG(7, 8))
		attack := Certain
		score := func(member bool) Score { // of any scale: ranks decide
			s := Score{Member: member, Value: random.NormFloat64()}
			if member {
				s.Value += c.truth
			}
			if s.Value = math.Exp(s.Value); math.IsInf(c.truth, 1) {
				s.Value = 0
				if member {
					s.Value = 1
				}
			}
			return s
		}
		if !math.IsInf(c.truth, 1) {
			attack = gaussianAttack(c.truth)
		}
		exact := gaussianClaim(c.claim)
		one, err := PlanOneRun(gaussianTable(c.claim), attack, c.power, confidence)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, said float64, refutes func() bool) {
			refuted := 0
			for range audits {
				if refutes() {
					refuted++
				}
			}
			if got := float64(refuted) / float64(audits); math.Abs(got-said) > 0.03 || said < c.power {
				t.Errorf("%+v, %s: power %.3f, the plan says %.3f", c, name, got, said)
			}
		}
		check(fmt.Sprintf("%+v", one), one.Power, func() bool {
			scores := make([]Score, one.Canaries)
			for i := range scores {
				scores[i] = score(random.IntN(2) == 0)
			}
			o, err := OneRunScores(scores, one.Guesses)
			if err != nil {
				t.Fatal(err)
			}
			return o.Correct >= one.Correct
		})
		before, after := one.OneRun, one.OneRun
		before.Correct--
		p, _ := after.CurvePValue(exact)
		if q, _ := before.CurvePValue(exact); p >= 1-confidence || q < 1-confidence {
			t.Errorf("%+v, %+v: p = %v, with one guess less %v", c, one, p, q)
		}
		runs, err := PlanTwoSample(gaussianTable(c.claim), attack, c.power, confidence)
		if err != nil {
			t.Fatal(err)
		}
		decided := map[TwoSample]bool{}
		check(fmt.Sprintf("%+v", runs), runs.Power, func() bool {
			var scores []Score
			for range runs.Runs {
				scores = append(scores, score(true), score(false))
			}
			for range runs.Calibration {
				scores = append(scores, score(false))
			}
			threshold, rest, err := CalibrateThreshold(scores, runs.Calibration, runs.Rank)
			if err != nil {
				t.Fatal(err)
			}
			s := TwoSampleScores(rest, threshold)
			if _, known := decided[s]; !known {
				decided[s], _ = s.refutes(exact, 1-confidence)
			}
			return decided[s]
		})
		t.Logf("%+v: %+v, %+v", c, one, runs)
	}
}

// The least numbers of trials: a sure attack with one trial fewer refutes nothing.
func TestGuessesNeeded(t *testing.T) {
	for _, epsilon := range []float64{0, 1, 4, 8} {
		n, ok := RequiredGuesses(epsilon, 1e-6, 0.95)
		if !ok {
			t.Fatal(epsilon)
		}
		for _, c := range []struct {
			guesses int
			refutes bool
		}{{int(n), true}, {int(n) - 1, false}} {
			if c.guesses == 0 {
				continue
			}
			p, err := OneRun{c.guesses, c.guesses, c.guesses}.PValue(epsilon, 1e-6)
			if err != nil || (p < 0.05) != c.refutes {
				t.Errorf("ε = %g, %d guesses: p = %g", epsilon, c.guesses, p)
			}
		}
	}
	if _, ok := RequiredGuesses(1, 0.06, 0.95); ok {
		t.Error("a claim with δ = 0.06 cannot be refuted at 95 % by one sure run")
	}
	if _, err := PlanOneRun(gaussianTable(20), Certain, 0.8, 0.95); err == nil {
		t.Error("a claim that allows everything is refuted")
	}
}

// Where every guess must be right and there is no noise, the power is the probability that enough canaries are members,
// and enough are not, for the guesses of either kind.
func TestStatedPowerIsTheTrueOne(t *testing.T) {
	known := 0
	for _, claim := range []float64{0.3, 0.4, 0.5, 0.8} {
		for _, power := range []float64{0.5, 0.7, 0.8, 0.9} {
			p, err := PlanOneRun(gaussianTable(claim), Certain, power, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if p.Correct < p.Guesses {
				continue
			}
			known++
			members, others := (p.Guesses+1)/2, p.Guesses/2
			exact := 0.0
			for m := members; m <= p.Canaries-others; m++ {
				exact += math.Exp(special.LogBinomial(float64(m), float64(p.Canaries), 0.5))
			}
			if math.Abs(p.Power-exact) > 3*math.Sqrt(exact*(1-exact)/statedAudits) {
				t.Errorf("μ = %g, power %g: %+v, and the power is %.4f", claim, power, p, exact)
			}
		}
	}
	if known < 8 {
		t.Errorf("only %d plans whose power is known", known)
	}
}
