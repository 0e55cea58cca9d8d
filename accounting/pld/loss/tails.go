package loss

import (
	"math"

	"epsiloscope/accounting/special"
)

// domain returns the part of the coordinate that gets nodes. What lies beyond is charged.
func (d *Density) domain(out *Rule, tilts []Tilt, share float64) (lo, hi float64) {
	lo, hi = d.Lo, d.Hi
	if d.Sigma == 0 {
		return lo, hi
	}
	find := func(side float64, from, end float64) float64 {
		x := d.snap(from)
		for step := d.Sigma; ; step *= 1.3 {
			if side*(end-x) <= 0 {
				return end
			}
			worst := 0.0
			for _, t := range tilts {
				worst = math.Max(worst, d.tailBound(side, x, t)/t.Tolerance)
			}
			if worst <= share/8 {
				break
			}
			x = d.snap(x + side*step)
			if step > 1e9*d.Sigma { // charged, however much it is
				break
			}
		}
		for j, t := range tilts {
			out.Err[j] += d.tailBound(side, x, t)
		}
		return x
	}
	middle := math.Max(d.Lo, math.Min(d.Hi, 0))
	return find(-1, middle, d.Lo), find(1, middle, d.Hi)
}

// tailBound bounds ∫|P·S| over x > X (side 1) or x < X (side −1), relative to the scale of a
// tilt: |S| ≤ |e^{ζL}| + 1 + |ζ|(e^{−L} + 1).
func (d *Density) tailBound(side, x float64, t Tilt) float64 {
	z := t.Theta + t.Bandwidth
	p := d.tail(side, x, d.Num, d.Den, 0, t.LogScale)
	return d.tail(side, x, d.Num, d.Den, t.Theta, t.LogScale) + (1+z)*p + z*d.tail(side, x, d.Den, d.Num, 0, t.LogScale)
}

// tail bounds ∫ base·num^{1+t}·den^{−t} beyond X. Beyond X, ln num lies below its value at X
// plus the steepest rate times the distance, and −ln den, which is concave, below its
// tangent; so the integrand is at most its value at X times e^{g|x−X| − (x²−X²)/2σ²}, and the
// integral of that is σ·R(|X|/σ·sign − gσ) with Mills' ratio R = Φ(−·)/φ. A sum over a lattice
// of what has one maximum is at most the integral plus the maximum, which is at most
// (a₊ + 1)/σ times the integral with a the argument of R: for a ≥ 0 the maximum is 1 and
// R(a) ≥ 1/(a+1), for a < 0 it is e^{a²/2} and R(a) ≥ 1.25·e^{a²/2}.
func (d *Density) tail(side, x float64, num, den Sum, t, logScale float64) float64 {
	r := num.extremes()
	n, m := num.pointAt(x), den.pointAt(x)
	base, _ := d.base(x)
	g := (1+t)*r.most - t*m.slope + d.Slope
	if side < 0 {
		g = -(1+t)*r.least + t*m.slope - d.Slope
	}
	arg := side*x/d.Sigma - g*d.Sigma
	mills := special.LogNormalCDF(-arg) + arg*arg/2 + 0.5*math.Log(2*math.Pi)
	bound := math.Exp(base+(1+t)*n.log-t*m.log+math.Log(d.Sigma)+mills-logScale) * (1 + 1e-9)
	if d.Lattice {
		bound *= 1 + (math.Max(0, arg)+1)/d.Sigma
	}
	return bound
}
