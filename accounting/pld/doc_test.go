package pld

import (
	"context"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// TestPackageExample computes the figures of the package comment by its formulas and asks the accountant for them.
func TestPackageExample(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\n// ", " ")
	p := math.E / (1 + math.E)
	both := p * p
	epsilon := 2 + math.Log(1-0.1/both)

	// A hundred releases: the loss is 2m − 100 if m of them answer truly.
	excess := func(epsilon float64) (sum float64) {
		for m := range 101 {
			if loss := 2*float64(m) - 100; loss > epsilon {
				sum += math.Exp(special.LogBinomial(float64(m), 100, p)) * -math.Expm1(epsilon-loss)
			}
		}
		return sum
	}
	_, hundred := special.Bisect(0, 100, 1e-9, func(epsilon float64) bool { return excess(epsilon) > 1e-6 })

	for phrase, value := range map[string]float64{
		"p = e/(1+e) = %.":                      p,
		"-1 with probability %,":                1 - p,
		"0.7311² = %":                           both,
		"2·0.7311·0.2689 = %":                   2 * p * (1 - p),
		"0.2689² = %.":                          (1 - p) * (1 - p),
		"δ(1) = 0.5344·(1 - e^{-1}) = %.":       both * -math.Expm1(-1),
		"ε = 2 + ln(1 - 0.1/0.5344) = %.":       epsilon,
		"and ε = % at δ = 10⁻⁶ in place of 100": hundred,
	} {
		if want := strings.Replace(phrase, "%", strconv.FormatFloat(value, 'f', 4, 64),
			1); !strings.Contains(strings.ReplaceAll(text, "−", "-"), want) {
			t.Errorf("the comment lacks %q", want)
		}
	}

	ctx := context.Background()
	for _, c := range []struct{ count, delta, want float64 }{
		{2, 0.1, epsilon}, {2, both * -math.Expm1(-1), 1}, {2, 1e-200, 2}, {100, 1e-6, hundred},
	} {
		i, err := Epsilon(ctx, []pairs.Part{{Pair: pairs.Pure(1), Count: c.count}}, c.delta, Options{})
		if err != nil || i.Lower > c.want+1e-6 || i.Upper < c.want-1e-6 ||
			!(i.Upper-i.Lower <= 2*DefaultWidth*i.Upper) {
			t.Errorf("%g releases at δ = %g: [%v, %v] %v, want %v", c.count, c.delta, i.Lower, i.Upper, err, c.want)
		}
	}
}
