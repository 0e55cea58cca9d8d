package accounting

import (
	"context"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The terms that a theorem puts into its formula amount to the bound it gives.
func TestStepsAddUpToTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delta := math.Pow(10, -rapid.Float64Range(2, 14).Draw(t, "−log δ"))
		stack := []Entry{{PureDP(rapid.Float64Range(0.001, 2).Draw(t, "ε")),
			float64(rapid.IntRange(1, 2000).Draw(t, "K"))}}
		if rapid.Bool().Draw(t, "mixed") {
			stack = append(stack, Entry{GaussianDP(1 / rapid.Float64Range(1, 100).Draw(t, "σ")), 3})
		}
		target := Target{Delta: delta, Alpha: rapid.Float64Range(1.1, 100).Draw(t, "α")}
		for _, b := range ClosedForms(context.Background(), stack, target) {
			if !b.Finite() {
				continue
			}
			lines, sum := b.substitute()
			if len(lines) == 0 {
				t.Errorf("%s: nothing is put into the formula", b.Method)
			}
			for _, q := range b.Questions() {
				lines = append(lines, q.Answer...)
			}
			checkPrintedSums(t, lines)
			if !math.IsNaN(sum) && math.Abs(sum-b.Epsilon) > 1e-9*math.Max(1, b.Epsilon) {
				t.Errorf("%s: the terms amount to %.12g, the bound is %.12g\n%s", b.Method, sum, b.Epsilon, strings.Join(lines, "\n"))
			}
		}
	})
}

var printedSum = regexp.MustCompile(`([0-9][0-9.e-]*(?: [+−] [0-9][0-9.e-]*)+) = ([0-9][0-9.e-]*[0-9])`)

// checkPrintedSums fails if the printed terms of a sum do not add up to its printed total.
func checkPrintedSums(t *rapid.T, lines []string) {
	for _, line := range lines {
		for _, found := range printedSum.FindAllStringSubmatch(line, -1) {
			sum, sign := new(big.Rat), big.NewRat(1, 1)
			for _, word := range strings.Fields(found[1]) {
				switch x, ok := new(big.Rat).SetString(word); {
				case ok:
					sum.Add(sum, x.Mul(x, sign))
				case word == "−":
					sign = big.NewRat(-1, 1)
				default:
					sign = big.NewRat(1, 1)
				}
			}
			if total, ok := new(big.Rat).SetString(found[2]); !ok || total.Cmp(sum) != 0 {
				t.Errorf("%q does not add up: %s", found[0], sum.FloatString(6))
			}
		}
	}
}
