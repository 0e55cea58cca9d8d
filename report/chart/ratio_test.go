package chart

import (
	"slices"
	"testing"

	"epsiloscope/internal/samples"
	"epsiloscope/scenarios"
)

// The least bound is 1 everywhere and nothing else below it but an approximation.
func TestOverBest(t *testing.T) {
	s, err := scenarios.LoadBundled("dpsgd-tfprivacy") // GDP is an approximation there
	if err != nil {
		t.Fatal(err)
	}
	c, ok := build(t, "epsilon-k", s, Options{Points: 8}).RatioToBest()
	if !ok {
		t.Fatal("no such view")
	}
	least := false
	for _, curve := range c.Series {
		if rough := curve.Name == "gdp"; rough != curve.Rough {
			t.Errorf("%s: rough %v", curve.Name, curve.Rough)
		}
		for i, y := range curve.Y {
			least = least || y == 1
			if y < 1 && !curve.Rough {
				t.Errorf("%s at K = %v is %v of the best", curve.Name, curve.X[i], y)
			}
		}
	}
	if !least {
		t.Error("no curve is the best")
	}
	if _, ok := build(t, "noise", samples.Gaussian(10, 1, 1e-6), Options{}).RatioToBest(); ok {
		t.Error("a density has no best")
	}
}

// Entries are named on the axis of the ledger, and a name that the axis cannot measure is
// replaced by the mechanism.
func TestLedgerNames(t *testing.T) {
	s := samples.Gaussian(10, 1, 1e-6)
	s.Stack = append(s.Stack, s.Stack[0], s.Stack[0])
	s.Stack[0].Label, s.Stack[1].Label = "weekly", "Größe"
	c := build(t, "ledger", s, Options{})
	if got := c.X.Names; len(got) != 3 || got[0] != "weekly" || got[1] != "Gaussian" {
		t.Errorf("%q", got)
	}
}

// Where nothing but an approximation is known there is no least bound.
func TestLeastOfNoBound(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{1, 2}, Y: []float64{0.1, 0.2}, Rough: true}}}
	if least, ok := c.LeastBounds(); ok {
		t.Errorf("the least bound is %v", least)
	}
}

// All of the cost of a published sample is in δ: its answer is ε = 0, not the rounding of a theorem that says a little
// more.
func TestAnswerOfNothingIsMarked(t *testing.T) {
	s, err := scenarios.LoadBundled("sample-release")
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, "epsilon-k", s, Options{Numerical: true, Points: 5})
	if !slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Answer && m.Y == 0 && m.Label == "K = 1: ε = 0" }) {
		t.Errorf("the marks are %+v", c.Marks)
	}
}
