package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// What needs no composition: the Rényi curves of all lines are added and converted at a good
// order (Canonne, Kamath, Steinke 2020, Proposition 12),
//
//	δ ≤ e^{(α−1)(D_α−ε)}/(α−1)·(1−1/α)^α   for every α > 1.
//
// The accountant falls back on this bound where no composition comes closer. The lower end beside it is that of copies
// of a single release of the stack. If a release has δ₁ at ε₁, there is an event A with P(A) − e^{ε₁}Q(A) ≥ δ₁. Let the
// stack have at least m copies of it. That A happens in each of m copies has
//
//	δ(mε₁) ≥ P(A)^m − e^{mε₁}Q(A)^m ≥ (P(A) − e^{ε₁}Q(A))^m ≥ δ₁^m
//
// because a^m − b^m ≥ (a−b)^m for a ≥ b ≥ 0. What holds for m copies holds for more: this end never falls with their
// number.

// FormRenyi is the [Interval.Form] of an answer that fell back on a Rényi bound.
const FormRenyi = "Rényi divergence"

const fallenBack = "fallen back on a Rényi bound: "

func (epsilonAt) renyi(d *direction, delta float64) Interval {
	out := Interval{Upper: math.Inf(1), Form: FormRenyi, Note: fallenBack + "no composition of this stack came closer"}
	// Mass at +∞ is taken off δ; what is left has losses up to the ceiling only.
	_, lost := d.failureProbability()
	if lost *= 1 + 8*ulp; delta > lost {
		logDelta := special.Log(delta - lost)
		out.Upper = math.Max(0, math.Min(d.maxLoss(), leastBound(func(t float64) float64 {
			return d.renyi(1+t) + special.Log(t/(1+t)) - (logDelta+math.Log1p(t))/t
		})*(1+1e-11)))
	}
	out.Lower = d.copiesOfOne(delta)
	out.Budget.Grid = math.Max(0, out.Upper-out.Lower)
	return out
}

func (deltaAt) renyi(d *direction, epsilon float64) (out Interval) {
	log := math.Min(0, d.leastOfCurve(func(t float64) float64 {
		return t*(d.renyi(1+t)-epsilon) + t*special.Log(t) - (1+t)*math.Log1p(t)
	}))
	for _, l := range d.lines {
		for m, before := 1.0, math.Inf(-1); m <= l.Count; m *= 2 {
			log := m * (l.Lower().LogDeltaAlone(epsilon/m) - 1e-11)
			if out.Lower = math.Max(out.Lower, math.Exp(log)); log <= before {
				break
			}
			before = log
		}
	}
	_, lost := d.failureProbability()
	out.Upper = math.Min(1, math.Exp(log)*(1+1e-11)+lost*(1+8*ulp))
	return out
}

// leastBound returns approximately the least value of a bound over t = α − 1, for bounds that fall and then
// rise: ln M(t) + t·ln t − (1+t)·ln(1+t) is convex in t, and so is the logarithm of a bound
// on δ; a bound on ε is a convex function divided by t, of which every level set is an
// interval. Any t is valid.
func leastBound(bound func(t float64) float64) float64 {
	return special.Minimise(func(k float64) float64 { return bound(math.Exp2(k)) }, -60, 60, 17).Value
}

// leastOfCurve is leastBound for one point of a curve. The points differ in ε only, so that a divergence of some order
// serves all of them: each searches the same orders, first 1 + 2^{4k}, then between them by halves up to 1 + 2^{k/512},
// and the direction remembers their divergences. Any order is valid.
func (d *direction) leastOfCurve(bound func(t float64) float64) float64 {
	if len(d.known) == 1 {
		return leastBound(bound)
	}
	at := func(k float64) float64 { return bound(math.Exp2(k)) }
	least, where := math.Inf(1), 0.0
	for k := -60.0; k <= 60; k += 4 {
		if v := at(k); v < least {
			least, where = v, k
		}
	}
	for step := 2.0; step >= 1.0/512; step /= 2 {
		for _, k := range []float64{where - step, where + step} {
			if v := at(k); v < least {
				least, where = v, k
				break // the bound falls and then rises: the other side is no better
			}
		}
	}
	return least
}

// renyi returns the sum of the lines' divergences, of what is not at +∞.
func (d *direction) renyi(alpha float64) float64 {
	sum, known := d.divergences[alpha]
	if known {
		return sum
	}
	for _, l := range d.lines {
		sum += l.Count * l.Upper().FiniteRenyi(alpha)
	}
	if d.divergences == nil {
		d.divergences = map[float64]float64{}
	}
	d.divergences[alpha] = sum
	return sum
}

// copiesOfOne returns the largest ε that 1, 2, 4, … copies of a single release of the direction have at δ, a lower end
// for the stack. The powers of two are tried from the first on, until they reach less: more copies only add to them.
func (d *direction) copiesOfOne(delta float64) float64 {
	lower := 0.0
	for _, l := range d.lines {
		for m, before := 1.0, 0.0; m <= l.Count; m *= 2 {
			one, _ := invert(l.Lower().LogDeltaAlone, math.Exp(special.Log(delta)/m))
			if lower = math.Max(lower, m*one); m*one <= before {
				break
			}
			before = m * one
		}
	}
	return lower
}

// indistinct reports whether δ is so large that ε is certainly 0: δ(0), the total variation distance, is at
// most √(D₁/2) (Pinsker).
func (d *direction) indistinct(delta float64) bool {
	_, lost := d.failureProbability()
	if delta < 1e-3 || lost > 1e-274 { // at a small δ hardly ever; of what may fail D₁ says nothing
		return false
	}
	return math.Sqrt(d.renyi(1)/2)+lost <= delta*(1-1e-9)
}
