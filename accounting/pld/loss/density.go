package loss

import (
	"math"

	"epsiloscope/accounting/special"
)

// Density is a part of a loss given in a coordinate x: P has the density
// base(x)·Num(x) and Q the density base(x)·Den(x) on [Lo, Hi], with
//
//	base(x) = e^{LogScale + Slope·x − x²/(2σ²)}
//
// and no quadratic term if Sigma is 0. On a lattice these are masses at the integers between
// Lo and Hi, which are halves of odd numbers or infinite. Every rate of Num is at least every
// rate of Den, so the loss ln Num − ln Den increases with x.
type Density struct {
	LogScale, Slope, Sigma float64
	Lo, Hi                 float64
	Lattice                bool
	Num, Den               Sum
}

// lossAt returns the loss at x.
func (d *Density) lossAt(x float64) float64 { return d.Num.logAt(x) - d.Den.logAt(x) }

// base returns ln of the base density, and its derivative.
func (d *Density) base(x float64) (log, slope float64) {
	log, slope = d.LogScale+d.Slope*x, d.Slope
	if d.Sigma > 0 {
		log -= x / d.Sigma * (x / d.Sigma) / 2
		slope -= x / d.Sigma / d.Sigma
	}
	return log, slope
}

// curvature returns 1/σ².
func (d *Density) curvature() float64 {
	if d.Sigma > 0 {
		return 1 / (d.Sigma * d.Sigma)
	}
	return 0
}

// unit is the round-off of float64.
const unit = 0x1p-53

// mass returns the P- and the Q-mass on [a, b].
func (d *Density) mass(a, b float64) (p, q float64) {
	p, q, _, _ = d.massBound(a, b)
	return p, q
}

// massBound returns the P- and the Q-mass on [a, b] with bounds on their round-off.
func (d *Density) massBound(a, b float64) (p, q, pErr, qErr float64) {
	a, b = math.Max(a, d.Lo), math.Min(b, d.Hi)
	if !(a < b) {
		return 0, 0, 0, 0
	}
	p, pErr = d.integral(d.Num, a, b)
	q, qErr = d.integral(d.Den, a, b)
	return p, q, pErr, qErr
}

// integral of base·s over [a, b], or the sum over a lattice, and a bound on its round-off.
func (d *Density) integral(s Sum, a, b float64) (value, err float64) {
	for _, t := range s {
		if t.Weight > 0 {
			v, e := d.term(t, a, b)
			value, err = value+v, err+e
		}
	}
	return value, err
}

// term returns the integral of one term. In closed form it is rounded in its logarithm, which is the
// sum of a few numbers. That of a normal term is a difference of two tails, each off by its
// hazard, at most |z| + 1, times what z is off by.
func (d *Density) term(t Term, a, b float64) (value, err float64) {
	rate := d.Slope + t.Rate
	log := math.Log(t.Weight) + t.Shift + d.LogScale
	size := 16 + math.Abs(math.Log(t.Weight)) + math.Abs(t.Shift) + math.Abs(d.LogScale)
	if d.Sigma == 0 {
		top, fall := math.Max(rate*a, rate*b), math.Abs(rate)*(b-a)
		scale := math.Exp(log + top)
		value = scale * (b - a) * (1 - fall/2)
		if fall > 1e-8 {
			value = scale * -math.Expm1(-fall) / math.Abs(rate)
		}
		return value, scale * math.Min(b-a, 1/math.Abs(rate)) * unit * (size + 4*math.Abs(top))
	}
	centre := rate * d.Sigma * d.Sigma
	log += rate * centre / 2
	near, far := (a-centre)/d.Sigma, (b-centre)/d.Sigma
	if near <= 0 { // from the tail in which both ends lie, if they lie in one
		near, far = -far, -near
	}
	whole := math.Exp(log) * d.Sigma * math.Sqrt(2*math.Pi)
	larger := whole * special.NormalCDF(-near)
	value = larger - whole*special.NormalCDF(-far)
	z := math.Max(0, near)
	if d.Lattice { // the place of every node is rounded, up to where nothing is left, and its weight
		value = d.latticeSum(log, centre, a, b)
		z, size = z+11, size+128
	}
	off := 4 * (z + 1) * (math.Abs(centre)/d.Sigma + z)
	return value, larger * unit * (size + 2*math.Abs(rate*centre) + off)
}

// Reach returns the x at which the loss of a density reaches a level: the loss is at most the
// level below it, to the resolution of float64; Hi if it never does.
func (d *Density) Reach(level float64) float64 {
	lo, hi := math.Max(d.Lo, -1e6*(1+d.Sigma)), math.Min(d.Hi, 1e6*(1+d.Sigma))
	if d.lossAt(lo) >= level {
		return d.snap(lo)
	}
	if d.lossAt(hi) <= level {
		return d.Hi
	}
	_, hi = special.Bisect(lo, hi, math.Ldexp(hi-lo, -80), func(x float64) bool { return d.lossAt(x) < level })
	return d.snap(hi)
}

// quantile returns an x above which a density has a P-mass of at most tail.
func (d *Density) quantile(tail float64) float64 {
	heavy := func(x float64) bool { p, _ := d.integral(d.Num, math.Max(x, d.Lo), d.Hi); return p > tail }
	lo, hi := math.Max(d.Lo, -1e3*d.Sigma), d.Hi
	if math.IsInf(hi, 1) {
		for hi = math.Max(lo, 0) + d.Sigma; heavy(hi) && hi <= 1e9*(1+d.Sigma); hi += hi - lo {
		}
	}
	_, hi = special.Bisect(lo, hi, math.Ldexp(hi-lo, -40), heavy)
	return d.snap(hi)
}

// reaches returns an interval of the coordinate that leaves out a P-mass of at most tail on
// either side.
func (d *Density) reaches(tail float64) (lo, hi float64) {
	if d.Sigma == 0 {
		return d.Lo, d.Hi
	}
	turned := Distribution{Densities: []Density{*d}}.Reverse().Densities[0]
	turned.Num, turned.Den = turned.Den, turned.Num // its P-mass is that of d
	return -turned.quantile(tail), d.quantile(tail)
}
