package numeral

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSum(t *testing.T) {
	for _, c := range []struct {
		terms []float64
		want  string
	}{
		{[]float64{7.10930, 1.81644}, "7.109 + 1.817 = 8.926"},
		{[]float64{7.10950, 1.81642}, "7.110 + 1.816 = 8.926"},
		{[]float64{0, 1096.4}, "0 + 1097 = 1097"},
		{[]float64{3.2, 11.556}, "3.20 + 11.56 = 14.76"},
		{[]float64{1.468, -0.09172, 1.0931}, "1.468 − 0.091 + 1.093 = 2.470"},
		{[]float64{2e-7, 3.4567e-6}, "0.200e-6 + 3.457e-6 = 3.657e-6"},
		{[]float64{14000, 62.3}, "14000 + 70 = 14070"},
		{[]float64{0.1, 0.2}, "0.1000 + 0.2000 = 0.3000"},
	} {
		total := 0.0
		for _, x := range c.terms {
			total += x
		}
		if _, got := Sum(total, c.terms...); got != c.want {
			t.Errorf("%v: %q, want %q", c.terms, got, c.want)
		}
	}
	if _, got := Sum(math.Inf(1), 1, math.Inf(1)); got != "1.000 + ∞ = ∞" {
		t.Errorf("infinite: %q", got)
	}
}

// What is printed adds up exactly, the total is that of a table, and no term is off by more than a unit of the
// last place.
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
		_, equation := Sum(total, terms...)
		all, left, _ := strings.Cut(equation, " = ")
		words := strings.Fields(strings.NewReplacer(" + ", " ", " − ", " -").Replace(all))
		sum := new(big.Rat)
		if left != Upper(total) {
			t.Fatalf("%s: the total is %s", equation, Upper(total))
		}
		unit := 1 / placeOf(left).perOne()
		for i, word := range words {
			x, ok := new(big.Rat).SetString(word)
			if !ok {
				t.Fatalf("%q is no number", word)
			}
			sum.Add(sum, x)
			if value, _ := x.Float64(); math.Abs(value-terms[i]) > unit*(1+1e-6) {
				t.Errorf("%s: %v is written %s", equation, terms[i], word)
			}
		}
		if want, _ := new(big.Rat).SetString(left); want.Cmp(sum) != 0 {
			t.Errorf("%s does not add up", equation)
		}
	})
}
