package report

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/samples"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

func personOf(t testing.TB, s *scenarios.Scenario, priors ...float64) *Person {
	t.Helper()
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPerson(context.Background(), s, r, priors...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func about(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}

// ε = 3 from priors of 1 % and 50 %, and the other cells of the odds card.
func TestBeliefsOfPureEpsilon(t *testing.T) {
	for _, c := range []struct{ epsilon, one, half float64 }{ // percent, to the digits given
		{0.1, 1.1, 52.5}, {1, 2.7, 73.1}, {math.Log(3), 2.9, 75}, {2, 6.9, 88.1}, {3, 16.9, 95.3}, {5, 60, 99.3}, {8, 96.8, 99.97},
	} {
		p := personOf(t, samples.Pure(c.epsilon, 1, 0), 0.01, 0.5)
		if !about(100*p.Beliefs[0].Most, c.one, 2e-2) || !about(100*p.Beliefs[1].Most, c.half, 1e-3) ||
			p.ExceptionBound != 0 {
			t.Errorf("ε = %g: %+v, except %g", c.epsilon, p.Beliefs, p.ExceptionBound)
		}
		// By the symmetry of odds, the least belief that a person is in is 1 minus the largest that they are not.
		if !about(p.Beliefs[1].Least, 1-p.Beliefs[1].Most, 1e-9) || !(p.Beliefs[0].Least < 0.01) {
			t.Errorf("ε = %g: least beliefs %+v", c.epsilon, p.Beliefs)
		}
		// Randomized response is the worst pure mechanism: its best test is to believe
		// the answer, right with e^ε/(1+e^ε), so the advantage is tanh(ε/2).
		if !about(p.Advantage, math.Tanh(c.epsilon/2), 1e-9) {
			t.Errorf("ε = %g: advantage %g, want %g", c.epsilon, p.Advantage, math.Tanh(c.epsilon/2))
		}
	}
	if b := personOf(t, samples.Pure(3, 1, 0)).Beliefs[0]; Chance(b.Prior) != "1 %" || Chance(b.Most) != "17 %" {
		t.Errorf("%s to %s", Chance(b.Prior), Chance(b.Most))
	}
}

// Randomized response, one answer: the best test at false-positive rate x lies on
// the segments through (1/(1+e^ε), e^ε/(1+e^ε)).
func TestRatesOfRandomizedResponseExactly(t *testing.T) {
	for _, epsilon := range []float64{0.5, math.Log(3), 3, 6, 9} {
		p := personOf(t, samples.Pure(epsilon, 1, 0))
		no := 1 / (1 + math.Exp(epsilon)) // P(yes | not in)
		for _, r := range p.Rates {
			want := r.False * (1 - no) / no // randomise below the corner
			if r.False > no {
				want = 1 - no + (r.False-no)*no/(1-no)
			}
			if !about(r.True, want, 1e-9) {
				t.Errorf("ε = %g, x = %g: %g, want %g", epsilon, r.False, r.True, want)
			}
		}
	}
}

// Gaussian noise: the likelihood-ratio test thresholds the answer itself, so its
// true-positive rate at x is 1 − Φ(Φ⁻¹(1−x) − μ). Computed here from erfc alone.
func TestRatesOfGaussianNoise(t *testing.T) {
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	quantile := func(p float64) float64 { // upper tail p, by bisection
		low, high := -40.0, 40.0
		for range 200 {
			if mid := (low + high) / 2; tail(mid) > p {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	for _, c := range []struct{ sigma, count float64 }{{1, 1}, {3, 4}, {20, 100}} {
		p := personOf(t, samples.Gaussian(c.sigma, c.count, 1e-6))
		mu := math.Sqrt(c.count) / c.sigma
		for _, r := range p.Rates {
			if want := tail(quantile(r.False) - mu); !about(r.True, want, 1e-9) {
				t.Errorf("μ = %g, x = %g: %g, want %g", mu, r.False, r.True, want)
			}
		}
		if want := tail(-mu/2) - tail(mu/2); !about(p.Advantage, want, 1e-9) {
			t.Errorf("μ = %g: advantage %g, want %g", mu, p.Advantage, want)
		}
		if want := tail(p.Epsilon/mu - mu/2); !about(p.ExceptionBound, want, 1e-9) {
			t.Errorf("μ = %g: except %g, want %g", mu, p.ExceptionBound, want)
		}
	}
}

// Many randomized responses: the number of true answers is binomial, and the exact
// best test thresholds it. The certified curve may not promise less than it gains.
func TestCertifiedRatesCoverTheBinomialTest(t *testing.T) {
	const epsilon, k = 0.2, 60
	p := personOf(t, samples.Pure(epsilon, k, 1e-6))
	yes := math.Exp(epsilon) / (1 + math.Exp(epsilon))
	mass := func(i int, p float64) float64 {
		c, _ := math.Lgamma(k + 1)
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(k - i + 1))
		return math.Exp(c - a - b + float64(i)*math.Log(p) + float64(k-i)*math.Log(1-p))
	}
	best := func(x float64) float64 { // Neyman–Pearson, randomised at the threshold
		gained, spent := 0.0, 0.0
		for i := k; i >= 0; i-- {
			in, out := mass(i, yes), mass(i, 1-yes)
			if spent+out > x {
				return gained + in*(x-spent)/out
			}
			gained, spent = gained+in, spent+out
		}
		return 1
	}
	for _, r := range p.Rates {
		if exact := best(r.False); r.True < exact*(1-1e-9) || r.True > exact*1.02+1e-3 {
			t.Errorf("x = %g: %g, exactly %g", r.False, r.True, exact)
		}
	}
	advantage, exceeds := 0.0, 0.0
	for i := range k + 1 {
		advantage += math.Max(0, mass(i, yes)-mass(i, 1-yes))
		if float64(2*i-k)*epsilon > p.Epsilon {
			exceeds += mass(i, yes)
		}
	}
	if p.Advantage < advantage*(1-1e-9) || p.Advantage > advantage*1.01 {
		t.Errorf("advantage %g, exactly %g", p.Advantage, advantage)
	}
	if p.ExceptionBound < exceeds || p.ExceptionBound > 1e-4 {
		t.Errorf("beliefs may grow further with probability %g, exactly %g", p.ExceptionBound, exceeds)
	}
}

// A pure release promises every outcome, whatever δ the budget has.
func TestPureHasNoExceptions(t *testing.T) {
	if p := personOf(t, samples.Pure(1, 1, 1e-6)); p.Delta != 0 || p.ExceptionBound != 0 || p.Epsilon != 1 {
		t.Errorf("ε = %v at δ = %v, except with probability %v", p.Epsilon, p.Delta, p.ExceptionBound)
	}
}

// A stack without a dominating pair still has figures, and they are no smaller than
// those of the Gaussian noise that has the same ρ.
func TestPersonWithoutAPair(t *testing.T) {
	s := scenarios.New()
	s.Budget.Delta = 1e-6
	s.Stack = []scenarios.Entry{{Mechanism: "zcdp", Count: 1, Sampling: 1,
		Values: param.Values{"rho": param.NumberValue(0.125)}}}
	p := personOf(t, s)
	if want := accounting.GaussianToDelta(0.5, 0); p.Advantage < want || p.Advantage >= 1 ||
		!strings.Contains(p.Curve, "closed") {
		t.Errorf("%+v, Gaussian advantage %g", p, want)
	}
	if p.Rates[0].True < 1-accounting.GaussianTradeOff(0.5, 1e-3) ||
		!(p.ExceptionBound > 1e-6 && p.ExceptionBound < 1e-4) {
		t.Errorf("%+v", p)
	}
}

func TestPersonRefuses(t *testing.T) {
	s := samples.Pure(1, 1, 0)
	r, _ := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if _, err := NewPerson(context.Background(), s, r, 1.5); err == nil {
		t.Error("a prior above 1")
	}
	r.Best = -1
	if _, err := NewPerson(context.Background(), s, r); err == nil {
		t.Error("no bound, no promise")
	}
}

// Every deployment on the ruler is a bundled scenario of that unit, and its text
// has the figure.
func TestRulerAgreesWithTheLibrary(t *testing.T) {
	for _, d := range deployments {
		s, err := scenarios.LoadBundled(d.Scenario)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		text, _ := scenarios.BundledSource(d.Scenario)
		if s.Unit != d.Unit || !strings.Contains(string(text), Short(d.Epsilon)) || d.Source == "" {
			t.Errorf("%s: unit %q, want %q, ε = %s in the text", d.Name, d.Unit, s.Unit, Short(d.Epsilon))
		}
	}
	if r := deploymentsOf("person-day"); len(r) < 5 || r[0].Epsilon > r[1].Epsilon || r[0].Unit != "user-day" {
		t.Errorf("%+v", r)
	}
	if r := deploymentsOf("galaxy"); len(r) != 0 {
		t.Errorf("%+v", r)
	}
	if p := personOf(t, withUnit(samples.Pure(3, 1, 0), "person")); p.PlaceText != "between Meta URL shares (1.453) and Microsoft assistive AI (4)" {
		t.Error(p.PlaceText)
	}
	if p := personOf(t, withUnit(samples.Pure(1.672, 1, 0), "user-6h")); math.Round(p.Yearly.Bound.Epsilon) != 2441 ||
		p.Yearly.Bound.Delta != 0 {
		t.Errorf("a year of it: %+v", p.Yearly)
	}
}

func withUnit(s *scenarios.Scenario, unit string) *scenarios.Scenario {
	s.Unit = unit
	return s
}

func TestChance(t *testing.T) {
	for p, want := range map[float64]string{
		0.01: "1 %", 0.0100000001: "1.1 %", 0.1: "10 %", 0.5: "50 %", 0.1686: "17 %", 0.0267: "2.7 %", 0.0945: "9.5 %", 0.0996: "10 %",
		0.99966: "99.97 %", 0.6049: "61 %",
		1: "100 %", 0: "0 %", 1e-9: "below 0.001 %", 0.9999999: "nearly 100 %",
	} {
		if got := Chance(p); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
}

func TestChanceDown(t *testing.T) {
	for p, want := range map[float64]string{0.0199999999: "1.9 %", 0.085: "8.5 %", 0.0857: "8.5 %", 0.5: "50 %",
		0.00123: "0.12 %", 0: "0 %", 1: "100 %"} {
		if got := ChanceDown(p); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
}

func TestAccuracyRows(t *testing.T) {
	s := scenarios.New()
	s.Records = 1000
	s.Stack = []scenarios.Entry{
		{Mechanism: "laplace", Label: "counts", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.5)}},
		{Mechanism: "randomized-response", Count: 1, Sampling: 1, Values: param.Values{"gamma": param.NumberValue(0.25)}},
		{Mechanism: "exponential", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1), "scores": param.ScoresValue(500, 400, 400, 400)}},
		{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(1)}},
		{Mechanism: "pure", Disabled: true, Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(1)}},
	}
	rows := AccuracyOf(s)
	if len(rows) != 4 {
		t.Fatalf("%+v", rows)
	}
	if a := rows[0].Accuracy; !about(a.Each, 5.991, 1e-3) || !about(rows[0].Sampling, 0.03099, 1e-3) ||
		!about(rows[0].Share, 0.005991, 1e-3) {
		t.Errorf("a count at ε = 0.5: %+v", rows[0])
	}
	if a := rows[1].Accuracy; a.Each > 0.03162278*1.959964 || !about(a.Each, 0.03162*1.959964, 1e-3) {
		t.Errorf("the coin survey's error, 1.96 deviations: %+v", a)
	}
	if r := rows[2]; !r.Picks || !about(r.Right, 1-0.019813, 1e-4) || !about(r.Loss, 1.9813, 1e-3) {
		t.Errorf("hair colour: %+v", r)
	}
	if rows[3].Reason == "" {
		t.Errorf("a stated guarantee has no error: %+v", rows[3])
	}
}

// A suspicion may be a percentage.
func TestParsePrior(t *testing.T) {
	for text, want := range map[string]float64{"2%": 0.02, " 12.5 % ": 0.125, "1/50": 0.02, "0.5": 0.5, "100%": 0, "0%": 0, "2": 0, "%": 0,
		"5%%": 0, "5%2": 0, "10-5%": 0, "": 0} {
		if x, err := ParsePrior(text); x != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %v, %v", text, x, err)
		}
	}
}

// Twins who are always in the data together each answer by randomized response with ε = 1. To an attacker who knows
// that, two answers raise the odds that one of them is in by e², not by e: the sentences about a person say that they
// do not speak of such people.
func TestPersonSaysOfWhomItSpeaks(t *testing.T) {
	truth := math.E / (1 + math.E)
	// at even odds, after two answers that speak for them
	posterior := truth * truth / (truth*truth + (1-truth)*(1-truth))
	if alone := math.E / (1 + math.E); posterior < 0.88 || posterior <= alone {
		t.Fatalf("%g, of one person %g", posterior, alone)
	}
	p := &Person{Attack: Attack{Adjacency: "add-remove", Epsilon: 1}}
	if text := strings.Join(p.SuspicionLines(), " "); !strings.Contains(text, "2.719. This holds if the other records are fixed or independent of this person's record; people who are always in the data together are a group.") {
		t.Error(text)
	}
}
