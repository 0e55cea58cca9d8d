package certify

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Computed numbers are rounded to the costlier side, unless they are a short decimal within rounding.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		x            float64
		above, below string
	}{
		{0.1, "0.1", "0.1"}, {0.39999999999999997, "0.4", "0.4"}, {0.30000000000000004, "0.3", "0.3"}, {1e-9, "1e-9", "1e-9"}, {0, "0", "0"},
		{1 / 0.023668639053254437, "42.25", "42.25"}, {34.9, "34.9", "34.9"}, {2.1e-29, "2.1e-29", "2.1e-29"},
	} {
		if roundDecimalUp(c.x) != c.above || roundDecimalDown(c.x) != c.below {
			t.Errorf("%v: above %s, below %s; want %s and %s", c.x, roundDecimalUp(c.x), roundDecimalDown(c.x), c.above, c.below)
		}
	}
	third := big.NewRat(1, 3)
	if rational(roundDecimalUp(1./3)).Cmp(third) <= 0 || rational(roundDecimalDown(1./3)).Cmp(third) >= 0 {
		t.Errorf("1/3 is not between %s and %s", roundDecimalDown(1./3), roundDecimalUp(1./3))
	}
	gauge.Check(t, gauge.Cases(200, 5000), func(r *rapid.T) {
		x := math.Exp(rapid.Float64Range(-30, 10).Draw(r, "ln x"))
		slack := new(big.Rat).SetFloat64(x * 5e-16)
		exact := new(big.Rat).SetFloat64(x)
		up, down := rational(roundDecimalUp(x)), rational(roundDecimalDown(x))
		if up.Cmp(new(big.Rat).Sub(exact, slack)) < 0 || down.Cmp(new(big.Rat).Add(exact, slack)) > 0 {
			r.Fatalf("%v: above %s, below %s", x, roundDecimalUp(x), roundDecimalDown(x))
		}
	})
}

// A pair whose directions are exchanged is not the pair of its form: in a stack the two would be composed the wrong
// way.
func TestFormKeepsItsDirection(t *testing.T) {
	p := pairs.Subsample(0.1, pairs.Gaussian(1))
	if f, exact, ok := p.Form(); !ok || !exact || f.Scheme != pairs.Mixed || f.Rate != 0.1 || f.Size != 1 {
		t.Errorf("%+v %v %v", f, exact, ok)
	}
	for name, other := range map[string]pairs.Pair{
		"exchanged": {Remove: p.Add, Add: p.Remove}, "remove twice": {Remove: p.Remove, Add: p.Remove}, "add twice": {Remove: p.Add, Add: p.Add},
		"sampled twice": pairs.Subsample(0.5, p), "a group": pairs.Group(p, 2),
	} {
		if f, _, ok := other.Form(); ok {
			t.Errorf("%s: has the form %+v", name, f)
		}
	}
	if _, exact, ok := pairs.UpperOnly(pairs.Gaussian(1), "").Form(); !ok || exact {
		t.Error("a pair that is only dominated must not count as exact")
	}
}
