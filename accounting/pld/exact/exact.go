// Package exact composes releases by adding up their losses one by one: every sum of losses with its
// probability. Only positive terms are added, so every mass keeps its digits however small it is. What
// comes out is a list of losses, an estimate of the composition from above ([Pessimistic]) or from
// below ([Optimistic]), for pairs that need a composition as a list: chains of steps, blocks, maxima of curves.
//
// A list of all sums of a few randomized responses answers by itself ([List]).
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
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

const (
	maxProducts     = 1 << 27 // of two masses, in one composition
	maxPoints       = 1 << 15 // of a list
	maxListedSums   = 512     // sums of two lists that are listed one by one, without cells
	maxBinomialSums = 1 << 14 // sums of copies of two losses that are listed one by one
	unit            = 0x1p-53 // relative rounding error of one operation
	roundingUnits   = 8       // bound on the error of a loss, in units
	leftOut         = 1e-260  // P-mass of one release that may be moved to +∞, or left out
)

// MaxListed is the length of the longest list that [Pessimistic] and [Optimistic] return.
const MaxListed = 4096

// Pessimistic returns an upper estimate of a composition as a list of losses and their P-masses,
// for use at a tilt that is not known yet: cells are fine, `fineness` per deviation, around the
// mean and grow in proportion to the distance from it. Top is the P-mass at +∞.
func Pessimistic(lines []spectrum.Line, fineness float64) (losses, masses []float64, top float64, ok bool) {
	w := newWork(fineness, numeral.Up)
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
	w := newWork(fineness, numeral.Down)
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
