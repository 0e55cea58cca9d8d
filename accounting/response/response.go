// Package response composes randomized responses exactly: they are the worst releases of
// which only ε is known (Kairouz, Oh & Viswanath 2015; Murtagh & Vadhan 2016).
package response

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Level is an ε > 0 with its count.
type Level struct{ Epsilon, Count float64 }

// Epsilon returns the ε at δ > 0 of all levels together, a hair upward. It is false where
// several levels have too many combinations to be listed; one level may have any count.
func Epsilon(levels []Level, delta float64) (epsilon float64, ok bool) {
	if len(levels) == 1 {
		return equalResponses(levels[0]).epsilonAt(delta), true
	}
	return enumerate(levels, delta)
}

// maxLattice bounds how many combinations of losses are written out.
const maxLattice = 1 << 17

// atom is a possible total loss with ln of its probability under Q.
type atom struct{ loss, logQ float64 }

// enumerate returns the exact ε at δ of randomized responses with the given levels, by
// writing out the whole lattice of losses; ok is false where it is too large.
//
// Going down the sorted losses, with B = Q(L ≥ ℓ_i), the curve rises from ℓ_i to
// ℓ_{i+1} by (e^{ℓ_i} − e^{ℓ_{i+1}})·B: positive terms only, so nothing cancels
// however small the losses are (Murtagh & Vadhan 2016, Theorem 1.5, regrouped).
func enumerate(levels []Level, delta float64) (epsilon float64, ok bool) {
	size := 1.0
	for _, v := range levels {
		size *= v.Count + 1
		if size > maxLattice {
			return 0, false
		}
	}
	atoms := []atom{{0, 0}}
	for _, v := range levels {
		atoms = spread(atoms, v)
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(b.loss, a.loss) })
	// Sums of n positive terms are off by at most n ulps; aim that much lower.
	target := special.Log(delta) + math.Log1p(-4e-16*float64(len(atoms)+64))
	logDelta, logB := math.Inf(-1), math.Inf(-1)
	for i, a := range atoms {
		logB = special.LogAdd(logB, a.logQ)
		next := 0.0
		if i+1 < len(atoms) {
			next = math.Max(0, atoms[i+1].loss)
		}
		if a.loss <= 0 {
			break
		}
		if next >= a.loss {
			continue
		}
		rise := a.loss + special.Log1mExp(next-a.loss) + logB
		if after := special.LogAdd(logDelta, rise); after <= target {
			logDelta = after
			continue
		}
		// δ̂ − δ(ℓ_i) = (e^{ℓ_i} − e^t)·B
		need := special.LogSub(target, logDelta) - a.loss - logB
		return math.Max(0, a.loss+special.Log1mExp(math.Min(0, need))), true
	}
	return 0, true
}

// spread composes the atoms with count responses of one level.
func spread(atoms []atom, v Level) []atom {
	n := int(v.Count)
	out := make([]atom, 0, len(atoms)*(n+1))
	logChoose := 0.0
	for lies := 0; lies <= n; lies++ {
		if lies > 0 {
			logChoose += special.Log(float64(n-lies+1)) - special.Log(float64(lies))
		}
		// Under Q the response agrees with P's side with probability 1/(1+e^ε).
		logQ := logChoose - float64(n-lies)*special.Softplus(v.Epsilon) - float64(lies)*special.Softplus(-v.Epsilon)
		loss := float64(n-2*lies) * v.Epsilon
		for _, a := range atoms {
			out = append(out, atom{a.loss + loss, a.logQ + logQ})
		}
	}
	return out
}
