package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// One report of k categories has δ(t) = (1 − e^{t−ε})/(1 + (k−1)e^{−ε}) for 0 ≤ t ≤ ε. With many
// categories two neighbours differ in few of them, and still to the last digit.
func TestResponseOfManyCategories(t *testing.T) {
	for _, epsilon := range []float64{0.01, 1, 5, 30} {
		for _, k := range []int{3, 1e3, 1e6, 1e9, 1e12, 1e15} {
			all := 1 + float64(k-1)*math.Exp(-epsilon)
			want := 0.7 * epsilon
			delta := -math.Expm1(want-epsilon) / all
			i, err := Epsilon(context.Background(),
				[]pairs.Part{{Pair: pairs.Response(epsilon, k), Count: 1}}, delta, Options{})
			if err != nil || !(i.Lower <= want && want <= i.Upper) || i.width() > 1e-6 {
				t.Errorf("ε = %g of %d categories: %.15g to %.15g, it is %.15g (%v)", epsilon, k, i.Lower, i.Upper, want, err)
			}
			divergence := math.Log1p(math.Expm1(epsilon) * -math.Expm1(-2*epsilon) / all)
			if got := pairs.Response(epsilon, k).Remove.Renyi(2); math.Abs(got/divergence-1) > 1e-12 {
				t.Errorf("ε = %g of %d categories: D₂ = %.15g, it is %.15g", epsilon, k, got, divergence)
			}
		}
	}
}
