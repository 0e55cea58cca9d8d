// Package fft is a real-input fast Fourier transform of power-of-two length that stops when its
// context ends. That of gonum does not, and long sums take half as much time again with it.
package fft

import (
	"context"
	"math"
	"math/bits"
	"math/cmplx"
	"sync"
)

// Plan is a real-input FFT of one length, a power of two ≥ 4: a complex transform of
// half the length (Stockham's self-sorting radix 4) and the usual unpacking. Lengths
// recur all the time, so plans are kept.
type Plan struct {
	n       int          // real length
	twiddle []complex128 // e^{−2πik/(n/2)}, one turn
	unpack  []complex128 // e^{−2πik/n}, k ≤ n/4
}

var plans sync.Map // int → *Plan

// PlanForLength returns the plan of a length. Once the context has ended the plan is worthless, and not kept.
func PlanForLength(ctx context.Context, n int) *Plan {
	if p, ok := plans.Load(n); ok {
		return p.(*Plan)
	}
	p := &Plan{n: n, twiddle: roots(ctx, n/2, n/2), unpack: roots(ctx, n/4+1, n)}
	if ctx.Err() != nil {
		return p
	}
	got, _ := plans.LoadOrStore(n, p)
	return got.(*Plan)
}

// roots returns e^{−2πik/n} for k < count. k/n is exact and the angle at most π: rounding 2π moves it
// by at most 1.2u, the product by 2u, the sine and cosine by 1u each, so a root is right to 5u.
func roots(ctx context.Context, count, n int) []complex128 {
	out := make([]complex128, count)
	for k := range out {
		if IsCancelled(ctx, k) {
			break
		}
		turn := float64(k) / float64(n)
		if 2*k > n {
			turn--
		}
		out[k] = cmplx.Rect(1, -2*math.Pi*turn)
	}
	return out
}

// checkInterval is about how many numbers are computed before the context is checked again.
const checkInterval = 1 << 14

// IsCancelled reports whether the context of a long loop has ended. The loop calls it in every step; it
// checks the context only once in 2^14 steps.
func IsCancelled(ctx context.Context, step int) bool {
	return step%checkInterval == checkInterval-1 && ctx.Err() != nil
}

// complexForward transforms x in place, with work of the same length; the result is
// in the returned slice, one of the two. Once the context has ended the result is worthless.
func (p *Plan) complexForward(ctx context.Context, x, work []complex128) []complex128 {
	n, s := len(x), 1
	for ; n >= 4; n, s = n/4, s*4 {
		m := n / 4
		for j := 0; j < m; j++ {
			if (4*j*s)%checkInterval < 4*s && ctx.Err() != nil {
				return x
			}
			w1, w2, w3 := p.twiddle[j*s], p.twiddle[2*j*s], p.twiddle[3*j*s]
			a, b := x[s*j:s*j+s], x[s*(j+m):s*(j+m)+s]
			c, d := x[s*(j+2*m):s*(j+2*m)+s], x[s*(j+3*m):s*(j+3*m)+s]
			out := work[4*s*j : 4*s*j+4*s]
			y0, y1, y2, y3 := out[:s], out[s:2*s], out[2*s:3*s], out[3*s:4*s]
			for q := range y0 {
				if IsCancelled(ctx, q) {
					return x
				}
				ac, amc := a[q]+c[q], a[q]-c[q]
				bd, bmd := b[q]+d[q], b[q]-d[q]
				turn := complex(-imag(bmd), real(bmd)) // i·(b−d)
				y0[q] = ac + bd
				y1[q] = w1 * (amc - turn)
				y2[q] = w2 * (ac - bd)
				y3[q] = w3 * (amc + turn)
			}
		}
		x, work = work, x
	}
	if n == 2 {
		for q := 0; q < s; q++ {
			if IsCancelled(ctx, q) {
				return x
			}
			a, b := x[q], x[q+s]
			work[q], work[q+s] = a+b, a-b
		}
		x, work = work, x
	}
	return x
}

// Forward returns the n/2+1 bins of the transform of real x. Once the context has ended they
// are worthless.
func (p *Plan) Forward(ctx context.Context, x []float64) []complex128 {
	half := p.n / 2
	z := make([]complex128, half+1)
	for k := 0; k < half; k++ {
		if IsCancelled(ctx, k) {
			return z
		}
		z[k] = complex(x[2*k], x[2*k+1])
	}
	work := make([]complex128, half+1)
	z2 := p.complexForward(ctx, z[:half], work[:half])
	out := z
	if &z2[0] == &z[0] {
		out = work
	}
	for k := 0; k <= half/2; k++ {
		if IsCancelled(ctx, k) {
			return out
		}
		a, b := z2[k], z2[(half-k)%half]
		even := (a + complex(real(b), -imag(b))) * 0.5
		odd := (a - complex(real(b), -imag(b))) * 0.5
		odd = complex(imag(odd), -real(odd)) // ÷ i
		t := p.unpack[k] * odd
		out[k] = even + t
		u := even - t
		out[half-k] = complex(real(u), -imag(u))
	}
	return out
}

// Length returns the smallest FFT length with at least n points.
func Length(n float64) int {
	if n <= 16 {
		return 16
	}
	return 1 << bits.Len(uint(n-1))
}

// BinError bounds the error of every single bin relative to Σ|x|. Every number on the way
// is a sum of some inputs times numbers of modulus 1, so at most Σ|x|; each radix-4 stage
// rounds it four times and turns it by a root that is right to 5u, at most 12u in all
// for two binary digits of n, and the unpacking at most 15u more.
func BinError(n int) float64 { return 0x1p-53 * (6*math.Log2(float64(n)) + 15) }
