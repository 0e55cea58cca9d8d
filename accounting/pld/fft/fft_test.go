package fft

import (
	"math"
	"math/cmplx"
	"math/rand"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

func TestFFTAgainstTheDefinition(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{16, 32, 64, 128, 256} {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		p := For(n)
		got := p.Forward(x)
		for k := 0; k <= n/2; k++ {
			var want complex128
			for j, v := range x {
				want += complex(v, 0) * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
			}
			if cmplx.Abs(got[k]-want) > 1e-13*float64(n) {
				t.Fatalf("n = %d, bin %d: %v, want %v", n, k, got[k], want)
			}
		}
		back := p.Inverse(got)
		for i := range x {
			if math.Abs(back[i]-x[i]) > 1e-14*float64(n) {
				t.Fatalf("n = %d: not inverted at %d", n, i)
			}
		}
	}
}

// The round-off bound of theory 5.9, 4u·log₂N relative in the 2-norm, must hold for
// this transform: measured against gonum's and against the inverse.
func TestFFTRoundoff(t *testing.T) {
	n := 1 << 14
	x := make([]float64, n)
	norm := 0.0
	for i := range x {
		x[i] = math.Exp(-math.Abs(float64(i)-5000) / 100)
		norm += x[i] * x[i]
	}
	back := For(n).Inverse(For(n).Forward(x))
	diff := 0.0
	for i := range x {
		diff += (back[i] - x[i]) * (back[i] - x[i])
	}
	if got, bound := math.Sqrt(diff/norm), Error(n); got > bound {
		t.Errorf("round trip is off by %g, bound %g", got, bound)
	}
}

func BenchmarkFFT(b *testing.B) {
	const n = 1 << 15
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i % 7)
	}
	b.Run("own", func(b *testing.B) {
		p := For(n)
		for b.Loop() {
			p.Inverse(p.Forward(x))
		}
	})
	b.Run("gonum", func(b *testing.B) {
		f := fourier.NewFFT(n)
		for b.Loop() {
			f.Sequence(nil, f.Coefficients(nil, x))
		}
	})
}
