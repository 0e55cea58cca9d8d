package oracle_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Candidates tied and apart, scores and sensitivities from 1e-300 to as large as
// float64 goes.
func TestSelections(t *testing.T) {
	check(t, 0.05, func(t *rapid.T) {
		epsilon := rapid.SampledFrom([]float64{1e-6, 1e3, 0, 0}).Draw(t, "ε")
		if epsilon == 0 {
			epsilon = logDraw(t, "ε", 1e-6, 1e3)
		}
		unit := logDraw(t, "unit", 1e-300, 1e306)
		if rapid.IntRange(0, 3).Draw(t, "huge") == 0 {
			unit = 1e308 / 60
			note("scores to 1e308", true)
		}
		sensitivity := unit
		if rapid.IntRange(0, 3).Draw(t, "far") == 0 { // scores that no sensitivity joins
			sensitivity = logDraw(t, "Δ", 1e-300, 1e308)
		}
		monotone := rapid.Bool().Draw(t, "monotone")
		var items []param.Item
		for range rapid.IntRange(1, 8).Draw(t, "candidates") {
			s := unit * rapid.Float64Range(-60, 60).Draw(t, "score")
			tied := rapid.SampledFrom([]int{1, 1, 3}).Draw(t, "tied")
			note("tied", tied > 1)
			for range tied {
				items = append(items, param.Item{Value: s})
			}
		}
		judgeSelection(t, mechanisms.Exponential{Epsilon: epsilon, Sensitivity: sensitivity,
			Monotone: monotone, Candidates: items})
	})
}

// A scale of the noise beyond float64, and scores that still differ in units of it.
func TestSelectionsBeyondFloat64(t *testing.T) {
	for _, monotone := range []bool{false, true} {
		judgeSelection(t, mechanisms.Exponential{Epsilon: 1e-6, Sensitivity: 1e307, Monotone: monotone,
			Candidates: []param.Item{{Value: 1e308}, {Value: -1e308}, {Value: 3e307}}})
	}
}

func judgeSelection(t rapid.TB, m mechanisms.Exponential) {
	t.Helper()
	got, err := m.Selection()
	if err != nil {
		t.Fatal(err)
	}
	var scores []float64
	for _, item := range m.Candidates {
		scores = append(scores, item.Value)
	}
	want := oracle.SelectionChances(m.Epsilon, m.Sensitivity, m.Monotone, scores)
	for i, p := range got.Probabilities {
		// An exponent of hundreds has that many rounding errors.
		if math.IsNaN(p) || math.Abs(p-want[i]) > 1e-12*want[i]+1e-300 {
			t.Errorf("ε = %v, Δ = %v, %v: candidate %d has chance %.15g, want %.15g", m.Epsilon, m.Sensitivity, scores, i, p, want[i])
		}
	}
}
