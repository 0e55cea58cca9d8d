package loss

// The error of a panel of a rule, proven on a rectangle of the complex plane.

import "math"

// gaussRule is a rule on [−1, 1] for some masses; its weights add up to 2.
type gaussRule struct {
	masses         float64
	nodes, weights []float64
	rounding       float64 // of a weight, in units of 2^{−53} of itself
}

// legendre is the Gauss–Legendre rule of 32 points, the rule of a panel of a density.
var legendre = func() *gaussRule {
	out := gaussRule{masses: math.Inf(1), rounding: 1}
	for _, half := range [][2]float64{ // the positive nodes and their weights, computed with 60 digits
		{0.99726386184948156354, 0.007018610009470096600},
		{0.98561151154526833540, 0.016274394730905670605},
		{0.96476225558750643077, 0.025392065309262059455},
		{0.93490607593773968917, 0.034273862913021433102},
		{0.89632115576605212396, 0.042835898022226680656},
		{0.84936761373256997013, 0.050998059262376176196},
		{0.79448379596794240696, 0.058684093478535547145},
		{0.73218211874028968038, 0.065822222776361846837},
		{0.66304426693021520097, 0.072345794108848506225},
		{0.58771575724076232904, 0.078193895787070306471},
		{0.50689990893222939002, 0.083311924226946755222},
		{0.42135127613063534536, 0.087652093004403811142},
		{0.33186860228212764977, 0.091173878695763884712},
		{0.23928736225213707454, 0.093844399080804565639},
		{0.14447196158279649348, 0.095638720079274859419},
		{0.04830766568773831623, 0.096540088514727800566},
	} {
		out.nodes, out.weights = append(out.nodes, half[0], -half[0]), append(out.weights, half[1], half[1])
	}
	return &out
}()

// latticePoints is the number of points of the rule of a panel of a lattice. More would need panels of many hundred
// integers: only for those are their places near Legendre's, from which they are found.
const latticePoints = 16

// gauss returns the Gauss rule of n > 16 even masses at equal distances, for a panel of a lattice. Its orthonormal
// polynomials are those of Gram, b_{k+1}p_{k+1} = t·p_k − b_k·p_{k−1} with b_k² = k²(1 − k²/n²)/(4k² − 1), which
// become Legendre's for large n; its nodes are the zeros of p₁₆, its weights 2/Σ_{k<16} p_k². Near the ends of [−1, 1]
// the recurrence loses up to a hundred units in the last place.
func gauss(n float64) *gaussRule {
	var b [latticePoints + 1]float64
	for k := 1.0; k <= latticePoints; k++ {
		b[int(k)] = k * math.Sqrt((1-k/n*(k/n))/(4*k*k-1))
	}
	out := gaussRule{n, make([]float64, latticePoints), make([]float64, latticePoints), 200}
	for i := range latticePoints {
		t, size := math.Cos(math.Pi*(float64(i)+0.75)/(latticePoints+0.5)), 0.0
		for range 12 {
			before, p, slopeBefore, slope := 0.0, 1.0, 0.0, 0.0
			size = 0
			for k := range latticePoints {
				size += p * p
				before, p, slopeBefore, slope = p, (t*p-b[k]*before)/b[k+1], slope, (p+t*slope-b[k]*slopeBefore)/b[k+1]
			}
			step := p / slope
			t -= step
			if math.Abs(step) < 2e-16 { // the weight is that of t to a few units
				break
			}
		}
		out.nodes[i], out.weights[i] = t, 2/size
	}
	return &out
}

// ellipses are the parameters ρ that are tried.
var ellipses = [...]float64{1.4, 1.9, 2.6, 3.6, 5, 7, 10, 15, 24}

// panelErrors bounds the error of the n-point rule for ∫ P·S over [c−r, c+r] at every
// tilt, relative to its scale, and returns the worst in units of the tolerances.
//
// If f is analytic and at most m in modulus inside the Bernstein ellipse with foci ±1 and
// parameter ρ, its Chebyshev coefficients are at most 2mρ^{−k}; the n-point rule is exact up
// to k = 2n−1 and for all odd k, and for an even k ≥ 2n it misses the integral of T_k by at
// most 2 + 2/(k²−1) ≤ 32/15. So its error is at most (64/15)·m·ρ^{−2n}/(1−ρ^{−2}) (Trefethen,
// Approximation Theory and Approximation Practice, theorem 19.3), times r here. The
// ellipse lies in the rectangle of half-sides r(ρ±1/ρ)/2, where [Density.sup] bounds f.
//
// On a lattice the rule of 2r points has weights that add up to 2r, its nodes lie between
// the first and the last point, and it misses the sum of T_k by at most 4r: the error is at
// most 8·r·m·ρ^{−2n}/(1−ρ^{−2}). A short panel is the sum itself.
func (d *Density) panelErrors(c, r float64, tilts []Tilt, errs []float64) (worst float64) {
	if d.Lattice && 2*r <= maxDirectPoints {
		clear(errs)
		return 0
	}
	miss, points := 64.0/15, len(legendre.nodes)
	if d.Lattice {
		miss, points = 8, latticePoints
	}
	for j := range errs {
		errs[j] = math.Inf(1)
	}
	mid := middle{d, c, d.Num.pointAt(c), d.Den.pointAt(c)}
	for _, rho := range ellipses {
		s, ok := mid.boundRectangle(r*(rho+1/rho)/2, r*(rho-1/rho)/2)
		if !ok {
			break
		}
		factor := r * miss / (1 - 1/(rho*rho)) * math.Pow(rho, float64(-2*points))
		better := false
		for j, t := range tilts {
			if err := factor * s.sup(t); err < errs[j] {
				errs[j], better = err, true
			}
		}
		if !better { // larger ones are worse
			break
		}
	}
	for j, t := range tilts {
		worst = math.Max(worst, errs[j]/t.Tolerance)
	}
	return worst
}

// negligible reports whether ∫|P·S| over [c−r, c+r] is small at every tilt; errs are
// bounds of it.
func (d *Density) negligible(c, r float64, tilts []Tilt, errs []float64, limit float64) bool {
	mid := middle{d, c, d.Num.pointAt(c), d.Den.pointAt(c)}
	s, ok := mid.boundRectangle(r, 0)
	if !ok {
		return false
	}
	for j, t := range tilts {
		if errs[j] = 2 * r * s.sup(t); !(errs[j] <= limit*t.Tolerance) {
			return false
		}
	}
	return true
}

// middle is the centre of a rectangle.
type middle struct {
	d        *Density
	c        float64
	num, den point
}

// rectangle is |x − c| ≤ e, |y| ≤ b in the complex plane of the coordinate.
type rectangle struct {
	middle
	e, b     float64
	num, den reach
	loss     float64 // of |L|
	steep    float64 // of |L′|
}

func (m middle) boundRectangle(e, b float64) (rectangle, bool) {
	s := rectangle{middle: m, e: e, b: b, num: m.d.Num.reachOver(m.num, m.c, e, b),
		den: m.d.Den.reachOver(m.den, m.c, e, b)}
	if !s.num.ok || !s.den.ok {
		return s, false
	}
	s.steep = s.num.steep + s.den.steep
	// L increases on the real interval, and moves by at most b·sup|L′| off it.
	s.loss = math.Max(math.Abs(s.num.left-s.den.left), math.Abs(s.num.right-s.den.right)) + b*s.steep
	return s, true
}

// sup bounds |P·S(ζ, L)| on the rectangle for every ζ of a tilt, relative to its scale.
//
// Plainly |S| ≤ |e^{ζL}| + 1 + |ζ|(|e^{−L}| + 1); and as |e^u − 1 − u| ≤ ½|u|²·max(1, |e^u|) and
// S = (e^{ζL} − 1 − ζL) + ζ(e^{−L} − 1 + L), also
// |S| ≤ ½|L|²(|ζ|²·max(1, |e^{ζL}|) + |ζ|·max(1, |e^{−L}|)).
func (s rectangle) sup(l Tilt) float64 {
	z := l.Theta + l.Bandwidth
	tilted := math.Exp(s.logSup(s.num, s.den, l.Theta) + l.Bandwidth*s.b*s.steep - l.LogScale)
	p := math.Exp(s.logSup(s.num, s.den, 0) - l.LogScale)
	q := math.Exp(s.logSup(s.den, s.num, 0) - l.LogScale)
	plain := tilted + p + z*(p+q)
	return math.Min(plain, 0.5*s.loss*s.loss*z*(z*(p+tilted)+p+q))
}

// logSup bounds ln|base·num^{1+t}·den^{−t}| on the rectangle, t ≥ 0. Off the real line the base
// grows by y²/2σ², num does not grow, den falls by cos at most. On it there are two
// bounds: the product of the factors' largest values; and the expansion around the
// centre, where base is a parabola, −ln den lies below its tangent and ln num has a second
// derivative of at most the bounded variance.
func (s rectangle) logSup(num, den reach, t float64) float64 {
	base, slope := s.d.base(s.c)
	curve := s.d.curvature()
	gradient := slope + (1+t)*num.mid.slope - t*den.mid.slope
	around := base + (1+t)*num.mid.log - t*den.mid.log + parabola(gradient, (1+t)*num.variance-curve, s.e)
	factors := base + parabola(slope, -curve, s.e) + (1+t)*num.most - t*den.least
	return math.Min(around, factors) + s.b*s.b*curve/2 - t*den.logCos
}

// parabola returns the largest value of slope·x + bend·x²/2 on |x| ≤ e.
func parabola(slope, bend, e float64) float64 {
	slope = math.Abs(slope)
	if bend < 0 && slope < -bend*e {
		return slope * slope / (-2 * bend)
	}
	return slope*e + bend*e*e/2
}
