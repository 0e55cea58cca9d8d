package ranges

import (
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting/internal/oracle"

	"pgregory.net/rapid"
)

// One step of the recursion is the curve of one release, which has a closed form.
func TestAdaptiveOfOne(t *testing.T) {
	for _, epsilon := range []float64{0.01, 0.5, 3} {
		_, deltas, _ := (&Adaptive{epsilon: epsilon, count: 1, arcs: 100, step: epsilon / 100}).Play()
		for k := range 101 {
			got := deltas[k]
			gone := math.Expm1((float64(k)*epsilon/100 - epsilon) / 2) // (√E − √g)²/(E − 1), over E
			want := gone * gone / -math.Expm1(-epsilon)
			if got < want || got > want*1.001+math.Expm1(epsilon)/2e4 {
				t.Errorf("ε %v at %v: %v, exactly %v", epsilon, float64(k)*epsilon/100, got, want)
			}
		}
	}
}

func BenchmarkAdaptive(b *testing.B) {
	for b.Loop() {
		unfinished.kept = nil
		g, _ := NewAdaptive(0.1, 100, 1e-4)
		g.Play()
	}
}

// A game that is played on is the one that is played at once, whatever was asked before.
func TestPlaysOn(t *testing.T) {
	for _, c := range []struct{ epsilon, width float64 }{{0.1, 1e-2}, {2, 1e-3}} {
		for _, count := range []float64{3, 2, 4, 4, 9, 20, 7, 21} { // some fewer than before
			on, _ := NewAdaptive(c.epsilon, count, c.width)
			losses, deltas, aimed := on.Play()
			kept := unfinished.kept
			unfinished.kept = nil
			anew, _ := NewAdaptive(c.epsilon, count, c.width)
			losses2, deltas2, aimed2 := anew.Play()
			unfinished.kept = kept
			if !slices.Equal(losses, losses2) || !slices.Equal(deltas, deltas2) || !slices.Equal(aimed, aimed2) {
				t.Errorf("%v × %v after others is another game", count, c.epsilon)
			}
		}
	}
}

// No t between those that are looked at is better.
func TestFixedLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, count := rapid.Float64Range(0.01, 4).Draw(t, "ε"), float64(rapid.IntRange(2, 300).Draw(t, "K"))
		f, _ := NewFixed(epsilon, count)
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
func TestFixedOfTinyLosses(t *testing.T) {
	for _, epsilon := range []float64{1.1e-6, 1e-5, 1e-3} {
		for _, count := range []float64{2, 3, 10} {
			f, _ := NewFixed(epsilon, count)
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
