package accounting

import (
	"context"
	"math"
	"testing"

	"epsiloscope/internal/gauge"
)

// The ends hold in every digit. One pure release of ε₀ has δ(ε) = (1 − e^{ε−ε₀})/(1 + e^{−ε₀}), here to 320 bits: at
// the upper end it is at most δ, and at the lower end at least.
func TestEndsHoldInEveryDigit(t *testing.T) {
	for _, epsilon := range []float64{0.1, 0.3, 1, 2.7, 5} {
		for _, delta := range []float64{1e-3, 1e-6, 1e-9, 1e-12} {
			at := func(x float64) float64 { // δ(x) − δ
				one := gauge.Wide(1)
				far := gauge.WideExp(gauge.Wide(0).Sub(gauge.Wide(x), gauge.Wide(epsilon)))
				sum := gauge.Wide(0).Add(one, gauge.WideExp(gauge.Wide(-epsilon)))
				value := gauge.Wide(0).Quo(gauge.Wide(0).Sub(one, far), sum)
				off, _ := value.Sub(value, gauge.Wide(delta)).Float64()
				return off
			}
			stack := []Entry{{PureDP(epsilon), 1}}
			for _, b := range Compare(context.Background(), stack, Target{Delta: delta}) {
				if b.Fault != nil {
					t.Fatal(b.Fault)
				}
				if b.Status != Valid || b.Method == GDP {
					continue
				}
				if off := at(b.Epsilon); off > 0 {
					t.Errorf("ε₀ %v, δ %v, %s: %.17g is %g too small in δ", epsilon, delta, b.Method, b.Epsilon, off)
				}
				if off := at(b.Lower); b.Method == Numerical && off < 0 {
					t.Errorf("ε₀ %v, δ %v, %s: the lower end %.17g is %g too large in δ", epsilon, delta, b.Method, b.Lower, -off)
				}
			}
		}
	}
}

// Sums of typed numbers keep their digits; any other sum is rounded up.
func TestSumsKeepTheirDigits(t *testing.T) {
	for _, c := range []struct{ epsilon, count, want float64 }{{0.1, 10, 1}, {0.7, 3, 2.1},
		{0.1, 3, 0.3}, {1.1, 7, 7.7}} {
		if got := Evaluate(context.Background(), Basic, []Entry{{PureDP(c.epsilon), c.count}},
			Target{Delta: 1e-6}).Epsilon; got != c.want {
			t.Errorf("%v × %v: %v", c.count, c.epsilon, got)
		}
	}
	third := 1.0 / 3
	sum := Evaluate(context.Background(), Basic, []Entry{{PureDP(third), 7}}, Target{Delta: 1e-6}).Epsilon
	exact := gauge.Wide(0).Mul(gauge.Wide(third), gauge.Wide(7))
	if off, _ := exact.Sub(exact, gauge.Wide(sum)).Float64(); off > 0 || math.Abs(off) > 1e-14 {
		t.Errorf("7 × ⅓: %.17g, %g too small", sum, off)
	}
}

// A stack has a profile also where the sum of its ε is stated as the short decimal next to it, below the largest loss
// of its pairs: 1.1/10 is 0.11, and in float64 more. The two once counted as a contradiction. At a rate α a pure ε₀
// finds e^ε₀·α, and δ(ε₀) is 0 but for rounding.
func TestProfilesOfTypedSums(t *testing.T) {
	ctx := context.Background()
	const alpha = 1e-3
	for _, typed := range []float64{0.11, 0.3, 0.6, 1.4, 3.3, 0.35} {
		for _, epsilon := range []float64{math.Nextafter(typed, 0), typed, math.Nextafter(typed, 4)} {
			for _, r := range []Release{PureDP(epsilon), ApproximateDP(epsilon, 0),
				GroupPrivacy(ApproximateDP(epsilon/7, 0), 7), GroupPrivacy(PureDP(epsilon/3), 3)} {
				stack := []Entry{{r, 1}}
				h, err := NewProfile(ctx, stack, Compare(ctx, stack, Target{Delta: 1e-6}), nil, false)
				if err != nil {
					t.Fatal(err)
				}
				tpr, err := h.TruePositiveRate(ctx, alpha)
				if want := math.Exp(typed) * alpha; err != nil || math.Abs(tpr.Upper-want) > 1e-9*want {
					t.Errorf("%s: it finds %v of the members, not %g (%v)", r.Key(), tpr, want, err)
				}
				if d, err := h.Delta(ctx, typed); err != nil || !(d.Upper <= 1e-15*typed) {
					t.Errorf("%s: δ(%g) in %v (%v)", r.Key(), typed, d, err)
				}
			}
		}
	}
}
