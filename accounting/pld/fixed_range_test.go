package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/internal/oracle"

	"pgregory.net/rapid"
)

// Binomial sums over one common t, by an independent program (Dong, Durfee & Rogers 2020).
func TestFixedRangeFigures(t *testing.T) {
	for _, c := range []struct{ epsilon, count, want float64 }{
		{0.1, 10, 0.628636839}, {1, 10, 7.713316341}, {0.1, 100, 2.24602621}, {0.5, 50, 9.34110}, {1, 2, 1.977821839},
	} {
		pair, ok := FixedRange(c.epsilon, c.count)
		if !ok {
			t.Fatal("refused")
		}
		i, err := Epsilon(context.Background(), []Part{{pair, 1}}, 1e-6, Options{})
		if err != nil || i.Upper < c.want*(1-1e-6) || i.Upper > c.want*(1+3e-4) || i.Lower > c.want*(1+1e-6) || i.Lower < c.want*(1-5e-4) {
			t.Errorf("%v × %v: %v to %v, %v; want %v", c.count, c.epsilon, i.Lower, i.Upper, err, c.want)
		}
	}
}

// Whatever t each selection has, if it does not depend on the answers the bound holds.
func TestFixedRangeDominates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.SampledFrom([]float64{0.2, 1, 2.5}).Draw(t, "ε")
		count := rapid.IntRange(2, 5).Draw(t, "K")
		pair, _ := FixedRange(epsilon, float64(count))
		ts := rapid.SliceOfN(rapid.Float64Range(0, epsilon), count, count).Draw(t, "t")
		x := rapid.Float64Range(0, 1).Draw(t, "x") * float64(count) * epsilon
		var play func(x float64, left []float64) float64
		play = func(x float64, left []float64) float64 {
			if len(left) == 0 {
				return math.Max(0, -math.Expm1(x))
			}
			p := (math.Exp(epsilon) - math.Exp(left[0])) / math.Expm1(epsilon)
			return p*play(x-left[0], left[1:]) + (1-p)*play(x-left[0]+epsilon, left[1:])
		}
		if truth := play(x, ts); truth > pair.Delta(x)*(1+1e-12)+1e-300 {
			t.Errorf("%v at %v: %v > %v", ts, x, truth, pair.Delta(x))
		}
	})
}

// No t between those that are looked at is better.
func TestFixedRangeLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, count := rapid.Float64Range(0.01, 4).Draw(t, "ε"), float64(rapid.IntRange(2, 300).Draw(t, "K"))
		f := newFixedRange(epsilon, count)
		x := rapid.Float64Range(0, 1).Draw(t, "x") * math.Min(count*epsilon, 8*math.Sqrt(count)*epsilon)
		value, at := f.largest(x)
		if got := f.at(at, x); value > got*(1+2e-9)+2e-40 {
			t.Errorf("%v at %v, where it is %v", value, at, got)
		}
		for i := range 200 {
			if other := epsilon * float64(i) / 200; f.at(other, x) > value*(1+1e-11) {
				t.Errorf("K %v, ε %v, x %v: %v at %v, and %v at %v", count, epsilon, x, value, at, f.at(other, x), other)
			}
		}
	})
}

// Of tiny losses, next to the largest sum, the bound is still above the curve of its t, in 320
// bits.
func TestFixedRangeOfTinyLosses(t *testing.T) {
	for _, epsilon := range []float64{1.1e-6, 1e-5, 1e-3} {
		for _, count := range []float64{2, 3, 10} {
			f := newFixedRange(epsilon, count)
			for k := 350.0; k < 400; k += 7 {
				x := count * epsilon * k / 400
				value, at := f.largest(x)
				e, y := oracle.R(epsilon).Exp(), oracle.R(at).Exp()
				p := e.Sub(y).Div(e.Sub(oracle.R(1)))
				truth := oracle.R(0)
				for i := range int(count) + 1 { // so many times t − ε
					l := oracle.R(count).Mul(oracle.R(at)).Sub(oracle.R(float64(i)).Mul(oracle.R(epsilon)))
					less := oracle.R(1).Sub(oracle.R(x).Sub(l).Exp())
					if less.Sign() <= 0 {
						break
					}
					for j := range int(count) {
						if j < i {
							less = less.Mul(oracle.R(1).Sub(p)).Mul(oracle.R(count - float64(j))).Div(oracle.R(float64(j + 1)))
						} else {
							less = less.Mul(p)
						}
					}
					truth = truth.Add(less)
				}
				if value < truth.Float() {
					t.Errorf("K %g, ε %g, x %g: %g, and %g at %g", count, epsilon, x, value, truth.Float(), at)
				}
			}
		}
	}
}
