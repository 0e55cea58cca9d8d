package loss

import "math"

// Term is Weight·e^{Rate·x + Shift}.
type Term struct{ Weight, Rate, Shift float64 }

// Sum is a likelihood: a sum of exponentials whose weights are positive and add up to 1.
// Its logarithm is convex; the derivative of that is the mean rate under the posterior
// weights, the second derivative their variance.
type Sum []Term

// one is the likelihood of the base itself.
var one = Sum{{Weight: 1}}

// point is ln of a sum at one x with its first two derivatives. Size is the error of
// the logarithm in units of round-off: it is small where the logarithm is.
type point struct{ log, slope, variance, size float64 }

// excessAt returns what a sum near 1 exceeds 1 by at x, accurate however small the weights or the exponents, and its
// rounding error; big is then 0. Elsewhere near is false, and big is the largest exponent.
func (s Sum) excessAt(x float64) (excess, size, big float64, near bool) {
	big = math.Inf(-1)
	for _, t := range s {
		if t.Weight > 0 {
			big = math.Max(big, t.Rate*x+t.Shift)
		}
	}
	if big < 30 { // Σ w·(e^y − 1)
		for _, t := range s {
			y := t.Rate*x + t.Shift
			e := t.Weight * math.Expm1(y)
			excess += e
			size += math.Abs(e) + (t.Weight+e)*(math.Abs(t.Rate*x)+math.Abs(t.Shift))
		}
		if excess > -0.5 {
			return excess, size, 0, true
		}
	}
	return excess, size, big, false
}

// pointAt returns ln of the sum at x with its slope, curvature and rounding error.
func (s Sum) pointAt(x float64) point {
	if len(s) == 1 {
		t := s[0]
		return point{t.Rate*x + t.Shift, t.Rate, 0, math.Abs(t.Rate*x) + math.Abs(t.Shift)}
	}
	excess, size, big, near := s.excessAt(x)
	var total, first, second float64
	var few [4]float64
	parts := few[:0]
	for _, t := range s {
		e := t.Weight * math.Exp(t.Rate*x+t.Shift-big)
		parts = append(parts, e)
		total += e
		first += t.Rate * e
		second += t.Rate * t.Rate * e
	}
	mean := first / total
	p := point{slope: mean, variance: math.Max(0, second/total-mean*mean)}
	if near {
		p.log, p.size = math.Log1p(excess), size/(1+excess)
		return p
	}
	p.log = big + math.Log(total)
	p.size = 1 + math.Abs(big) + math.Abs(p.log)
	for i, t := range s {
		p.size += parts[i] / total * (math.Abs(t.Rate*x) + math.Abs(t.Shift))
	}
	return p
}

// logAt returns the logarithm of [Sum.pointAt] alone, in half of the time.
func (s Sum) logAt(x float64) float64 {
	if len(s) == 1 {
		return s[0].Rate*x + s[0].Shift
	}
	excess, _, big, near := s.excessAt(x)
	if near {
		return math.Log1p(excess)
	}
	total := 0.0
	for _, t := range s {
		total += t.Weight * math.Exp(t.Rate*x+t.Shift-big)
	}
	return big + math.Log(total)
}

// rates are the least and the largest rate of a sum.
type rates struct{ least, most float64 }

func (s Sum) extremes() rates {
	r := rates{math.Inf(1), math.Inf(-1)}
	for _, t := range s {
		if t.Weight > 0 {
			r.least, r.most = math.Min(r.least, t.Rate), math.Max(r.most, t.Rate)
		}
	}
	return r
}

// leading returns ln of the coefficient of a rate. The weights sum to 1: next to that it is known by
// what the other rates have.
func (s Sum) leading(rate float64) float64 {
	total, more := 0.0, 0.0 // and what it is above 1
	for _, t := range s {
		if t.Rate == rate {
			total += t.Weight * math.Exp(t.Shift)
			more += t.Weight * math.Expm1(t.Shift)
		} else {
			more -= t.Weight
		}
	}
	if math.Abs(more) < 0.5 {
		return math.Log1p(more)
	}
	return math.Log(total)
}

// mix returns (1−q)·s + q·t; terms with equal exponents are joined.
func mix(q float64, s, t Sum) Sum {
	var out Sum
	add := func(weight float64, from Sum) {
		for _, f := range from {
			f.Weight *= weight
			joined := false
			for i := range out {
				if out[i].Rate == f.Rate && out[i].Shift == f.Shift {
					out[i].Weight += f.Weight
					joined = true
				}
			}
			if !joined && f.Weight > 0 {
				out = append(out, f)
			}
		}
	}
	add(1-q, s)
	add(q, t)
	return out
}

// reach bounds a sum over the complex rectangle |x − c| ≤ e, |y| ≤ b:
//
//   - |s(x+iy)| ≤ s(x), as the terms are positive;
//   - |s(x+iy)| ≥ cos(wb/2)·s(x) with w the largest minus the least rate: with the middle
//     rate taken out, all terms point within an angle of wb/2 of the real axis. So
//     there are no zeros, and ln s is analytic, while wb < π;
//   - hence |(ln s)′| ≤ Σ|rate|·term / (cos(wb/2)·s) = mean|rate|/cos(wb/2) there. If all
//     rates have one sign, mean|rate| is monotone in x (its derivative is ± the
//     variance), and largest at one end of the interval;
//   - ln s is convex on the real line: largest at an end, least above its tangent;
//   - its third derivative is at most w times the variance, so the variance grows by
//     at most e^{we}, and never exceeds w²/4.
type reach struct {
	mid      point
	most     float64 // of ln s(x)
	least    float64
	left     float64 // ln s at c − e and at c + e
	right    float64
	steep    float64 // of |(ln s)′| on the rectangle
	logCos   float64 // ln cos(wb/2)
	variance float64 // of the second derivative on the real interval
	ok       bool
}

// reachOver bounds the sum over the rectangle |x − c| ≤ e, |y| ≤ b (see [reach]), given its point
// at c.
func (s Sum) reachOver(mid point, c, e, b float64) reach {
	r := reach{mid: mid, ok: true}
	if len(s) == 1 {
		t := s[0]
		r.left, r.right = mid.log-t.Rate*e, mid.log+t.Rate*e
		r.most, r.least = math.Max(r.left, r.right), math.Min(r.left, r.right)
		r.steep = math.Abs(t.Rate)
		return r
	}
	x := s.extremes()
	w := x.most - x.least
	if w*b/2 > 1.5 {
		return reach{}
	}
	left, right := s.pointAt(c-e), s.pointAt(c+e)
	r.left, r.right = left.log, right.log
	r.most = math.Max(r.left, r.right)
	r.least = mid.log - math.Abs(mid.slope)*e
	cos := math.Cos(w * b / 2)
	r.logCos = math.Log(cos)
	switch {
	case x.least >= 0:
		r.least = math.Max(r.least, r.left)
		r.steep = right.slope / cos
	case x.most <= 0:
		r.least = math.Max(r.least, r.right)
		r.steep = -left.slope / cos
	default:
		r.steep = math.Max(x.most, -x.least) / cos
	}
	r.variance = math.Min(w*w/4, mid.variance*math.Exp(w*e))
	return r
}
