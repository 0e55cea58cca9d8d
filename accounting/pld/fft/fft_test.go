package fft

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand"
	"testing"

	"epsiloscope/internal/gauge"

	"gonum.org/v1/gonum/dsp/fourier"
)

func TestFFTAgainstTheDefinition(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{16, 32, 64, 128, 256} {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		p := PlanForLength(context.Background(), n)
		got := p.Forward(context.Background(), x)
		for k := 0; k <= n/2; k++ {
			var want complex128
			for j, v := range x {
				want += complex(v, 0) * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
			}
			if cmplx.Abs(got[k]-want) > 1e-13*float64(n) {
				t.Fatalf("n = %d, bin %d: %v, want %v", n, k, got[k], want)
			}
		}
		back := p.inverse(got)
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
	back := PlanForLength(context.Background(),
		n).inverse(PlanForLength(context.Background(), n).Forward(context.Background(), x))
	diff := 0.0
	for i := range x {
		diff += (back[i] - x[i]) * (back[i] - x[i])
	}
	if got, bound := math.Sqrt(diff/norm), roundoff(n); got > bound {
		t.Errorf("round trip is off by %g, bound %g", got, bound)
	}
}

// roundoff bounds the error of one transform of length n relative in the 2-norm, about
// 4u·log₂n (Higham 2002, Theorem 24.2, with the twiddles right to an ulp).
func roundoff(n int) float64 { return 4 * 0x1p-52 * math.Log2(float64(n)) }

func BenchmarkFFT(b *testing.B) {
	const n = 1 << 15
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i % 7)
	}
	b.Run("own", func(b *testing.B) {
		p := PlanForLength(context.Background(), n)
		for b.Loop() {
			p.inverse(p.Forward(context.Background(), x))
		}
	})
	b.Run("gonum", func(b *testing.B) {
		f := fourier.NewFFT(n)
		for b.Loop() {
			f.Sequence(nil, f.Coefficients(nil, x))
		}
	})
}

// inverse returns the real sequence whose transform is bins, which it overwrites.
func (p *Plan) inverse(bins []complex128) []float64 {
	half := p.n / 2
	z := make([]complex128, half)
	for k := 0; k < half; k++ {
		a, c := bins[k], bins[half-k]
		b := complex(real(c), -imag(c))
		even, odd := a+b, a-b
		w := p.unpackAt(k)
		odd *= complex(real(w), -imag(w))
		v := even + complex(-imag(odd), real(odd)) // even + i·odd
		z[k] = complex(real(v), -imag(v))          // conjugate: forward serves as inverse
	}
	r := p.complexForward(context.Background(), z, bins[:half])
	out := make([]float64, p.n)
	scale := 1 / float64(p.n)
	for k, v := range r {
		out[2*k], out[2*k+1] = real(v)*scale, -imag(v)*scale
	}
	return out
}

// unpackAt returns e^{−2πik/n} for k < n/2 from the stored quarter turn.
func (p *Plan) unpackAt(k int) complex128 {
	if k < len(p.unpack) {
		return p.unpack[k]
	}
	w := p.unpack[p.n/2-k]
	return complex(-real(w), imag(w))
}

// A transform of two million looks at its context a hundred times.
func TestLooksAtItsContext(t *testing.T) {
	const n = 1 << 21
	ctx := gauge.LookedAt(math.MaxInt64)
	PlanForLength(context.Background(), n).Forward(ctx, make([]float64, n))
	if n := ctx.Looks.Load(); n < 100 || n > 1000 {
		t.Errorf("%d looks", n)
	}
}
