package pairs

import (
	"math"

	"epsiloscope/accounting/special"
)

// The Rényi divergence of the clones, over the full support: a pair whose masses end at 1e-36 says
// nothing about large Rényi orders.
//
// Given c clones let U be the mean of m = c+1 fair signs, and t = tanh(ε₀/2). The two distributions of the
// count have densities 1+t·U and 1−t·U against that of U, so with x = t·U the loss is ℓ = 2·atanh x
// and E_P[e^{(α−1)ℓ}] = E[g(U)], ln g = (α−1)·ℓ + ln(1+x) = (2α−1)·atanh x + ½·ln(1−x²).
//
// Up to some x*, atanh x ≤ x + κx² with κ = (atanh x* − x*)/x*², as (atanh x − x)/x² rises; so
// g ≤ exp(aU + bU²), a = (2α−1)t, b = ((2α−1)κ − ½)t² or 0. A mean of signs is sub-Gaussian: with
// e^{bU²} = E[e^{√(2b)·Z·U}], Z normal, E[exp(aU + bU²)] ≤ (1−2b/m)^{−½}·exp(a²/(2m(1−2b/m))).
// Beyond x* the Chernoff bound P(U ≥ u) ≤ (1 − r + r·e^{−k(u)})^{n−1}·e^{−k(u)} over all numbers of
// clones, k(u) = ½((1+u)ln(1+u) + (1−u)ln(1−u)), bounds E[g(U); U > u*] by a sum over cells.

// cloneMoments bounds the Rényi curve of cloneCurve. As E[g(U)] falls in c, a bucket of numbers of
// clones counts as its least.
type cloneMoments struct {
	epsilon, weight float64
	tanh            float64 // t, rounded up: a larger ε₀ tells more
	others, rate    float64
	members         []float64 // m of each bucket
	logMass         []float64 // at least that of the bucket
	cuts            []momentCut
}

// momentCut is a loss at which the moment is cut in two: up to x* = tanh(loss/2), and beyond.
type momentCut struct {
	loss, kappa float64
	rise        float64 // ln(1+x*)
	tail        float64 // bounds ln P(t·U ≥ x*)
	cells       []momentCell
}

// momentCell holds the losses beyond a cut up to one more.
type momentCell struct {
	to   float64
	rise float64 // ln(1+tanh(to/2))
	tail float64 // bounds the logarithm of the probability of a loss beyond the cell's start
}

const (
	momentBuckets = 96
	momentCells   = 400
)

func newCloneMoments(n, epsilon, rate, weight float64) cloneMoments {
	rate *= 1 - 16*roundoff
	c := cloneMoments{epsilon: epsilon, weight: weight, tanh: math.Min(1, math.Tanh(epsilon/2)*(1+8*roundoff)),
		others: n - 1, rate: rate}
	b := listBinomial(n-1, rate)
	b.mass[len(b.mass)-1] += b.above
	width := max(1, len(b.mass)/momentBuckets)
	for i := 0; i < len(b.mass); i += width {
		mass := 0.0
		for _, m := range b.mass[i:min(i+width, len(b.mass))] {
			mass += m
		}
		c.add(b.first+float64(i), math.Log(mass*(1+b.err)+1e-280))
	}
	for below := b.first; below > 0; { // fewer clones: P(C < below) by Chernoff's bound
		log := -c.others * binaryDivergence((below-1)/c.others, rate)
		below = math.Floor(below * 0.8)
		c.add(below, log*(1-1e-12)+1e-12)
	}
	scale := c.tanh / math.Sqrt(c.others*c.rate+1)
	for far, loss := 2.0, 0.0; loss < epsilon; far *= 1.5 {
		loss = math.Min(epsilon, 2*math.Atanh(math.Min(1, far*scale)))
		c.cuts = append(c.cuts, c.cutAt(loss))
	}
	return c
}

// cutAt prepares what does not depend on the order.
func (c *cloneMoments) cutAt(loss float64) momentCut {
	x := math.Tanh(loss / 2)
	cut := momentCut{loss: loss, kappa: math.Max(0, loss/2-x)/(x*x) + 1e-15, rise: math.Log1p(x), tail: c.logTail(x)}
	if loss >= c.epsilon {
		return cut
	}
	step, tail := (c.epsilon-loss)/momentCells, cut.tail
	for i := range momentCells {
		to := loss + float64(i+1)*step
		x := math.Tanh(to / 2)
		cut.cells = append(cut.cells, momentCell{to, math.Log1p(x), tail})
		tail = c.logTail(x)
	}
	return cut
}

func (c *cloneMoments) add(clones, logMass float64) {
	c.members, c.logMass = append(c.members, clones+1), append(c.logMass, logMass)
}

// binaryDivergence returns the Kullback–Leibler divergence of coins with probabilities x and q.
func binaryDivergence(x, q float64) float64 {
	sum := (1 - x) * (math.Log1p(-x) - math.Log1p(-q))
	if x > 0 {
		sum += x * math.Log(x/q)
	}
	return math.Max(0, sum-1e-14) // at most what it is
}

// renyi returns an upper bound on the divergence of Rényi order α > 1.
func (c cloneMoments) renyi(alpha float64) float64 {
	least := (alpha - 1) * c.epsilon
	for _, cut := range c.cuts {
		upTo := c.logUpTo(alpha, cut)
		if upTo >= least {
			break // it grows from cut to cut
		}
		least = math.Min(least, c.addBeyond(upTo, least, alpha, cut))
	}
	least += 1e-12 * (1 + alpha*c.epsilon) // roundings of a few numbers of that size
	if c.weight < 1 {
		least = special.LogAdd(math.Log1p(-c.weight), math.Log(c.weight)+least) + 4*ulp
	}
	return math.Max(0, least) / (alpha - 1)
}

// logUpTo bounds ln E[e^{(α−1)ℓ}] over the losses up to a cut.
func (c cloneMoments) logUpTo(alpha float64, cut momentCut) float64 {
	a := (2*alpha - 1) * c.tanh
	b := math.Max(0, ((2*alpha-1)*cut.kappa-0.5)*c.tanh*c.tanh)
	most := (alpha-1)*cut.loss + cut.rise
	sum := math.Inf(-1)
	for i, m := range c.members {
		part := most
		if rest := 1 - 2*b/m; rest > 0 {
			part = math.Min(part, a*a/(2*m*rest)-math.Log(rest)/2)
		}
		sum = special.LogAdd(sum, c.logMass[i]+part)
	}
	return sum
}

// addBeyond returns the logarithm of e^upTo and a bound on E[e^{(α−1)ℓ}] over the losses beyond a cut; +Inf if
// that is not below least. Cells of less than e^{−45} of the sum are charged together: there are few.
func (c cloneMoments) addBeyond(upTo, least, alpha float64, cut momentCut) float64 {
	if cut.loss >= c.epsilon {
		return upTo
	}
	sum := special.LogAdd(upTo, (alpha-1)*cut.loss+cut.rise+cut.tail) // g(x*)·P(beyond), and the growth of g from there
	for _, cell := range cut.cells {
		if part := (alpha-1)*cell.to + cell.rise + cell.tail; part > sum-45 {
			sum = special.LogAdd(sum, part)
		}
		switch {
		case sum >= least:
			return math.Inf(1)
		case (alpha-1)*c.epsilon+math.Ln2+cell.tail < sum-45: // no later cell has more
			return sum + 1e-15
		}
	}
	return sum + 1e-15
}

// logTail bounds ln P(t·U ≥ x).
func (c cloneMoments) logTail(x float64) float64 {
	u := math.Min(1, x/c.tanh)
	var k float64 // from below
	switch {
	case u < 0.1:
		k = u * u * (0.5 + u*u*(1.0/12+u*u/30))
	case u < 1:
		k = ((1+u)*math.Log1p(u) + (1-u)*math.Log1p(-u)) / 2
	default:
		k = math.Ln2
	}
	k *= 1 - 1e-13
	return (c.others*math.Log1p(c.rate*math.Expm1(-k)) - k) * (1 - 1e-13)
}

// ShuffleRenyi returns a function that bounds the Rényi divergence of a round of n reports, as in
// [Shuffle], for orders α > 1.
func ShuffleRenyi(r Reports, n float64) func(alpha float64) float64 {
	n = math.Floor(math.Min(n, maxPeople))
	if !(r.Epsilon > 0) || !(n > 1) || r.Epsilon > 100 {
		return func(alpha float64) float64 { return math.Max(0, r.Epsilon) }
	}
	var curves []cloneMoments
	r.eachBound(func(rate, weight float64) { curves = append(curves, newCloneMoments(n, r.Epsilon, rate, weight)) })
	return func(alpha float64) float64 {
		least := r.Epsilon
		for _, c := range curves {
			least = math.Min(least, c.renyi(alpha))
		}
		return least
	}
}
