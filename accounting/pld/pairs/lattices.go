package pairs

import (
	"math"
	"strconv"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/loss"
)

// Families whose losses lie on a lattice: discrete Gaussian and discrete Laplace noise, and
// repetitions of an (ε, δ) guarantee.

// manyAtoms is the largest lattice that is listed point by point where it is not wide.
const manyAtoms = 1 << 21

// DiscreteGaussian returns the pair of integer noise with P(x) ∝ e^{−x²/(2σ²)} on an
// integer query of the given sensitivity (Canonne, Kamath, Steinke 2020). The loss
// lives on a lattice of step Δ/σ². For vectors it does not dominate: discrete
// Gaussians are not rotation invariant. D_α ≤ αΔ²/(2σ²) (Theorem 4 there).
//
// A short lattice is listed as far as float64 has masses, 36.5σ; what lies beyond, less
// than 1e-289, is charged as loss +∞. A long one is a density on a lattice.
func DiscreteGaussian(sigma float64, sensitivity int) Pair {
	switch {
	case sensitivity < 0 || !(sigma >= 0) || math.IsInf(sigma, 1):
		return invalidPair()
	case sensitivity == 0:
		return identicalPair()
	case sigma == 0:
		return disclosingPair()
	}
	d := float64(sensitivity)
	mu := d / sigma
	key := "discrete-gaussian(" + number(sigma) + "," + strconv.Itoa(sensitivity) + ")"
	reach := math.Ceil(36.5 * sigma)
	var l *Estimate
	points := 2*reach + d
	switch {
	case points > manyAtoms, points > exact.MaxListed && sigma > 32 && mu < widest:
		of := loss.DiscreteGaussian(sigma, d)
		l = newEstimate(key, func() loss.Distribution { return of }, of.Densities[0].LogDelta)
		// Half integers beyond 1e13 are no float64.
		l.boundIsExact, l.unresolvable = true, mu >= widest || !(36.5*sigma+d < 1e13) || sigma <= 32
		l.orders = gaussianOrders(mu)
	default:
		norm := 1.0
		for x := reach; x >= 1; x-- {
			norm += 2 * math.Exp(-x*x/(2*sigma*sigma))
		}
		list := make([]atom, 0, int(points)+1)
		for x := d + reach; x >= -reach; x-- {
			p := math.Exp(-x*x/(2*sigma*sigma)) / norm
			q := math.Exp(-(x-d)*(x-d)/(2*sigma*sigma)) / norm
			list = append(list, atom{d * (d - 2*x) / (2 * sigma * sigma), p, q})
		}
		l = newList(key, list, beyondFloat, beyondFloat, 0)
		l.orders = 28 * sigma / d // which moves the mass by αΔ; it must stay among the listed points
	}
	l.bound = func(alpha float64) float64 { return alpha * mu * mu / 2 }
	l.steps = func(k float64) Pair { return DiscreteGaussian(sigma, int(k)*sensitivity) }
	l.form = Form{Kind: "discrete-gaussian", Size: sigma, Shift: sensitivity}
	return SymmetricPair(exactLoss(l))
}

// DiscreteLaplace returns the pair of integer noise with P(x) ∝ e^{−|x|/scale} on an
// integer query of the given sensitivity (Ghosh, Roughgarden, Sundararajan 2012).
// The loss lives on a lattice of step 2/scale; with sensitivity 1 it is exactly
// randomized response with ε = 1/scale, and larger than that of continuous Laplace. It is
// the chain of that many steps of a pure guarantee, and is put in cells as such if it is long.
func DiscreteLaplace(scale float64, sensitivity int) Pair {
	switch {
	case sensitivity < 0 || !(scale >= 0) || math.IsInf(scale, 1):
		return invalidPair()
	case sensitivity == 0:
		return identicalPair()
	case scale == 0:
		return disclosingPair()
	}
	d := float64(sensitivity)
	switch {
	case sensitivity == 1:
		return Pure(1 / scale)
	case sensitivity > 1<<14: // longer lists take long to sum
		return approximateGroup(1/scale, 0, d)
	}
	a := math.Exp(-1 / scale)
	unit := -math.Expm1(-1/scale) / (1 + a) // P(0)
	points := make([]atom, 0, sensitivity+1)
	far := math.Exp(-d/scale) / (1 + a)
	points = append(points, atom{-d / scale, far, 1 / (1 + a)})
	for x := sensitivity - 1; x >= 1; x-- {
		p := unit * math.Exp(-float64(x)/scale)
		q := unit * math.Exp(-float64(sensitivity-x)/scale)
		points = append(points, atom{(d - 2*float64(x)) / scale, p, q})
	}
	points = append(points, atom{d / scale, 1 / (1 + a), far})
	key := "discrete-laplace(" + number(scale) + "," + strconv.Itoa(sensitivity) + ")"
	l := newList(key, points, 0, 0, 0)
	l.steps = func(k float64) Pair { return DiscreteLaplace(scale, int(k)*sensitivity) }
	l.form = Form{Kind: "discrete-laplace", Size: 1 / scale, Shift: sensitivity}
	return SymmetricPair(exactLoss(l))
}

// maxListedRuns is the largest number of runs that are listed: the powers of a rounded e^ε are still
// accurate.
const maxListedRuns = 256

const manyRuns = "the runs are too many to list: the upper end has their total guarantee, the lower end a part of them"

// RepeatedApproximate returns the pair of n runs of an (ε, δ)-DP release as one release: the losses are whole
// multiples of ε, with binomial masses (Kairouz, Oh, Viswanath 2015, Theorem 3.3). If n is too large to list
// them, the pair of the total guarantee dominates it, and an attacker looks at as many runs as are listed.
func RepeatedApproximate(epsilon, delta, n float64) Pair {
	switch {
	case !(epsilon >= 0 && delta >= 0 && n > 0):
		return invalidPair()
	case n == 1 || delta >= 1:
		return Approximate(n*epsilon, delta)
	case !(n <= maxListedRuns) || n != math.Trunc(n) || !(epsilon > 0) || !(epsilon < 700):
		most, some := math.Min(maxListedRuns, math.Floor(n)), identicalPair()
		switch {
		case most >= 1 && epsilon > 0 && epsilon < 700:
			some = RepeatedApproximate(epsilon, delta, most)
		case most >= 1:
			some = Approximate(epsilon, delta)
		}
		return Bracket(Approximate(n*epsilon, math.Min(1, n*delta)), some, manyRuns)
	}
	key := "power(" + number(epsilon) + "," + number(delta) + "," + number(n) + ")"
	kept := n * math.Log1p(-delta)
	masses, _ := binomial(exactly(math.Exp(epsilon)), exactly(1), int(n), int(n), -1)
	points := make([]atom, len(masses))
	for i := range masses {
		p, q := masses[i], masses[len(masses)-1-i]
		points[i] = atom{(2*float64(i) - n) * epsilon, p * math.Exp(kept), q * math.Exp(kept)}
	}
	top := -math.Expm1(kept)
	return SymmetricPair(exactLoss(newList(key, points, top, top, 0)))
}
