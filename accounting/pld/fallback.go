package pld

import "math"

// renyiUpper is a valid upper end that needs no grid: the Rényi curves of all lines
// are added and converted at a good order (Canonne, Kamath, Steinke 2020, Proposition
// 12). It is what the accountant falls back on.
func (d direction) renyiUpper(delta float64) float64 {
	if len(d.lines) == 0 {
		return 0
	}
	// Mass at +∞ is taken off δ; what is left has losses up to the ceiling only.
	lost := d.lost(func(l line) float64 { return l.top }) * (1 + 8*ulp)
	if delta <= lost {
		return math.Inf(1)
	}
	best := d.ceiling()
	logDelta := math.Log(delta - lost)
	at := func(t float64) float64 { // t = α − 1
		return d.renyi(1+t) + math.Log(t/(1+t)) - (logDelta+math.Log1p(t))/t
	}
	centre := saddle(d.weighted(), math.Max(-550, logDelta)).theta
	for k := -16; k <= 16; k++ {
		if e := at(centre * math.Exp2(float64(k)/4)); e < best {
			best = e
		}
	}
	return math.Max(0, best)
}

// indistinct reports whether δ is so large that ε is certainly 0: δ(0) is the total
// variation distance, the same in both directions, and at most √(D₁/2) (Pinsker).
func (d direction) indistinct(delta float64) bool {
	lost := d.lost(func(l line) float64 { return l.top })
	if delta < 1e-3 || lost > beyondFloat*1e15 { // at a small δ hardly ever; of what may fail D₁ says nothing
		return false
	}
	return math.Sqrt(d.renyi(1)/2)+lost <= delta*(1-1e-9)
}

// renyi is the sum of the lines' divergences, of what is not at +∞.
func (d direction) renyi(alpha float64) float64 {
	sum := 0.0
	for _, l := range d.lines {
		r := l.hi
		if l.top <= beyondFloat {
			r = math.Min(r, l.upper.Renyi(alpha))
		}
		sum += l.count * r
	}
	return sum
}

// profileBound encloses δ(ε) without a grid: above by the same conversion, below by
// what any one of the releases reveals.
func (d direction) profileBound(epsilon float64) (lower, upper float64) {
	log := 0.0
	centre := d.tiltAt(epsilon)
	for k := -8; k <= 8; k++ {
		t := centre * math.Exp2(float64(k)/2)
		log = math.Min(log, t*(d.renyi(1+t)-epsilon)+t*math.Log(t)-(1+t)*math.Log1p(t))
	}
	for _, l := range d.lines {
		lower = math.Max(lower, math.Exp(l.lower.LogDelta(epsilon))*(1-1e-11))
	}
	lost := d.lost(func(l line) float64 { return l.top })
	return lower, math.Min(1, math.Exp(log)*(1+1e-11)+lost*(1+8*ulp))
}

// FormRenyi is the [Interval.Form] of an answer that fell back on a Rényi bound.
const FormRenyi = "Rényi divergence"

// fallBack is the interval of last resort, with the reason for it.
func fallBack(directions []direction, delta float64, reason string) Interval {
	out := Interval{Direction: "both", Estimate: math.NaN(), Form: FormRenyi}
	for _, d := range directions {
		if u := d.renyiUpper(delta); u >= out.Upper {
			out.Upper, out.Direction = u, d.name
		}
		out.Lower = math.Max(out.Lower, d.oneRelease(delta))
	}
	out.Lower = math.Min(out.Lower, out.Upper)
	out.Budget.Grid = out.Upper - out.Lower
	out.Note = "fallen back on a Rényi bound: " + reason
	return out
}

// oneRelease is a valid lower end that needs no grid: the stack reveals at least what
// any one of its releases does.
func (d direction) oneRelease(delta float64) float64 {
	lower := 0.0
	for _, l := range d.lines {
		one, _ := invert(l.lower, delta)
		lower = math.Max(lower, one)
	}
	return lower
}
