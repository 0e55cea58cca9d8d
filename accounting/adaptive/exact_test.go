package adaptive

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
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

// Releases whose ε is a quotient are rounded once: three times a third is 1. What truly exceeds the promise is refused, be it
// by the last digit of a stated ε, or by a scale a last digit smaller.
func TestBasicRoundsQuotientsOnce(t *testing.T) {
	f, err := New(Promise{Filter: Basic, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	rounded := 0.7 // times 3 is 2.0999999999999996
	third := func(scale float64) accounting.Release {
		return accounting.WithQuotient(accounting.PureDP(1/scale), 1, scale)
	}
	for _, c := range []struct {
		name    string
		request []accounting.Entry
		fits    bool
	}{
		{"3 × 1/3", []accounting.Entry{{Release: third(3), Count: 3}}, true},
		{"1/3 + 4 × 1/6", []accounting.Entry{{Release: third(3), Count: 1}, {Release: third(6), Count: 4}}, true},
		{"49 × 1/49", []accounting.Entry{{Release: third(49), Count: 49}}, true},
		{"a stated third", []accounting.Entry{{Release: accounting.PureDP(1.0 / 3), Count: 3}}, false},
		{"a stated third, one digit up", []accounting.Entry{{Release: accounting.PureDP(math.Nextafter(1.0/3, 1)), Count: 3}}, false},
		{"a scale one digit down", []accounting.Entry{{Release: third(math.Nextafter(3, 0)), Count: 3}}, false},
		{"a quotient that is not its ε", []accounting.Entry{{Release: accounting.WithQuotient(accounting.PureDP(math.Nextafter(1.0/3, 1)), 1, 3), Count: 3}}, false},
		{"4 × 1/3", []accounting.Entry{{Release: third(3), Count: 4}}, false},
		{"3 × 1/3 and a little", []accounting.Entry{{Release: third(3), Count: 3}, {Release: accounting.PureDP(1e-300), Count: 1}}, false},
	} {
		cost, err := f.Price(c.request)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if err := f.Fits(cost); (err == nil) != c.fits {
			t.Errorf("%s: %v", c.name, err)
		} else if err != nil && strings.Contains(err.Error(), "1.001") {
			t.Errorf("%s: a last digit is told as a thousandth: %v", c.name, err)
		}
	}
	if _, ok := accounting.ExactEpsilon(accounting.WithQuotient(accounting.PureDP(3*rounded/2.1), 3*rounded, 2.1)); ok {
		t.Error("a sensitivity that was computed, and rounded down, is taken for exact")
	}
	gauge.Check(t, 200, func(t *rapid.T) { // never below the exact sum, and never a unit above it
		exact, request := new(big.Rat), []accounting.Entry(nil)
		for range rapid.IntRange(1, 4).Draw(t, "kinds") {
			sensitivity, scale, n := rapid.Int64Range(1, 50).Draw(t, "Δ"), rapid.Int64Range(1, 3000).Draw(t, "b"), rapid.Int64Range(1, 1000).Draw(t, "count")
			release := accounting.WithQuotient(accounting.PureDP(float64(sensitivity)/float64(scale)), float64(sensitivity), float64(scale))
			if _, ok := accounting.ExactEpsilon(release); !ok {
				continue // a decimal that ends
			}
			request = append(request, accounting.Entry{Release: release, Count: float64(n)})
			exact.Add(exact, new(big.Rat).Mul(big.NewRat(sensitivity, scale), big.NewRat(n, 1)))
		}
		cost, err := f.Price(request)
		if err != nil {
			t.Fatal(err)
		}
		over := new(big.Rat).Sub(new(big.Rat).SetInt(cost.Parts[0]), exact.Mul(exact, new(big.Rat).SetInt(power(unit))))
		if over.Sign() < 0 || over.Cmp(big.NewRat(1, 1)) >= 0 {
			t.Fatalf("%s units above the exact sum", over.FloatString(5))
		}
	})
}
