package pld

import "math"

// ulp is the spacing of float64 at 1, the unit of every round-off bound here.
const ulp = 2.220446049250313e-16

// slab is the continuous mass between two losses under P and under Q, with bounds
// on the error of both.
type slab struct{ p, q, errP, errQ float64 }

// between is the mass between two losses, from differences of whichever tail is
// nearer: never from second differences of δ, which cancel.
func between(a, b tails) slab {
	var s slab
	s.p, s.errP = difference(a.upP, b.upP, a.loP, b.loP)
	s.q, s.errQ = difference(a.upQ, b.upQ, a.loQ, b.loQ)
	return s
}

func difference(upA, upB, loA, loB float64) (mass, err float64) {
	if upA < loB {
		return math.Max(0, upA-upB), tailError(upA)
	}
	return math.Max(0, loB-loA), tailError(loB)
}

// tailError bounds the round-off of a tail mass S. Its logarithm is about −z²/2 for
// some argument z known to a few ulps, so the relative error grows like |ln S|.
func tailError(s float64) float64 {
	if s <= 0 {
		return 0
	}
	exponent := 1023 - int(math.Float64bits(s)>>52) // −log₂ S, rounded up
	return s * ulp * (12 + 4*float64(max(0, exponent)))
}

// split is the share of a unit mass at x in [a, b] that goes to b when both its
// P-mass and its Q-mass are to be kept by masses at a and b: the chord, in e^ε, of
// the hockey-stick curve.
func split(a, x, b float64) float64 {
	if b <= a {
		return 1
	}
	return math.Min(1, math.Max(0, math.Expm1(a-x)/math.Expm1(a-b)))
}

// rise is the P-mass of a slab in [a, b] that goes to b; the rest goes to a. It is
// padded upward by the round-off of the masses.
func (s slab) rise(a, b float64) float64 {
	up := s.p
	if a < 650 {
		lift := math.Exp(a)
		d := s.p - lift*s.q + s.errP + lift*s.errQ + 4*ulp*s.p
		up = math.Min(up, math.Max(0, d/-math.Expm1(a-b)))
	}
	return up
}

// moments are the mean and the standard deviation of the finite loss under P.
func moments(l law) (mean, deviation float64) {
	if g, ok := l.(gaussian); ok {
		return g.mu * g.mu / 2, g.mu // quadrature would need nodes in proportion to μ²
	}
	var m0, m1, m2 float64
	add := func(x, p float64) { m0 += p; m1 += p * x; m2 += p * x * x }
	for _, a := range l.atoms() {
		add(a.loss, a.p)
	}
	for _, n := range l.nodes(1) {
		add(n.loss, math.Exp(n.logP))
	}
	if m0 == 0 {
		return 0, 0
	}
	mean = m1 / m0
	return mean, math.Sqrt(math.Max(0, m2/m0-mean*mean))
}

// horizon is an interval above which a law has P-mass below e^{logTail}, and below
// which so little that it may as well lie at the lower end; within its span.
func horizon(l law, mean, deviation, logTail float64) (lo, hi float64) {
	lo, hi = l.span()
	tail := math.Exp(logTail)
	if !l.continuous() {
		atoms := l.atoms()
		sum, i := 0.0, len(atoms)-1
		for ; i > 0 && sum+atoms[i].p <= tail; i-- {
			sum += atoms[i].p
		}
		tail, sum = math.Exp(math.Max(logTail, -100)), 0
		j := 0
		for ; j < i && sum+atoms[j].p <= tail; j++ {
			sum += atoms[j].p
		}
		return atoms[j].loss, atoms[i].loss
	}
	if math.IsInf(hi, 1) {
		hi = outward(mean, deviation, func(x float64) bool { return l.tails(x).upP <= tail })
	}
	if math.IsInf(lo, -1) {
		tail = math.Exp(math.Max(logTail, -100))
		lo = outward(mean, -deviation, func(x float64) bool { return l.tails(x).loP <= tail })
	}
	return lo, hi
}

// outward walks from c in steps of d until far holds, then bisects back a little.
func outward(c, d float64, far func(float64) bool) float64 {
	if d == 0 {
		return c
	}
	step := d
	for i := 0; i < 200 && !far(c+step); i++ {
		step *= 1.5
	}
	near := step / 1.5
	for i := 0; i < 6; i++ {
		mid := (near + step) / 2
		if far(c + mid) {
			step = mid
		} else {
			near = mid
		}
	}
	return c + step
}

// gridTolerance is in units of the step.
const gridTolerance = 1e-11
