package document

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

func TestStep(t *testing.T) {
	for _, c := range []struct {
		x      float64
		by     int
		digits int
		whole  bool
		want   float64
	}{
		{0.1, +1, 2, false, 0.11}, {0.11, +1, 2, false, 0.12}, {0.99, +1, 2, false, 1}, {1, +1, 2, false, 1.1}, {1, -1, 2, false, 0.99},
		{0.1, -1, 2, false, 0.099}, {0.1234, +1, 2, false, 0.13}, {0.1234, -1, 2, false, 0.12}, {1e-6, +1, 1, false, 2e-6}, {1e-6, -1, 1, false, 9e-7},
		{9e-7, +1, 1, false, 1e-6}, {1, +1, 2, true, 2}, {9, +1, 2, true, 10}, {99, +1, 2, true, 100}, {100, +1, 2, true, 110}, {100, -1, 2, true, 99},
		{1, -1, 2, true, 0}, {10000, +1, 2, true, 11000},
	} {
		if got := Step(c.x, c.by, c.digits, c.whole); got != c.want {
			t.Errorf("Step(%v, %+d, %d, %t) = %v, want %v", c.x, c.by, c.digits, c.whole, got, c.want)
		}
	}
	if Scale(0.1, 1) != 1 || Scale(0.12, -1) != 0.012 || Scale(100, 1) != 1000 {
		t.Error("Scale loses digits")
	}
}

// Under a budget of harm without a δ the knob shows the δ at which ε is stated, and turns from there; without any
// budget of harm it is 0.
func TestDeltaKnobShowsTheDeltaOfEpsilon(t *testing.T) {
	for _, c := range []struct {
		budget scenarios.Budget
		text   string
		next   float64
	}{
		{scenarios.Budget{Harm: scenarios.HarmLimit{Advantage: 0.2}}, "1e-6", 2e-6},
		{scenarios.Budget{Harm: scenarios.HarmLimit{TPR: 0.05, FPR: 0.01}, Delta: 1e-8}, "1e-8", 2e-8},
		{scenarios.Budget{Epsilon: 1}, "0", 1e-6},
	} {
		s := scenarios.New()
		s.Budget = c.budget
		k := New(s).scenarioKnobs(math.NaN())[0]
		next, err := k.NextValue(+1, false)
		if k.Name != KnobDelta || k.Text != c.text || k.Value != s.DeltaOfEpsilon() || next != c.next || err != nil {
			t.Errorf("%+v: %s %q = %v, then %v, %v", c.budget, k.Name, k.Text, k.Value, next, err)
		}
	}
}

func TestStepsMoveAndComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-12, 1e12).Draw(t, "x")
		up, down := Step(x, +1, 2, false), Step(x, -1, 2, false)
		if !(down < x && x < up) || up > 1.11*x || down < 0.9*x {
			t.Fatalf("steps from %v: %v, %v", x, down, up)
		}
		if back := Step(Step(up, +1, 2, false), -1, 2, false); math.Abs(back-up) > 1e-12*up {
			t.Fatalf("up and down from %v ends at %v", up, back)
		}
	})
}

// Giving one of several alternatives takes the others away and keeps the mechanism.
func TestAlternativesStayInStep(t *testing.T) {
	e := scenarios.Entry{Mechanism: "laplace", Values: param.Values{"epsilon": param.NumberValue(0.1), "sensitivity": param.NumberValue(2)}}
	if b := mechanisms.Equivalents(e.Mechanism, e.Values)["scale"]; b != 20 {
		t.Errorf("scale of ε 0.1 at Δ 2 is %v", b)
	}
	if err := e.SetNumber("scale", 4); err != nil {
		t.Fatal(err)
	}
	if e.Values.Has("epsilon") || e.Values["scale"].Number != 4 || mechanisms.Equivalents(e.Mechanism, e.Values)["epsilon"] != 0.5 {
		t.Errorf("%v", e.Values)
	}
	sigma := param.NumberValue(mechanisms.AnalyticSigma(1, 1e-6, 1))
	g := scenarios.Entry{Mechanism: "gaussian", Values: param.Values{"sigma": sigma}}
	if eps := mechanisms.Equivalents("gaussian", g.Values)["epsilon"]; math.Abs(eps-1) > 1e-6 {
		t.Errorf("ε of the σ calibrated to ε = 1 is %v", eps)
	}
	if err := g.SetNumber("epsilon", 0.5); err != nil {
		t.Fatal(err)
	}
	if g.Values.Has("sigma") || !g.Values.Has("delta") {
		t.Errorf("σ replaced by ε without a δ: %v", g.Values)
	}
	if _, err := mechanisms.New("gaussian", g.Values); err != nil {
		t.Error(err)
	}
	r := scenarios.Entry{Mechanism: "randomized-response", Values: param.Values{"gamma": param.NumberValue(0.25)}}
	known := mechanisms.Equivalents(r.Mechanism, r.Values)
	if math.Abs(known["epsilon"]-math.Log(3)) > 1e-12 || math.Abs(known["truth"]-0.75) > 1e-12 {
		t.Errorf("γ = ¼ is ε = ln 3 and truth ¾, not %v", known)
	}
}

// A knob does not move a number beside which the entry states another for absence: that one
// would stay behind, and could be too small.
func TestKnobKeepsWhatIsSaidOfAbsence(t *testing.T) {
	s := scenarios.New()
	s.Adjacency = mechanisms.Replace
	s.Stack = []scenarios.Entry{{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)},
		Also: mechanisms.Also{AddRemove: true, Number: 0.05}}}
	d := New(s)
	if k := d.Knobs(math.NaN())[0]; k.Name != "epsilon" || k.Put(1) == nil || d.Dirty() {
		t.Errorf("%s was turned to %v", k.Name, d.Scenario().Stack[0].Values)
	}
}
