package audit

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/special"
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

// Audits of the planned size refute a faulty mechanism as often as planned, and not one trial fewer in the exact case of no noise.
func TestPlannedAuditsHaveTheirPower(t *testing.T) {
	const power, confidence, audits = 0.8, 0.95, 2000
	claim := gaussianTable(0.5)
	random := rand.New(rand.NewPCG(7, 8))
	for _, attack := range []Guesser{Certain, {1, 0.9}, {0.2, 0.95}} {
		plan, err := PlanOneRun(claim, attack, power, confidence)
		if err != nil {
			t.Fatal(err)
		}
		refuted := 0
		for range audits {
			o := OneRun{Canaries: plan.Canaries, Guesses: plan.Guesses}
			for range o.Guesses {
				if random.Float64() < attack.Accuracy {
					o.Correct++
				}
			}
			if o.refutes(claim, 1-confidence) {
				refuted++
			}
		}
		if least := power*audits - 4*math.Sqrt(audits*power*(1-power)); float64(refuted) < least {
			t.Errorf("%+v: %+v refutes in %d of %d audits", attack, plan, refuted, audits)
		}
		fewer := OneRun{Canaries: plan.Canaries, Guesses: plan.Guesses, Correct: plan.Correct - 1}
		if fewer.refutes(claim, 1-confidence) {
			t.Errorf("%+v: fewer right guesses would refute too", plan)
		}
	}
	tpr := special.NormalCDF(special.NormalQuantile(0.05) + 1) // half of the noise that μ = 0.5 needs
	plan, err := PlanTwoSample(claim, 0.05, tpr, power, confidence)
	if err != nil {
		t.Fatal(err)
	}
	refuted := 0
	for range audits / 4 {
		s := TwoSample{Members: plan.Members, NonMembers: plan.NonMembers}
		for range plan.Members {
			if random.Float64() < tpr {
				s.TruePositives++
			}
			if random.Float64() < 0.05 {
				s.FalsePositives++
			}
		}
		if ok, _ := s.refutes(claim.Claim(), 1-confidence); ok {
			refuted++
		}
	}
	if float64(refuted) < power*audits/4-4*math.Sqrt(audits/4*power*(1-power)) {
		t.Errorf("%+v refutes in %d of %d audits", plan, refuted, audits/4)
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
