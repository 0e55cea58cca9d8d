// Package loss describes the privacy loss L = ln dP/dQ of one ordered pair (P, Q) in a
// form from which its moment generating function M(z) = E_P[e^{zL}] can be computed with a
// proven error: point masses, and densities whose likelihoods are sums of exponentials.
//
// A [Distribution] comes from a constructor ([Laplace], [SampledGaussian], …) or from
// another one by [Sampled], [Mixed] or [Distribution.Between]. [Distribution.Truncate]
// moves its far end to +∞; [Distribution.Rule] replaces it by finitely many nodes;
// [Distribution.Spread] says how smooth it is.
package loss

import "math"

// Atom is a point mass: a loss and ln of its P-mass. Its Q-mass is e^{−Loss} times that.
type Atom struct{ Loss, LogP float64 }

// Distribution is the loss of one ordered pair: what is finite, and how much is not.
type Distribution struct {
	Atoms     []Atom
	Densities []Density

	// Top is the P-mass at +∞ and Bottom the Q-mass that the finite part lacks, at −∞ or
	// beyond a truncation. The finite part has P-mass 1 − Top and Q-mass 1 − Bottom.
	Top, Bottom float64
	// Feared is the part of Top that need not be there: it counts in upper ends only.
	Feared float64
	// Rounded is what the logarithms of the atoms' masses may be off by besides their own
	// rounding, in units of round-off.
	Rounded float64
	// Slack is by how much those two identities may be off: 0 where the masses are known
	// in closed form, the round-off of the sums for a list that was computed.
	Slack float64
}

// Density is a part of a loss given in a coordinate x: P has the density
// base(x)·Num(x) and Q the density base(x)·Den(x) on [Lo, Hi], with
//
//	base(x) = e^{LogScale + Slope·x − x²/(2σ²)}
//
// and no quadratic term if Sigma is 0; or, on a lattice, these masses at the integers between
// Lo and Hi, which are halves of odd numbers or infinite. Every rate of Num is at least every rate of Den,
// so the loss ln Num − ln Den increases with x.
type Density struct {
	LogScale, Slope, Sigma float64
	Lo, Hi                 float64
	Lattice                bool
	Num, Den               Sum
}

// at is the loss at x.
func (d *Density) at(x float64) float64 { return d.Num.at(x).log - d.Den.at(x).log }

// base is ln of the base density, and its derivative.
func (d *Density) base(x float64) (log, slope float64) {
	log, slope = d.LogScale+d.Slope*x, d.Slope
	if d.Sigma > 0 {
		log -= x / d.Sigma * (x / d.Sigma) / 2
		slope -= x / d.Sigma / d.Sigma
	}
	return log, slope
}

// curvature is 1/σ².
func (d *Density) curvature() float64 {
	if d.Sigma > 0 {
		return 1 / (d.Sigma * d.Sigma)
	}
	return 0
}

// mass is the P- and the Q-mass on [a, b].
func (d *Density) mass(a, b float64) (p, q float64) {
	a, b = math.Max(a, d.Lo), math.Min(b, d.Hi)
	if !(a < b) {
		return 0, 0
	}
	return d.integral(d.Num, a, b), d.integral(d.Den, a, b)
}

// integral of base·s over [a, b], term by term in closed form; or the sum over a lattice.
func (d *Density) integral(s Sum, a, b float64) float64 {
	total := 0.0
	for _, t := range s {
		if t.Weight == 0 {
			continue
		}
		if d.Lattice {
			total += d.added(t, a, b)
			continue
		}
		rate := d.Slope + t.Rate
		log := math.Log(t.Weight) + t.Shift + d.LogScale
		if d.Sigma > 0 {
			centre := rate * d.Sigma * d.Sigma
			log += rate*rate*d.Sigma*d.Sigma/2 + math.Log(d.Sigma*math.Sqrt(2*math.Pi))
			total += math.Exp(log) * normalBetween((a-centre)/d.Sigma, (b-centre)/d.Sigma)
			continue
		}
		top := math.Max(rate*a, rate*b)
		if size := math.Abs(rate) * (b - a); size > 1e-8 {
			total += math.Exp(log+top) * -math.Expm1(-size) / math.Abs(rate)
		} else {
			total += math.Exp(log+top) * (b - a) * (1 - size/2)
		}
	}
	return total
}

// normalBetween is Φ(b) − Φ(a), from the tail in which both lie if they lie in one.
func normalBetween(a, b float64) float64 {
	tail := func(x float64) float64 { return 0.5 * math.Erfc(x/math.Sqrt2) }
	if a > 0 {
		return tail(a) - tail(b)
	}
	return tail(-b) - tail(-a)
}

// Largest is the largest finite loss, +Inf if there is none.
func (d *Distribution) Largest() float64 {
	most := math.Inf(-1)
	for _, a := range d.Atoms {
		most = math.Max(most, a.Loss)
	}
	for i := range d.Densities {
		p := &d.Densities[i]
		if math.IsInf(p.Hi, 1) {
			num, den := p.Num.extremes(), p.Den.extremes()
			if num.most > den.most {
				return math.Inf(1)
			}
			// Both are led by the same rate: the loss tends to the ratio of what has it.
			most = math.Max(most, p.Num.leading(num.most)-p.Den.leading(num.most))
			continue
		}
		most = math.Max(most, p.at(p.Hi))
	}
	return most
}
