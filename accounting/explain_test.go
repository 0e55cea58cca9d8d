package accounting

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The terms that a theorem puts into its formula amount to the bound it gives.
func TestStepsAddUpToTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delta := math.Pow(10, -rapid.Float64Range(2, 14).Draw(t, "−log δ"))
		stack := []Entry{{PureDP(rapid.Float64Range(0.001, 2).Draw(t, "ε")), float64(rapid.IntRange(1, 2000).Draw(t, "K"))}}
		if rapid.Bool().Draw(t, "mixed") {
			stack = append(stack, Entry{GaussianDP(1 / rapid.Float64Range(1, 100).Draw(t, "σ")), 3})
		}
		target := Target{Delta: delta, Alpha: rapid.Float64Range(1.1, 100).Draw(t, "α")}
		for _, b := range ClosedForms(stack, target) {
			if !b.Finite() {
				continue
			}
			lines, sum := b.substitute()
			if len(lines) == 0 {
				t.Errorf("%s: nothing is put into the formula", b.Method)
			}
			if !math.IsNaN(sum) && math.Abs(sum-b.Epsilon) > 1e-9*math.Max(1, b.Epsilon) {
				t.Errorf("%s: the terms amount to %.12g, the bound is %.12g\n%s", b.Method, sum, b.Epsilon, strings.Join(lines, "\n"))
			}
		}
	})
}
