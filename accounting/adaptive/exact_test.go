package adaptive

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	_ "epsiloscope/internal/gauge" // the seed of property tests
)

// A basic filter charges no less than the exact quotient of what was written: 1/0.07 is
// 14.285714285714285714…, and the nearest float64 is written 14.285714285714285.
func TestBasicChargesTheExactQuotient(t *testing.T) {
	f, err := New(Promise{Filter: Basic, Epsilon: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	check := func(fail func(string, ...any), sensitivity, scale int64) {
		epsilon := float64(sensitivity) / 1000 / (float64(scale) / 1000)
		cost, err := f.Price([]accounting.Entry{{Release: accounting.PureDP(epsilon), Count: 1}})
		if err != nil {
			fail("%v", err)
			return
		}
		charged, exact := new(big.Rat).SetFrac(cost.Parts[0], power(unit)), big.NewRat(sensitivity, scale)
		if over := new(big.Rat).Sub(charged, exact); over.Sign() < 0 {
			fail("%d/%d is charged %s, below it by %s", sensitivity, scale, charged.FloatString(20), over.Neg(over).FloatString(20))
		} else if x, _ := over.Quo(over, exact).Float64(); x > 1e-12 {
			fail("%d/%d is charged %g too much", sensitivity, scale, x)
		}
	}
	check(t.Errorf, 1000, 70)
	rapid.Check(t, func(rt *rapid.T) {
		check(func(format string, args ...any) { rt.Fatal(fmt.Sprintf(format, args...)) },
			rapid.Int64Range(100, 100000).Draw(rt, "Δ"), rapid.Int64Range(1, 100000).Draw(rt, "b"))
	})
}
