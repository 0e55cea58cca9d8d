package labs

import (
	"context"
	"math"
	"testing"

	"epsiloscope/mechanisms/param"
)

func figures(t *testing.T, lab string, values param.Values) map[string]float64 {
	t.Helper()
	out, err := Run(context.Background(), lab, Options{Seed: 7, Values: values})
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]float64{}
	for _, f := range out.Figures {
		list[f.Name] = f.Value
	}
	return list
}

// The breach of the natural filter at ε = 1, by enumeration elsewhere: 1.24473 for one
// release before the chosen one, 2.13857134349728 for 4, 3.16493609967667 for 8.
func TestNaturalFilterIsBroken(t *testing.T) {
	for k, want := range map[float64]float64{1: 1.24473, 4: 2.13857134349728, 8: 3.16493609967667, 16: 5.10652} {
		f := figures(t, "natural-filter", param.Values{"k": param.WholeValue(k)})
		if got := f["true δ ÷ promised δ"]; math.Abs(got-want) > 1e-5*want {
			t.Errorf("k = %v: %.12g, want %v", k, got, want)
		}
		// From 16 on the mean is made by rare sessions, and a simulation says little.
		if got := f["simulated"]; k <= 8 && math.Abs(got-want) > 0.1*want {
			t.Errorf("k = %v: simulated %v", k, got)
		}
	}
}

// Two outcomes and a leak are enough (1.37754066879815): RR(0.5), then by its answer an
// RR that just uses up δ, or a leak with probability δ.
func TestSmallestNaturalBreach(t *testing.T) {
	want := 1 + 1/(1+math.Exp(0.5))
	if math.Abs(want-1.37754066879815) > 1e-12 {
		t.Fatal(want)
	}
	// On "+", of probability p, the loss is 0.5: RR(e′) just reaches δ(1) on its own path,
	// p·p′·(1 − e^{1−0.5−e′}) = δ, with p′ the chance of its "+"; on "−" the leak is δ.
	const delta = 1e-3
	p := 1 / (1 + math.Exp(-0.5))
	low, high := 0.5, 3.0
	for range 100 {
		e := (low + high) / 2
		if p/(1+math.Exp(-e))*-math.Expm1(0.5-e) < delta {
			low = e
		} else {
			high = e
		}
	}
	path := p / (1 + math.Exp(-high)) * -math.Expm1(0.5-high)
	truth := path + (1-p)*delta
	if math.Abs(truth/delta-want) > 1e-9 {
		t.Errorf("%.12g, want %.12g", truth/delta, want)
	}
}

// The bound for a fixed number is crossed more often than promised when one looks all
// the time; the odometers are not.
func TestOdometersHoldAtAllTimes(t *testing.T) {
	f := figures(t, "odometers", nil)
	if f["crossed: fixed number"] < 0.06 {
		t.Errorf("looked at all the time a fixed bound is crossed in %v", f["crossed: fixed number"])
	}
	for _, name := range []string{"crossed: line", "crossed: mixture"} {
		if f[name] > 0.05 {
			t.Errorf("%s in %v of the sessions", name, f[name])
		}
	}
}

// Ladder 4.737 and odometer 5.506 may be quoted at step 5,000, 4.203 may not.
func TestStoppingEarlyFigures(t *testing.T) {
	f := figures(t, "stopping-early", nil)
	for name, want := range map[string]float64{"rung": 4.7369, "odometer": 5.50606517617647, "not quotable": 4.2033, "plan": 6.1906} {
		if math.Abs(f[name]-want) > 1e-3*want {
			t.Errorf("%s: %v, want %v", name, f[name], want)
		}
	}
}
