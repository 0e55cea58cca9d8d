package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// renyiUpper is a valid upper end that needs no grid: the Rényi curves of all lines
// are added and converted at a good order (Canonne, Kamath, Steinke 2020, Proposition
// 12). It is what the accountant falls back on.
func (d *direction) renyiUpper(delta float64) float64 {
	if len(d.lines) == 0 {
		return 0
	}
	// Mass at +∞ is taken off δ; what is left has losses up to the ceiling only.
	_, lost := d.lost()
	lost *= 1 + 8*ulp
	if delta <= lost {
		return math.Inf(1)
	}
	best := d.ceiling()
	logDelta := special.Log(delta - lost)
	at := func(t float64) float64 { // t = α − 1
		return d.renyi(1+t) + special.Log(t/(1+t)) - (logDelta+math.Log1p(t))/t
	}
	return math.Max(0, math.Min(best, leastBound(at)))
}

// leastBound is about the least of a bound over t = α − 1, for bounds that fall and then
// rise: ln M(t) + t·ln t − (1+t)·ln(1+t) is convex in t, and so is the logarithm of a bound
// on δ; a bound on ε is a convex function divided by t, of which every level set is an
// interval. Any t is valid.
func leastBound(bound func(t float64) float64) float64 {
	return special.Minimise(func(k float64) float64 { return bound(math.Exp2(k)) }, -60, 60, 17).Value
}

// indistinct reports whether δ is so large that ε is certainly 0: δ(0) is the total
// variation distance, the same in both directions, and at most √(D₁/2) (Pinsker).
func (d *direction) indistinct(delta float64) bool {
	_, lost := d.lost()
	if delta < 1e-3 || lost > beyondFloat*1e15 { // at a small δ hardly ever; of what may fail D₁ says nothing
		return false
	}
	return math.Sqrt(d.renyi(1)/2)+lost <= delta*(1-1e-9)
}

// renyi is the sum of the lines' divergences, of what is not at +∞.
func (d *direction) renyi(alpha float64) float64 {
	sum := 0.0
	for _, l := range d.lines {
		r := l.upper.hi()
		if l.upper.top <= beyondFloat {
			r = math.Min(r, l.upper.Renyi(alpha))
		}
		sum += l.count * r
	}
	return sum
}

// profileBound encloses δ(ε) without a grid: above by the same conversion,
// δ ≤ e^{(α−1)(D_α−ε)}/(α−1)·(1−1/α)^α for every α > 1, below by what any one of the releases
// reveals.
func (d *direction) profileBound(epsilon float64) (lower, upper float64) {
	log := math.Min(0, leastBound(func(t float64) float64 {
		return t*(d.renyi(1+t)-epsilon) + t*special.Log(t) - (1+t)*math.Log1p(t)
	}))
	for _, l := range d.lines {
		lower = math.Max(lower, math.Exp(l.lower.LogDelta(epsilon))*(1-1e-11))
	}
	_, lost := d.lost()
	return lower, math.Min(1, math.Exp(log)*(1+1e-11)+lost*(1+8*ulp))
}

// FormRenyi is the [Interval.Form] of an answer that fell back on a Rényi bound.
const FormRenyi = "Rényi divergence"

// fallBack is the interval of last resort of one direction, with the reason for it.
func (d *direction) fallBack(delta float64, reason string) Interval {
	out := Interval{Lower: d.oneRelease(delta), Upper: d.renyiUpper(delta), Form: FormRenyi, Note: "fallen back on a Rényi bound: " + reason}
	out.Lower = math.Min(out.Lower, out.Upper)
	out.Budget.Grid = out.Upper - out.Lower
	return out
}

// fallenBack is that of a whole stack.
func (s directions) fallenBack(delta float64, reason string) Interval {
	for _, d := range s {
		d.known = d.fallBack(delta, reason)
	}
	out := s.interval()
	out.Note = s[0].known.Note
	return out
}

// oneRelease is a valid lower end that needs no grid: the stack reveals at least what
// any one of its releases does.
func (d *direction) oneRelease(delta float64) float64 {
	lower := 0.0
	for _, l := range d.lines {
		one, _ := invert(l.lower, delta)
		lower = math.Max(lower, one)
	}
	return lower
}
