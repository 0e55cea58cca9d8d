package pairs

import (
	"math"
	"slices"
)

// Binary reports show nothing but how many ones there are. If all inputs of the others can be
// tried, the worst of them is the upper end; that of all others alike is an attack for any number
// of people.

// worstOfAllInputs returns upper bounds at the losses of a mesh, from 0 up, on the curves of n
// binary reports, the largest over all inputs of the others and both orders of hers.
//
// With n₁ ones among the others let f be the distribution of the number of ones they report: P = s·f(y−1) +
// (1−s)·f(y) if she holds 0, Q = (1−s)·f(y−1) + s·f(y) if she holds 1, s = 1/(e^ε₀+1). f is
// log-concave, so P/Q falls in y and an event {y ≤ k} is best. The other order, and n₁ ones for
// n₁ zeros, are the same mirrored.
//
// f is a convolution of two binomial distributions, all of whose terms are positive, so its masses keep
// their digits.
func worstOfAllInputs(epsilon float64, n int, mesh []float64) []float64 {
	s := 1 / (1 + math.Exp(epsilon))
	worst, events := make([]float64, len(mesh)), countEvents(epsilon, mesh)
	for ones := 0; 2*ones <= n; ones++ { // the rest is mirrored
		zeros := listBinomial(float64(n-1-ones), s)
		others := listBinomial(float64(ones), s) // of the ones, those who report 0
		slices.Reverse(others.mass)
		f := make([]float64, len(zeros.mass)+len(others.mass)-1)
		for i, a := range zeros.mass {
			for j, b := range others.mass {
				f[i+j] += a * b
			}
		}
		// A mass is a sum of products, and a total a sum of masses; besides, s has two roundings,
		// and a mass is a polynomial of degree n in s and 1−s.
		err := zeros.err + others.err + recurrenceError(8, n)
		raiseToLargestEvent(f, err, events, worst)
		slices.Reverse(f)
		raiseToLargestEvent(f, err, events, worst)
	}
	for i := range worst { // what lies beyond the lists, and what is too small for a number
		worst[i] += 4*beyondWindow + 1e-280
	}
	return worst
}

// countEvent holds what P − a·Q of an event {y ≤ k} needs of a = e^x.
type countEvent struct{ gain, lost, rise float64 } // 1−s − a·s, a·(1−s) − s and a−1

// countEvents returns those of a mesh that rises, up to ε₀.
func countEvents(epsilon float64, mesh []float64) (list []countEvent) {
	scale := 1 + math.Exp(-epsilon)
	for _, x := range mesh {
		if x >= epsilon {
			break
		}
		list = append(list, countEvent{-math.Expm1(x-epsilon) / scale,
			-math.Expm1(-x-epsilon) * math.Exp(x) / scale, math.Expm1(x)})
	}
	return list
}

// raiseToLargestEvent raises values to P − a·Q of the best event {y ≤ k}, at every a of a list that
// rises. It is (1−s)(1−a·e^{−ε₀})·f(k) − (a−1)·f(below k).
//
// The event ends where the ratio P/Q falls to a, that is f(k)/f(k−1) to a constant. By Newton's
// inequalities f(k)/f(k−1) falls by a factor of at least (1+1/n)² per step, which is far more than
// its rounding: at most one k is misjudged, and the largest value of three events is taken.
func raiseToLargestEvent(f []float64, err float64, events []countEvent, worst []float64) {
	total := make([]float64, len(f)+1) // of f below y
	for y, m := range f {
		total[y+1] = total[y] + m
	}
	k := len(f) - 1
	for i, e := range events {
		for k > 0 && e.gain*f[k] <= e.lost*f[k-1] {
			k--
		}
		for y := max(0, k-1); y <= min(k+1, len(f)-1); y++ {
			worst[i] = math.Max(worst[i], e.gain*f[y]*(1+err)-e.rise*total[y]*(1-err))
		}
	}
}

// attackCells is into how many cells per deviation the attacker puts the count.
const attackCells = 40

// attackRates returns the probabilities with which the report of a person with x₁, and of one with x₀, is one that the
// attacker counts: one that speaks for x₁ against x₀. If the ratios of densities are e^ε₀, 1 and e^{−ε₀}, and w is the
// probability of one that is not 1, these are w·e^ε₀/(1+e^ε₀) and w/(1+e^ε₀). Reports that speak for both alike are
// noise to the attacker.
func (r Reports) attackRates() (own, other float64) {
	far := math.Exp(-r.Epsilon)
	// else the weight is not that of these reports
	if own = r.Weight / (1 + far); r.Weight > 0 && own <= r.Own*(1+8*roundoff) {
		return own, own * far
	}
	return r.Own, r.Other
}

// countAttack returns an optimistic estimate: the others all hold x₀, and the attacker counts the
// reports that speak for x₁, in cells; she holds x₀ against x₁ or, with reversed, x₁ against x₀.
func countAttack(key string, n, own, other float64, reversed bool) *Estimate {
	b := listBinomial(n-1, other)
	masses := b.mass
	width := max(1, int(math.Sqrt(n*other*(1-other))/attackCells))
	// own and other have a few roundings themselves, which move a mass by as many per place from the
	// mean, and a cell is a sum. In 1−own, which may be as small as e^{−ε₀}, they are many: there the
	// mass under Q is raised and that under P lowered by as much.
	const rounded = 8 * roundoff
	err := b.err + recurrenceError(8, len(masses)+width)
	at := func(y int) float64 {
		if y < 0 || y >= len(masses) {
			return 0
		}
		return masses[y]
	}
	inP, inQ := other, own
	if reversed {
		inP, inQ = own, other
	}
	var list []atom
	for y := 0; y <= len(masses); {
		p, q := 0.0, 0.0
		for end := y + width; y < end && y <= len(masses); y++ {
			p += inP*at(y-1) + math.Max(0, 1-inP-rounded)*at(y)
			q += inQ*at(y-1) + (1-inQ+rounded)*at(y)
		}
		if p > 1e-280 && q > 1e-280 {
			loss := math.Log(p/q) - 3*err // so that q is not below what it is, and p is lowered below
			list = append(list, atom{loss, p, p * math.Exp(-loss)})
		}
	}
	return estimate(key, list, 0, -err)
}
