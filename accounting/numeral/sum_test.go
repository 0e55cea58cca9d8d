package numeral

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSum(t *testing.T) {
	for _, c := range []struct {
		terms []float64
		want  string
	}{
		{[]float64{7.10930, 1.81644}, "7.1093 + 1.8164 = 8.9257 ≤ 8.926"},
		{[]float64{7.10920, 1.81670}, "7.109 + 1.817 = 8.926"},
		{[]float64{0, 1096.4}, "0 + 1096.4 = 1096.4 ≤ 1097"},
		{[]float64{3.2, 11.556}, "3.20 + 11.56 = 14.76"},
		{[]float64{1.468, -0.09172, 1.0931}, "1.4680 − 0.0917 + 1.0931 = 2.4694 ≤ 2.470"},
		{[]float64{2e-7, 3.4567e-6}, "0.200e-6 + 3.457e-6 = 3.657e-6"},
		{[]float64{14000, 62.3}, "14000 + 62 = 14062 ≤ 14070"},
		{[]float64{0.1, 0.2}, "0.1000 + 0.2000 = 0.3000"},
	} {
		total := 0.0
		for _, x := range c.terms {
			total += x
		}
		if got := Sum(total, c.terms...); got != c.want {
			t.Errorf("%v: %q, want %q", c.terms, got, c.want)
		}
	}
	if got := Sum(math.Inf(1), 1, math.Inf(1)); got != "1.000 + ∞ = ∞" {
		t.Errorf("infinite: %q", got)
	}
}

// What is printed adds up exactly and ends with the total as in a table, each term is rounded to the nearest, and what
// the terms add up to is never more than that total.
func TestPrintedTermsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			return math.Pow(10, rapid.Float64Range(-9, 7).Draw(t, "power")) * rapid.SampledFrom(
				[]float64{1, 1, 1, -0.1, 0}).Draw(t, "sign")
		}), 2, 4).Draw(t, "terms")
		total := 0.0
		for _, x := range terms {
			total += x
		}
		if !(total > 0) {
			return
		}
		equation := Sum(total, terms...)
		all, right, _ := strings.Cut(equation, " = ")
		result, bound, bounded := strings.Cut(right, " ≤ ")
		if !bounded {
			bound = result
		}
		if bound != Upper(total) {
			t.Fatalf("%s: the total is %s", equation, Upper(total))
		}
		last := placeOf(result)
		last.rounded = 0
		unit := 1 / last.perOne()
		sum := new(big.Rat)
		for i, word := range strings.Fields(strings.NewReplacer(" + ", " ", " − ", " -").Replace(all)) {
			x := rational(t, word)
			sum.Add(sum, x)
			if value, _ := x.Float64(); math.Abs(value-terms[i]) > unit*(1+1e-6) {
				t.Errorf("%s: %v is written %s", equation, terms[i], word)
			}
		}
		if rational(t, result).Cmp(sum) != 0 {
			t.Errorf("%s does not add up", equation)
		}
		if order := rational(t, result).Cmp(rational(t, bound)); order > 0 || bounded && order == 0 {
			t.Errorf("%s: the sum and its bound", equation)
		}
	})
}

func rational(t *rapid.T, text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return x
}

func TestSumOfBounds(t *testing.T) {
	for _, c := range []struct {
		bounds int
		terms  []float64
		want   string
	}{
		{1, []float64{0.12331, 2.83060}, "0.1234 + 2.8306 = 2.954"},
		{1, []float64{0.12331, 2.83110}, "0.1234 + 2.8311 = 2.9545 ≤ 2.955"},
		{2, []float64{0.2, 2.60310}, "0.2000 + 2.6031 = 2.8031 ≤ 2.804"},
	} {
		if got := SumOfBounds(c.terms[0]+c.terms[1], c.bounds, c.terms...); got != c.want {
			t.Errorf("%v: %q, want %q", c.terms, got, c.want)
		}
	}
}

// A term has the figure that it has in a table, or one with further digits of the same number.
func TestTermsAreAsElsewhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(1, 9).Draw(t, "x"), rapid.Float64Range(1, 9).Draw(t, "y")
		words := strings.Fields(Sum(x+y, x, y))
		for i, term := range map[int]float64{0: x, 2: y} {
			written, _ := strconv.ParseFloat(words[i], 64)
			if size := 1 / placeOf(words[i]).perOne(); math.Abs(written-term) > size/2*(1+1e-6) {
				t.Errorf("%v is written %s, not rounded to the nearest", term, words[i])
			}
		}
	})
}
