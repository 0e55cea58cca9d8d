package renyi

import "math"

// LargestRatio returns sup over α ≥ 1 of D_α/α for a bounded Rényi curve, a hair upward:
// the ρ of a pure release that has only a curve. On each interval of orders the
// chord of the convex (α−1)·D_α bounds the curve, so the answer is certain; the
// interval with the largest bound is halved until that hardly changes.
func LargestRatio(curve Curve) float64 {
	top := curve(math.Inf(1))
	first := curve(1)
	if math.IsInf(top, 1) || top == 0 {
		return top
	}
	type span struct{ a, b, ra, rb, bound float64 }
	newSpan := func(a, ra, b, rb float64) span { return span{a, b, ra, rb, ratioBound(a, ra, b, rb)} }
	best := first
	var spans []span
	a, ra := 1.0, first
	for a*best < top && a < 1e290 { // beyond, D_α/α ≤ ε/α is below the best
		b := 1 + (a-1)*2 + 0.25
		rb := curve(b)
		best = math.Max(best, rb/b)
		spans = append(spans, newSpan(a, ra, b, rb))
		a, ra = b, rb
	}
	if a*best < top { // or it is that at most
		best = top / a
	}
	bound := best
	for range 240 {
		worst := -1
		bound = best
		for i, s := range spans {
			if s.bound > bound {
				worst, bound = i, s.bound
			}
		}
		if worst < 0 || bound <= best*(1+1e-6) {
			break
		}
		s := spans[worst]
		mid := 1 + math.Sqrt((s.a-1)*(s.b-1))
		if s.a == 1 {
			mid = 1 + (s.b-1)/4
		}
		rm := curve(mid)
		best = math.Max(best, rm/mid)
		spans[worst] = newSpan(s.a, s.ra, mid, rm)
		spans = append(spans, newSpan(mid, rm, s.b, s.rb))
	}
	return bound
}

// ratioBound bounds D_α/α on [a, b] from its values at the ends: the smaller of the
// monotone bound D_b/a and the largest value of the chord.
func ratioBound(a, ra, b, rb float64) float64 {
	monotone := rb / a
	// With s = α−1 the chord of s·D is A + B·s, A ≤ 0, and (A+Bs)/(s(s+1)) peaks at
	// s = (−A + √(A²−AB))/B.
	slope := ((b-1)*rb - (a-1)*ra) / (b - a)
	rest := (a-1)*ra - slope*(a-1)
	if a <= 1 || !(slope > 0) || rest > 0 {
		return monotone
	}
	s := (-rest + math.Sqrt(rest*rest-rest*slope)) / slope
	s = math.Min(b-1, math.Max(a-1, s))
	return math.Min(monotone, (rest+slope*s)/(s*(s+1))*(1+1e-12))
}
