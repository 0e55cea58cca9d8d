// Package spectrum composes privacy losses without discretising them. Every release's
// moment generating function M(z) = E_P[e^{zL}] is evaluated along one vertical line of the
// complex plane, the logarithms are added, and δ(ε) is read off one Fourier sum whose
// error terms are all explicit.
//
// # From a stack to an answer
//
// A [Stack] is truncated: losses of next to no P-mass are moved to +∞ (stack.go). Coarse rules
// steer a [Plan]: tilt, window, smoothing, bandwidth (outline.go, plan.go, window.go). Along that line
// every loss is replaced by a certified rule and tilted (cumulants.go, tilted.go), its
// characteristic function is evaluated in blocks of frequencies and kept in a [Cache]
// (block.go, nufft.go), and all are multiplied (spectrum.go, walk.go). The [Spectrum] is read
// at an ε (delta.go); δ is inverted for ε, again with a better plan if that is too wide
// (pass.go, epsilon.go). Where no one tilt suits, rare losses have a spectrum of their own
// (apart.go, rare.go). Curves, quantiles and densities come from the same spectra
// (profile.go, loss.go).
//
// # Inversion
//
// With S the composed loss, Λ(z) = Σ K·ln M(z) and ζ = θ + iω, θ > 0,
//
//	∫ e^{−ζx}(1 − e^{−x})₊ dx = 1/(ζ(ζ+1)),  so  δ(ε) = (1/2π) ∫ e^{Λ(ζ) − ζε}/(ζ(ζ+1)) dω.
//
// The trapezoidal rule with spacing 2π/T is, by Poisson's sum, exactly Σ_m e^{θmT}·δ(ε + mT):
// no alias is negative. The sum is an upper end as it stands; for the lower end the
// aliases are bounded and subtracted. (δ(ε)e^{θε} is continuous, integrable and of bounded
// variation, so Poisson's sum holds at every ε.)
//
// # Smoothing
//
// One more Gaussian release, Z ~ N(h²/2, h²), makes the frequencies end: δ ≤ δ_{S+Z}, as
// (1−u)₊ is convex and E e^{−Z} = 1. The gap E(1 − e^{−x−Z})₊ − (1 − e^{−x})₊ is
// e^{−x/2}·r(|x|) with r(t) = φ(t/h)e^{−h²/8}[R(t/h − h/2) − R(t/h + h/2)], R = Φ(−·)/φ. R is convex and
// decreasing, so the bracket falls with t and r(t) ≤ r(0)e^{−t²/2h²}, r(0) = 2Φ(h/2) − 1. Hence
//
//	δ_{S+Z}(ε) − r(0)·E e^{−(S−ε)/2 − (S−ε)²/2h²} ≤ δ(ε) ≤ δ_{S+Z}(ε),
//
// and both sides are sums of the same terms with the kernels 1/(ζ(ζ+1)) and
// 1/(ζ(ζ+1)) − e^{h²/8}h√2π·r(0), damped by e^{h²ζ(ζ+1)/2}. What the stack has of plain Gaussian
// noise damps in the same way, at no cost. Sums on a lattice have a periodic spectrum and
// need neither: see lattice.go.
//
// # Errors
//
// Charged are: aliasing, smoothing, the frequencies left out (bandwidth), the mass moved
// to +∞ (truncation), the rules (quadrature), and round-off. A charge that is not a number
// makes the end it belongs to vacuous.
package spectrum

import (
	"context"
	"math"
	"strconv"

	"epsiloscope/accounting/pld/loss"
)

// Line is a distinct loss of a stack with its count, a whole number. Losses with equal keys are
// equal; losses without keys are not remembered.
type Line struct {
	Loss  loss.Distribution
	Count float64
	Key   string
}

// Stack is a composition in one direction: losses, and plain Gaussians, of which Square is Σ μ².
// Cache may be nil.
type Stack struct {
	Lines  []Line
	Square float64
	Cache  *Cache
}

// withKeys returns the stack with a cache and keys: its own, or ones that last as long as this
// copy.
func (s Stack) withKeys() Stack {
	for _, l := range s.Lines {
		if l.Key == "" || s.Cache == nil {
			s.Cache = nil
			break
		}
	}
	if s.Cache != nil {
		return s
	}
	lines := make([]Line, len(s.Lines))
	for i, l := range s.Lines {
		l.Key = "#" + strconv.Itoa(i)
		lines[i] = l
	}
	s.Lines, s.Cache = lines, new(Cache)
	return s
}

// truncated is a stack whose largest losses are moved to +∞.
type truncated struct {
	ctx      context.Context // of the evaluation that this is part of
	lines    []line
	square   float64
	releases float64
	cache    *Cache
	top      float64 // P-mass at +∞, truncation included
	failed   float64 // without it
	apart    bool    // only where at least one release has a rare loss: see [Stack.pass]
}

// line is a loss of a truncated stack, with its count.
type line struct {
	*outlined
	count float64
	rare  *rareLoss // losses above those, if the stack was cut and there are any
}

// truncate moves at most tail of P-mass per release to +∞. The tail is rounded, so that a
// stack with a few releases more has the same losses. Once the context has ended the result
// is empty, and its masses are not numbers.
func (s Stack) truncate(ctx context.Context, tail float64) truncated {
	s = s.withKeys()
	tail = floorPower(tail, 1)
	out := truncated{ctx: ctx, square: s.Square, releases: s.releases(), cache: s.Cache, lines: make([]line, len(s.Lines))}
	var all, own float64
	for i, l := range s.Lines {
		if ctx.Err() != nil {
			return truncated{ctx: ctx, top: math.NaN()}
		}
		o := getOrCompute(ctx, s.Cache, key{l.Key, keyTruncated, [7]float64{tail}}, func() (*outlined, int) {
			return outline(l.Loss.Truncate(tail), l.Key+"|"+strconv.FormatFloat(tail, 'x', -1, 64))
		})
		out.lines[i] = line{outlined: o, count: l.Count}
		all += l.Count * math.Log1p(-math.Min(1, o.Top*(1+1e-9)))
		own += l.Count * math.Log1p(-math.Min(1, (l.Loss.Top-l.Loss.Feared)*(1-1e-12)))
	}
	out.top, out.failed = -math.Expm1(all), -math.Expm1(own)
	return out
}

// floorPower returns the largest power of 2^{1/n} that is not above x, to the last place.
func floorPower(x float64, n float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return x
	}
	return math.Exp2(math.Floor(math.Log2(x)*n) / n)
}

// releases returns Σ K.
func (s Stack) releases() float64 {
	total := 0.0
	for _, l := range s.Lines {
		total += l.Count
	}
	return total
}
