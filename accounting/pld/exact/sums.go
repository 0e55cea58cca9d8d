package exact

import (
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/spectrum"
)

// maxSums bounds how many sums of losses are listed for [Sums].
const maxSums = 1 << 17

// Sums is a composition of which every sum of losses is listed with its probability.
type Sums struct{ all list }

// List lists the sums of releases that have two losses each, such as randomized responses; ok is false for other
// releases, and where the sums are too many. Those of a single kind lie on a lattice, whose spectrum is soon quicker.
func List(lines []spectrum.Line) (s Sums, ok bool) {
	size := 1.0
	if len(lines) == 1 && lines[0].Count >= maxBinomialSums {
		return s, false
	}
	for _, l := range lines {
		twoLosses := len(l.Loss.Densities) == 0 && len(l.Loss.Atoms) == 2
		if size *= l.Count + 1; !twoLosses || size > maxSums {
			return s, false
		}
	}
	w := newWork(1, numeral.Up)
	w.spare, w.maxListedSums = 0, maxSums
	s.all = zeroLoss()
	for _, l := range lines {
		one, ok := w.release(l.Loss)
		if !ok || len(one.p) != 2 {
			return s, false
		}
		if s.all, ok = w.times(s.all, binomial(one, l.Count)); !ok {
			return s, false
		}
	}
	return s, true
}

// Epsilon returns certified ends of ε at δ > 0, as far apart as round-off has it. The upper one is +Inf where what may
// be lost with certainty exceeds δ.
func (s Sums) Epsilon(delta float64) (lower, upper float64) {
	n := len(s.all.p)
	// Every step of solve rounds the sums so far a few times, and the exponential of a difference by that difference.
	off := s.all.err + unit*(8*float64(n+8)+s.all.loss[n-1]-s.all.loss[0])
	if off >= 0.5 {
		return 0, math.Inf(1)
	}
	upper = math.Inf(1)
	if left := delta - s.all.top*(1+4*unit); left > 0 {
		upper = s.solve(left/(1+2*off)) + s.roundoff()
	}
	return math.Max(0, s.solve(delta*(1+2*off))-s.roundoff()), math.Max(0, upper)
}

// roundoff bounds what round-off does to a loss, and to an ε between two losses.
func (s Sums) roundoff() float64 {
	n := len(s.all.p)
	return s.all.moved + roundingUnits*unit*math.Max(math.Abs(s.all.loss[0]), math.Abs(s.all.loss[n-1]))
}

// solve returns the ε at which the list has δ, or its least loss if it has less than δ there.
//
// With C = E_P[e^{ℓ−L}; L ≥ ℓ] at a loss ℓ, δ rises below it by C·(1 − e^{ε−ℓ}) until the next loss is reached
// (Murtagh & Vadhan 2016, Theorem 1.5, regrouped). All terms are positive, so nothing cancels however small the losses
// are.
func (s Sums) solve(delta float64) (epsilon float64) {
	known, c := 0.0, 0.0 // δ and C at the loss before
	for i := len(s.all.p) - 1; i >= 0; i-- {
		x := s.all.loss[i]
		if i+1 < len(s.all.p) {
			above := s.all.loss[i+1]
			rise := -c * math.Expm1(x-above)
			if known+rise > delta {
				return math.Max(x, above+math.Log1p(-math.Min(1, (delta-known)/c)))
			}
			known += rise
			c *= math.Exp(x - above)
		}
		c += s.all.p[i]
	}
	return s.all.loss[0]
}
