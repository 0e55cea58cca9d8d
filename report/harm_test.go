package report

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/samples"
	"epsiloscope/scenarios"
)

// training is the DP-SGD of Kulynych et al. 2024 with a budget in terms of harm.
func training(t *testing.T, z float64, budget string) (*scenarios.Scenario, *scenarios.Result) {
	t.Helper()
	s, err := scenarios.Parse("training", []byte("version: 1\nname: training\nunit: person\nbudget: {"+budget+"}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: "+
		FormatGiven(z)+", sampling_rate: 0.004, steps: 5000}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// A statement begins with harm. It never states μ without δ₀, and every page has the same advantage.
func TestStatementBeginsWithHarm(t *testing.T) {
	s, r := training(t, 0.83, "advantage: 0.2")
	st, err := NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	harm := strings.Index(st.Paragraph, "right at most 60 % of the time (membership advantage 0.1981)")
	if epsilon := strings.Index(st.Paragraph, "ε = 2.633"); harm < 0 || epsilon < harm || st.Facts[0].Name != "Harm" {
		t.Errorf("harm is not first:\n%s\n%v", st.Paragraph, st.Facts[0])
	}
	if !strings.Contains(st.Paragraph, "independent of the person's own") {
		t.Error("the condition of a bound on an attacker is missing")
	}
	i := slices.IndexFunc(st.Facts, func(f Fact) bool { return f.Name == "Gaussian summary" })
	if i < 0 || !strings.HasPrefix(st.Facts[i].Text, "(μ, δ₀) = (0.6398, 1e-10)") {
		t.Errorf("%v", st.Facts)
	}
	p, err := NewPerson(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	if p.Advantage != r.Harm.Certified.Upper || !strings.Contains(p.HarmLines()[0], "membership advantage 0.1981") {
		t.Errorf("advantage %v, certified %v: %q", p.Advantage, r.Harm.Certified, p.HarmLines()[0])
	}
}

// Under a budget in terms of another harm that one is said first, with the figure of the verdict.
func TestPersonSpeaksOfTheLimitedHarm(t *testing.T) {
	s, r := training(t, 1.2, "tpr: 0.02, fpr: 0.005")
	p, err := NewPerson(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	if want := "An attacker who accuses 0.5 % of the others finds at most 1.2 % of the members."; p.HarmLines()[0] != want {
		t.Errorf("%q", p.HarmLines()[0])
	}
	i := slices.IndexFunc(p.Rates, func(r Rate) bool { return r.False == 0.005 })
	if i < 0 || p.Rates[i].True > r.Harm.Certified.Upper || p.Rates[i].Cleared >= p.Rates[i].True {
		t.Errorf("%v, certified %v", p.Rates, r.Harm.Certified)
	}
}

// The exact μ of Poisson DP-SGD is √T/z, with no amplification: risk.md's third row and a stack that is not sampled.
func TestExactMuHasNoAmplification(t *testing.T) {
	s, _ := training(t, 0.83, "advantage: 0.2")
	g, err := summarise(context.Background(), s, resultOf(t, s))
	if err != nil || g == nil {
		t.Fatal(g, err)
	}
	if want := math.Sqrt(5000) / 0.83; math.Abs(g.ExactMu-want) > 1e-9*want {
		t.Errorf("exact μ %g, want %g", g.ExactMu, want)
	}
	if lines := strings.Join(g.Lines(), "\n"); !strings.Contains(lines, "with δ₀ = 0 the smallest μ is 85.20") {
		t.Error(lines)
	}
	s = samples.Gaussian(2, 1, 1e-6)
	if g, err := summarise(context.Background(), s, resultOf(t, s)); err != nil || g == nil || g.ExactMu != 0 ||
		math.Abs(g.Mu-0.5) > 1e-3 {
		t.Errorf("Gaussian noise with Δ/σ = 0.5: %v, %v", g, err)
	}
	for _, batches := range gauge.Some(3, []string{"allocated", "shuffled", "fixed"}) {
		s := samples.Training("batch: 1000, epochs: 4, batches: " + batches)
		g, err := summarise(context.Background(), s, resultOf(t, s))
		if err != nil || g == nil || g.ExactMu != 0 {
			t.Errorf("%s batches: a μ of %+v is claimed, and only Poisson sampling has a proof (%v)", batches, g, err)
		}
	}
}

// What is rounded must stay a bound: a probability is written rounded up.
func TestHarmIsRoundedUp(t *testing.T) {
	for _, h := range []scenarios.HarmLimit{{Advantage: 0.5}, {TPR: 0.5, FPR: 0.01},
		{Reconstruction: 0.5, Prior: 0.01}} {
		if text := harmMeaning(h, 0.0364); !strings.Contains(text, "3.7 %") && !strings.Contains(text, "0.03640") {
			t.Error(text)
		}
	}
}

// resultOf returns the result of a scenario.
func resultOf(t *testing.T, s *scenarios.Scenario) *scenarios.Result {
	t.Helper()
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
