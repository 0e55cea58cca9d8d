// Package exact composes few releases by adding up their losses one by one: every sum of
// losses with its probability. Only positive terms are added, so every mass keeps its digits
// however small it is. Package spectrum cannot do that with one tilt for a few releases close to
// their largest losses.
//
// A list of sums that has become too long is cut into cells. Short lists are not cut and are
// exact. The error of both estimates below is of the order of the square of the cell width.
//
// # From above
//
// The mass of a cell is split between its two ends so that its P-mass and its Q-mass are
// kept, which makes of the hockey-stick curve its chord in e^ε ("connect the dots",
// Doroshenko et al. 2022). Read it as a random move of each loss L of the cell to an end L′.
// Given L, the mean of e^{L′} under Q is e^L: that is what keeping both masses says. So, with
// S the sum of the losses of all releases, which are independent, and S′ after the moves, the mean
// of e^{S′} under Q given S is e^S, and as u ↦ (u − e^ε)₊ is convex,
//
//	δ′(ε) = E_Q[(e^{S′} − e^ε)₊] ≥ E_Q[(e^S − e^ε)₊] = δ(ε)
//
// by Jensen's inequality, at every ε and however often sums are cut. The largest losses of a list may be
// replaced by +∞ and its smallest ones by the lowest loss that is kept, because
// δ(ε) = E_P[(1 − e^{ε−S})₊] grows with every loss.
//
// # From below
//
// A cell becomes one outcome with its whole P-mass p and Q-mass q, and the loss ln p/q. That is
// post-processing, or Jensen's inequality in the other direction: e^{S′} is the mean of e^S under Q given
// the cell. Cells of tiny mass may be left out, because no summand of Σ (p − e^ε·q)₊ is negative. For the
// same reason p may be rounded down and q up.
//
// # Round-off
//
// Masses are sums of products of positive numbers, and their relative error is bounded. The error of the
// losses is bounded too, and every curve is evaluated that far to the safe side.
package exact

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

const (
	maxReleases   = 4096    // of a stack that is composed one by one
	maxProducts   = 1 << 27 // of two masses, in one composition
	maxPoints     = 1 << 15 // of a list
	unit          = 0x1p-53 // relative rounding error of one operation
	roundingUnits = 8       // bound on the error of a loss, in units
	// maxUnderflow bounds the total of products that underflow float64.
	maxUnderflow = 1e-290
)

// Curve is a composed stack: an estimate of its hockey-stick curve.
type Curve struct {
	list
	upper    bool
	infinite float64 // P-mass at +∞
	Points   int
	Step     float64
}

// Compose composes a stack with cells of the given width, pessimistically (upper) or
// optimistically. Up to tail of the P-mass of a release may be moved to +∞, or left out.
// ok is false if that is too much work.
func Compose(ctx context.Context, s spectrum.Stack, step, tail float64, upper bool) (*Curve, bool) {
	return composeWith(&work{ctx: ctx, step: step, spare: tail, upper: upper, maxListedSums: maxListedSums, left: maxProducts}, s)
}

// ComposeByDistance is [Compose] with cells that are fine around the mean, `fineness` of them per deviation,
// and grow in proportion to the distance from it.
func ComposeByDistance(ctx context.Context, s spectrum.Stack, fineness, tail float64, upper bool) (*Curve, bool) {
	return composeWith(&work{ctx: ctx, fineness: fineness, spare: tail, upper: upper, maxListedSums: maxListedSums, left: maxProducts}, s)
}

func composeWith(w *work, s spectrum.Stack) (*Curve, bool) {
	lines, ok := linesWithGaussian(s)
	if !ok {
		return nil, false
	}
	all, ok := w.compose(lines)
	if !ok {
		return nil, false
	}
	out := &Curve{list: all, upper: w.upper, Points: len(all.p), Step: w.step}
	if w.step == 0 {
		out.Step = math.Sqrt(all.variance) / w.fineness
	}
	out.infinite = math.Min(1, all.top*(1+16*unit))
	if !w.upper {
		out.infinite = certainlyInfinite(lines)
	}
	out.err += 16*unit + 2*unit*float64(len(all.p))
	return out, true
}

// MaxListed is the length of the longest list that [Pessimistic] and [Optimistic] return.
const MaxListed = 4096

// Pessimistic returns an upper estimate of a composition as a list of losses and their P-masses,
// for use at a tilt that is not known yet: cells are fine, `fineness` per deviation, around the
// mean and grow in proportion to the distance from it. Top is the P-mass at +∞.
func Pessimistic(lines []spectrum.Line, fineness float64) (losses, masses []float64, top float64, ok bool) {
	w := &work{ctx: context.Background(), fineness: fineness, spare: 1e-260, upper: true, maxListedSums: 512, left: maxProducts}
	all, ok := w.compose(lines)
	for i := range all.p {
		all.loss[i] += all.moved
		all.p[i] *= 1 + all.err
	}
	return all.loss, all.p, math.Min(1, all.top*(1+16*unit)), ok
}

// Optimistic returns an estimate of a composition from below as a list of losses and their P-masses,
// with cells as in [Pessimistic]. Top is the P-mass that is certainly at +∞. Losses and masses are
// those of outcomes that the composition has, or smaller; the masses may add up to less than 1.
func Optimistic(lines []spectrum.Line, fineness float64) (losses, masses []float64, top float64, ok bool) {
	w := &work{ctx: context.Background(), fineness: fineness, spare: 1e-260, maxListedSums: 512, left: maxProducts}
	all, ok := w.compose(lines)
	for i := range all.p {
		all.loss[i] -= all.moved
		all.p[i] *= 1 - all.err
	}
	return all.loss, all.p, certainlyInfinite(lines), ok
}

// certainlyInfinite returns the P-mass of a composition that is certainly at +∞.
func certainlyInfinite(lines []spectrum.Line) float64 {
	var kept special.Adder // K·ln(1 − what is certainly at +∞)
	for _, l := range lines {
		kept.Add(l.Count * math.Log1p(-math.Min(1, l.Loss.Top-l.Loss.Feared)))
	}
	return -math.Expm1(kept.Sum()) * (1 - 16*unit)
}

// linesWithGaussian returns the lines of s plus one for its Gaussians; false if s is too large or has a
// fractional count.
func linesWithGaussian(s spectrum.Stack) ([]spectrum.Line, bool) {
	lines := append([]spectrum.Line(nil), s.Lines...)
	if s.Square > 0 {
		lines = append(lines, spectrum.Line{Loss: loss.Gaussian(math.Sqrt(s.Square)), Count: 1})
	}
	total := 0.0
	for _, l := range lines {
		total += l.Count
		if l.Count != math.Floor(l.Count) || len(l.Loss.Atoms)+len(l.Loss.Densities) == 0 {
			return nil, false
		}
	}
	return lines, total <= maxReleases && len(lines) > 0
}

// CanListAll reports whether every sum of a stack's losses can be listed, so that nothing has to be estimated.
func CanListAll(s spectrum.Stack) bool {
	sums := 1.0
	for _, l := range s.Lines {
		n := float64(len(l.Loss.Atoms))
		if len(l.Loss.Densities) > 0 || n == 0 {
			return false
		}
		for i := 1.0; i < n && sums <= maxListedSums; i++ { // multisets: C(count + n − 1, n − 1)
			sums *= (l.Count + i) / i
		}
	}
	_, ok := linesWithGaussian(s)
	return ok && s.Square == 0 && sums <= maxListedSums/4
}

// Delta returns the estimate of δ(ε), any real ε.
func (c *Curve) Delta(epsilon float64) float64 {
	shift := c.moved
	if !c.upper {
		shift = -shift
	}
	sum := 0.0
	for i := len(c.p) - 1; i >= 0; i-- {
		below := epsilon - (c.loss[i] + shift)
		if below >= 0 {
			break
		}
		sum -= c.p[i] * math.Expm1(below)
	}
	if c.upper {
		return math.Min(1, sum*(1+c.err)+c.infinite+maxUnderflow)
	}
	return math.Max(0, math.Min(1, sum*(1-c.err)+c.infinite))
}

// Epsilon returns an ε ≥ 0 whose estimate is at most δ, for an upper end, or at least δ, for a
// lower one; +Inf or 0 if there is none.
func (c *Curve) Epsilon(delta float64) float64 {
	if c.infinite > delta {
		return math.Inf(1)
	}
	most := math.Max(0, c.loss[len(c.loss)-1]+c.moved)
	left := func(e float64) bool { return c.Delta(e) >= delta }
	if c.upper {
		if left = func(e float64) bool { return c.Delta(e) > delta }; left(most) {
			return math.Inf(1)
		}
	}
	if !left(0) {
		return 0
	}
	lower, upper := special.Bisect(0, most, 1e-15*most, left)
	if c.upper {
		return upper
	}
	return lower
}
