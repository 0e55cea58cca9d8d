package adaptive

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
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
		over := new(big.Rat).Sub(charged, exact)
		if over.Sign() < 0 {
			fail("%d/%d is charged %s, below it by %s", sensitivity, scale, charged.FloatString(20), over.Neg(over).FloatString(20))
			return
		}
		if x, _ := over.Quo(over, exact).Float64(); x > 1e-12 {
			fail("%d/%d is charged %g too much", sensitivity, scale, x)
		}
	}
	check(t.Errorf, 1000, 70)
	rapid.Check(t, func(rt *rapid.T) {
		check(func(format string, args ...any) { rt.Fatal(fmt.Sprintf(format, args...)) },
			rapid.Int64Range(100, 100000).Draw(rt, "Δ"), rapid.Int64Range(1, 100000).Draw(rt, "b"))
	})
}

// quotientRelease is a pure release whose ε is the quotient of two whole numbers.
func quotientRelease(sensitivity, scale int64) accounting.Release {
	above, below := float64(sensitivity), float64(scale)
	return accounting.WithQuotient(accounting.PureDP(above/below), above, below)
}

// Releases whose ε is a quotient are rounded once: three times a third is 1. What truly exceeds the promise is refused,
// be it by the last digit of a stated ε, or by a scale a last digit smaller.
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
			sensitivity, scale := rapid.Int64Range(1, 50).Draw(t, "Δ"), rapid.Int64Range(1, 3000).Draw(t, "b")
			n := rapid.Int64Range(1, 1000).Draw(t, "count")
			release := quotientRelease(sensitivity, scale)
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

// exactUnits returns the value of a cost in units, what rounding has added taken off.
func exactUnits(c Cost) *big.Rat {
	return new(big.Rat).Sub(new(big.Rat).SetInt(c.part(0)), c.rounding())
}

// A sum of quotients is the exact one, in whatever steps it is made, as long as its denominator is short; it is never
// below the exact one, however many scales there are, and what was taken off again leaves no less than what is still
// there.
func TestSumsOfQuotientsAreExact(t *testing.T) {
	f, err := New(Promise{Filter: Basic, Epsilon: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	forgotten := 0
	gauge.Check(t, 100, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)) // with large scales, which are drawn rarely
		most := rapid.SampledFrom([]int64{12, 3000, 9_999_999_999}).Draw(t, "largest scale")
		var kinds []Cost
		var values []*big.Rat
		for range 40 {
			sensitivity, scale := 1+random.Int64N(50), 1+random.Int64N(most)
			release := quotientRelease(sensitivity, scale)
			if _, ok := accounting.ExactEpsilon(release); !ok {
				continue // a decimal that ends
			}
			cost, err := f.Price([]accounting.Entry{{Release: release, Count: 1}})
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, cost)
			values = append(values, new(big.Rat).Mul(big.NewRat(sensitivity, scale), new(big.Rat).SetInt(power(unit))))
		}
		if len(kinds) == 0 {
			return
		}
		var sum Cost
		exact, there := new(big.Rat), []int(nil)
		short := true // the denominators so far
		for range 80 {
			if len(there) > 0 && random.IntN(3) == 0 {
				i := random.IntN(len(there))
				k := there[i]
				there = append(there[:i:i], there[i+1:]...)
				sum = sum.Minus(kinds[k])
				exact.Sub(exact, values[k])
			} else {
				k, n := random.IntN(len(kinds)), 1+random.IntN(5)
				for range n {
					there = append(there, k)
				}
				sum = sum.Plus(kinds[k].Times(big.NewInt(int64(n))))
				exact.Add(exact, new(big.Rat).Mul(values[k], big.NewRat(int64(n), 1)))
			}
			short = short && exact.Denom().BitLen() <= roundingBits
			over := new(big.Rat).Sub(exactUnits(sum), exact)
			switch {
			case over.Sign() < 0:
				t.Fatalf("%s units below the exact sum", over.FloatString(20))
			case over.Sign() > 0 && short:
				t.Fatalf("%s units above the exact sum, whose denominator is %s", over.FloatString(20), exact.Denom())
			case over.Cmp(big.NewRat(80, 1)) > 0:
				t.Fatalf("%s units above the exact sum", over.FloatString(20))
			case sum.rounding().Denom().BitLen() > roundingBits:
				t.Fatalf("the denominator has %d bits", sum.Rounding.Denom().BitLen())
			}
			if err := f.Fits(sum); (err == nil) != (sum.part(0).Cmp(f.Budget()) <= 0) {
				t.Fatal(err)
			}
		}
		if !short {
			forgotten++
		}
	})
	if forgotten == 0 {
		t.Error("no sum had a long denominator")
	}
}

// Where the denominator of a sum or a difference would become long, the result is not below the exact one.
func TestLongDenominatorsRoundUp(t *testing.T) {
	// It has roundingBits bits, and is a multiple of 3 and 5, not of 7.
	long := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), roundingBits), big.NewInt(1))
	c := Cost{Parts: []*big.Int{big.NewInt(100)}, Rounding: new(big.Rat).SetFrac(big.NewInt(1), long)}
	for _, d := range []Cost{
		{Parts: []*big.Int{big.NewInt(5)}, Rounding: big.NewRat(1, 7)},
		{Parts: []*big.Int{big.NewInt(5)}, Rounding: big.NewRat(6, 7)},
		{Parts: []*big.Int{big.NewInt(5)}, Rounding: big.NewRat(2, 3)},
		{Parts: []*big.Int{big.NewInt(5)}},
	} {
		for _, o := range []struct{ got, exact *big.Rat }{
			{exactUnits(c.Plus(d)), new(big.Rat).Add(exactUnits(c), exactUnits(d))},
			{exactUnits(d.Plus(c)), new(big.Rat).Add(exactUnits(c), exactUnits(d))},
			{exactUnits(c.Minus(d)), new(big.Rat).Sub(exactUnits(c), exactUnits(d))},
		} {
			if over := o.got.Sub(o.got, o.exact); over.Sign() < 0 || over.Cmp(big.NewRat(1, 1)) >= 0 {
				t.Errorf("%v: %s units above the exact one", d, over.FloatString(5))
			}
		}
	}
}

// A cost covers another by its exact value.
func TestCoversByTheExactValue(t *testing.T) {
	third := Cost{Parts: []*big.Int{big.NewInt(34)}, Rounding: big.NewRat(2, 3)}
	less := Cost{Parts: []*big.Int{big.NewInt(34)}, Rounding: big.NewRat(3, 4)}
	if !third.Covers(less) || less.Covers(third) || !third.Covers(third) || third.Equal(less) {
		t.Error("what rounding has added is not taken off")
	}
	more := Cost{Parts: []*big.Int{big.NewInt(35)}, Rounding: big.NewRat(3, 4)}
	if !more.Covers(third) || third.Covers(more) {
		t.Error("a unit is less than what rounding has added")
	}
}

// A filter grants nothing for a sum whose rounding no releases can have.
func TestForgedRounding(t *testing.T) {
	f, err := New(Promise{Filter: Basic, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Cost{
		{Parts: []*big.Int{big.NewInt(7)}, Rounding: big.NewRat(1, 1)},
		{Parts: []*big.Int{big.NewInt(7)}, Rounding: big.NewRat(-1, 3)},
		{Parts: []*big.Int{new(big.Int)}, Rounding: big.NewRat(1, 3)},
	} {
		if f.Fits(c) == nil {
			t.Errorf("%v less %v is granted", c.Parts[0], c.Rounding)
		}
	}
}
