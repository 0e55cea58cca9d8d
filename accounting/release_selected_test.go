package accounting_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting"

	"pgregory.net/rapid"
)

// The best of ten runs on average, each ρ = 0.05, at δ = 1e-6; one run costs 1.4716 and ten
// composed ones 5.2215. Papernot & Steinke 2022, Theorems 2 and 6, minimised over all orders
// by an independent program.
func TestBestOfRuns(t *testing.T) {
	for name, c := range map[string]struct {
		runs      accounting.Runs
		want      float64
		tolerance float64
	}{
		"logarithmic": {accounting.Runs{Mean: 10}, 2.41969677089738, 1e-7},
		"geometric":   {accounting.Runs{Mean: 10, Shape: 1}, 2.8766366191115, 1e-7},
		"poisson":     {accounting.Runs{Mean: 10, Poisson: true}, 3.19997426113965, 1e-3},
		"one run":     {accounting.Runs{Mean: 1, Shape: 1}, 1.4716, 1e-4},
	} {
		r := accounting.BestOf(accounting.ConcentratedDP(0.05), c.runs)
		for _, b := range accounting.Closed([]accounting.Entry{{Release: r, Count: 1}}, accounting.Target{Delta: 1e-6}) {
			switch b.Method {
			case accounting.RDP:
				if b.Status != accounting.Valid || math.Abs(b.Epsilon-c.want) > c.tolerance*c.want || b.Epsilon < c.want*(1-1e-9) && name != "one run" {
					t.Errorf("%s: %v, want %v", name, b.Epsilon, c.want)
				}
			case accounting.RDPClassic:
			default:
				if b.Status == accounting.Valid || b.Note == "" {
					t.Errorf("%s: %s says %v, %q", name, b.Method, b.Epsilon, b.Note)
				}
			}
		}
	}
}

// The best of a geometric number of pure runs is 3ε-DP (Liu & Talwar 2019), in every column.
func TestBestOfPureRuns(t *testing.T) {
	r := accounting.BestOf(accounting.PureDP(0.1), accounting.Runs{Mean: 20, Shape: 1})
	bounds := accounting.Compare(context.Background(), []accounting.Entry{{Release: r, Count: 1}}, accounting.Target{Delta: 0})
	if b := bounds[accounting.Best(bounds)]; math.Abs(b.Epsilon-0.3) > 1e-12 {
		t.Errorf("%v by %s", b.Epsilon, b.Method)
	}
}

// What selection costs is never less than a run, and rises with the mean and the order.
func TestBestOfInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := accounting.GaussianDP(rapid.Float64Range(0.05, 2).Draw(t, "μ"))
		runs := accounting.Runs{Mean: rapid.Float64Range(1, 100).Draw(t, "mean"), Shape: rapid.Float64Range(-0.9, 3).Draw(t, "shape"),
			Poisson: rapid.Bool().Draw(t, "poisson")}
		more := runs
		more.Mean *= 2
		before := 0.0
		for _, alpha := range []float64{1, 1.1, 2, 5, 40} {
			plain, _ := inner.Renyi(alpha)
			got, err := accounting.BestOf(inner, runs).Renyi(alpha)
			if err != nil || got < plain || got < before*(1-1e-6) {
				t.Errorf("α %v: %v, a run %v, before %v, %v", alpha, got, plain, before, err)
			}
			if twice, _ := accounting.BestOf(inner, more).Renyi(alpha); twice < got*(1-1e-6) {
				t.Errorf("α %v: more runs cost %v, not %v", alpha, twice, got)
			}
			before = got
		}
	})
}

// Below a mean of one the formula for a Poisson number would go negative.
func TestBestOfRefusals(t *testing.T) {
	for _, runs := range []accounting.Runs{{Mean: 0.5, Poisson: true}, {Mean: 0.5}, {Mean: math.NaN()}, {Mean: 10, Shape: -1}, {Mean: math.Inf(1)}} {
		if _, err := accounting.BestOf(accounting.GaussianDP(1), runs).Renyi(2); err == nil {
			t.Errorf("%+v has a curve", runs)
		}
	}
}
