// Package loss describes the privacy loss L = ln dP/dQ of one ordered pair (P, Q) in a
// form from which its moment generating function M(z) = E_P[e^{zL}] can be computed with a
// proven error: point masses, and densities whose likelihoods are sums of exponentials.
//
// A [Distribution] comes from a constructor ([Laplace], [SampledGaussian], …) or from
// another one by [Subsample], [RevealedMixture] or [Distribution.Symmetrize]. [Distribution.Truncate]
// moves its far end to +∞; [Distribution.Rule] replaces it by finitely many nodes;
// [Distribution.Spread] says how smooth it is.
package loss

import "math"

// Atom is a point mass: a loss and ln of its P-mass. Its Q-mass is e^{−Loss} times that.
type Atom struct{ Loss, LogP float64 }

// Distribution is the loss of one ordered pair: what is finite, and how much is not.
type Distribution struct {
	Atoms     []Atom
	Densities []Density

	// Top is the P-mass at +∞ and Bottom the Q-mass that the finite part lacks, at −∞ or
	// beyond a truncation. The finite part has P-mass 1 − Top and Q-mass 1 − Bottom.
	Top, Bottom float64
	// Feared is the part of Top that need not be there: it counts in upper ends only.
	Feared float64
	// Rounded is by how much the logarithms of the atoms' masses may be off besides their own
	// rounding, in units of round-off.
	Rounded float64
	// Slack is by how much those two masses may be off: 0 where they are known in closed form,
	// the round-off of the sums for a list that was computed.
	Slack float64
}

// Largest returns the largest finite loss, +Inf if there is none.
func (d *Distribution) Largest() float64 {
	most := math.Inf(-1)
	for _, a := range d.Atoms {
		most = max(most, a.Loss)
	}
	for i := range d.Densities {
		p := &d.Densities[i]
		if math.IsInf(p.Hi, 1) {
			num, den := p.Num.extremes(), p.Den.extremes()
			if num.most > den.most {
				return math.Inf(1)
			}
			// Both are led by the same rate: the loss tends to the ratio of what has it.
			most = math.Max(most, p.Num.leading(num.most)-p.Den.leading(num.most))
			continue
		}
		most = math.Max(most, p.lossAt(p.Hi))
	}
	return most
}

// MassAbove returns the P- and the Q-mass of the finite losses above a level.
func (d *Distribution) MassAbove(level float64) (p, q float64) {
	for _, a := range d.Atoms {
		if a.Loss > level {
			p += math.Exp(a.LogP)
			q += math.Exp(a.LogP - a.Loss)
		}
	}
	for i := range d.Densities {
		e := &d.Densities[i]
		ep, eq := e.mass(e.Reach(level), e.Hi)
		p, q = p+ep, q+eq
	}
	return p, q
}

// Span returns an interval of losses that leaves out a P-mass of about tail on either side.
func (d *Distribution) Span(tail float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, a := range d.Atoms {
		if math.Exp(a.LogP) > tail {
			lo, hi = math.Min(lo, a.Loss), math.Max(hi, a.Loss)
		}
	}
	for i := range d.Densities {
		e := &d.Densities[i]
		a, b := e.reaches(tail)
		lo, hi = math.Min(lo, e.lossAt(a)), math.Max(hi, e.lossAt(b))
	}
	return lo, hi
}
