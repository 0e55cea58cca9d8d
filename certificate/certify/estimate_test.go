package certify

import (
	"context"
	"math"
	"math/big"
	"testing"

	"epsiloscope/certificate"
)

// truncatedGeometric returns count releases of whole noise between −n and n of weight e^(−ε·|y|), shifted by 1 or not:
// a table that reads the same in both directions, with P-mass where Q has none. It returns this mass too.
func truncatedGeometric(count, delta string, eps float64, n int) (c *certificate.Certificate, infinite float64) {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil)
	var total float64
	for y := -n; y <= n; y++ {
		total += math.Exp(-eps * math.Abs(float64(y)))
	}
	masses, middle := make([]*big.Int, 2*n+1), new(big.Int).Set(unit)
	for i := range masses {
		weight := new(big.Float).SetFloat64(math.Exp(-eps*math.Abs(float64(i-n))) / total)
		masses[i], _ = weight.Mul(weight, new(big.Float).SetInt(unit)).Int(nil)
		middle.Sub(middle, masses[i])
	}
	masses[n].Add(masses[n], middle) // what rounding left
	text := func(i int) string {
		if i < 0 || i >= len(masses) {
			return "0"
		}
		return plainDecimal(new(big.Rat).SetFrac(masses[i], unit))
	}
	r := certificate.Release{Kind: "finite", Count: count, Within: "0", Rest: "0", Offset: offsetBelow}
	for i := range len(masses) + 1 {
		r.Outcomes = append(r.Outcomes, [2]string{text(i), text(i - 1)})
	}
	return &certificate.Certificate{Format: certificate.Format, Releases: []certificate.Release{r}, Delta: delta,
		Upper: "99999", Lower: "0", Step: plainDecimal(new(big.Rat).SetFloat64(eps)), Digits: "26", Cut: "1e-18",
		Tests: "4", LowerWay: "remove"}, math.Exp(-eps*float64(n)) / total
}

// TestClaimsOfInfiniteLosses compares what is claimed of a table with P-mass at loss +∞ with what the checker proves.
// From below, the estimate left that mass out: it claimed 1.19694955 where 1.19729825 can be proved.
func TestClaimsOfInfiniteLosses(t *testing.T) {
	for _, s := range []struct {
		count, delta string
		eps          float64
		n            int
	}{{"12", "1e-6", 0.125, 130}, {"1", "1e-3", 0.5, 16}, {"100", "1e-4", 0.125, 130}, {"12", "1e-6", 0.125, 250}} {
		c, infinite := truncatedGeometric(s.count, s.delta, s.eps, s.n)
		got, want := estimatePair(c.Releases[0]).failure(), number(s.count)*infinite
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%+v: failures of %v, want %v", s, got, want)
		}
		claimed, e, err := claim(context.Background(), c, true)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		upper, lower, err := claimed.Prove(context.Background(), true)
		if err != nil || upper == nil || lower == nil {
			t.Errorf("%+v: proved %v and %v: %v", s, upper, lower, err)
			continue
		}
		high, _ := upper.Float64()
		low, _ := lower.Float64()
		if more := number(e.Upper) - high; !(more >= 0 && more <= 1e-6) {
			t.Errorf("%+v: claimed ε ≤ %s, proved %v", s, e.Upper, high)
		}
		if less := low - number(e.Lower); !(less >= 0 && less <= 1e-6) {
			t.Errorf("%+v: claimed ε ≥ %s, proved %v", s, e.Lower, low)
		}
	}
}

// number reads a decimal.
func number(text string) float64 {
	x, _ := rational(text).Float64()
	return x
}
