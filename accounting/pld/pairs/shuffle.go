package pairs

import (
	"math"
	"slices"
)

// Reports describes the local randomizer whose reports are shuffled: ε₀-DP under replace, the same
// for all people, with coins drawn anew for every report.
type Reports struct {
	Epsilon float64 // ε₀ > 0
	// Weight is the probability w with which a report tells any two values apart, if all ratios of
	// its densities are e^ε₀, 1 or e^{−ε₀}: 1 for binary randomized response, less for a frequency
	// oracle. 0 says that only ε₀ is known.
	Weight float64
	// Own and Other are the probabilities that a report supports the value of its person, and a
	// given other value: what the attack behind the lower end counts. 0 and 0 if not known.
	Own, Other float64
}

const (
	// maxPeople is the largest number of reports that is computed with; for more people, which cost less, it is used
	// instead.
	maxPeople = 1e9
	// maxEnumerated is the largest number of people for which every number of ones among the others is tried.
	maxEnumerated = 1024
	// maxComparedPeople is the largest number of people for which the bound over all inputs of maxEnumerated of
	// them is compared with the bound by clones, which is smaller from about twice maxEnumerated people on.
	maxComparedPeople = 4 * maxEnumerated
)

// Shuffle returns the pair of one round in which n people each send one report to a shuffler that
// releases all of them in random order; one of the n changes her value, and n is public.
//
// The upper end is the pair of Feldman, McMillan and Talwar (2021): the number C of reports that
// may be hers is binomial, n−1 trials of probability e^{−ε₀}, or 2/(e^ε₀+1) for binary randomized
// response, and of these she hides among a fair coin's share. For a frequency oracle of weight w
// it is also at most w times that curve with probability 2w/(e^ε₀+1): where R(x₀) and R(x₁)
// differ, R(x) ≥ (R(x₀)+R(x₁))/(e^ε₀+1) for every x. For binary reports of few people it is the
// maximum over all inputs of the others; for some more it is at most that of maxEnumerated of them,
// as the reports of the rest are added independently of hers. All of them hold at every ε ≥ 0, and
// mirrored below: the greatest convex function below them is the curve of a pair.
//
// The lower end is an attack: the others all hold one value, and the attacker counts the reports
// that speak for another against it.
func Shuffle(r Reports, n float64) Pair {
	n = math.Floor(math.Min(n, maxPeople))
	switch {
	case !(r.Epsilon > 0):
		return identicalPair()
	case !(n > 1) || r.Epsilon > 100:
		return Pure(r.Epsilon) // with so large an ε₀ no clone ever appears
	}
	key := "shuffle(" + number(r.Epsilon) + "," + number(r.Weight) + "," + number(r.Own) + "," +
		number(r.Other) + "," + number(n) + ")"
	return slowPairs.get(key, func() Pair {
		upper := shuffleUpper(key, r, n)
		lower := identicalPair().Remove.lower
		if r.Own > r.Other && r.Other > 0 {
			own, other := r.attackRates()
			lower = countAttack(key+"-", n, own, other, false)
		}
		return SymmetricPair(&Loss{key, upper, lower, shuffleNote})
	})
}

// ReverseShuffle returns the pair of [Shuffle] with the same attack from below on the reversed change: the person comes
// to hold what no other holds, instead of giving it up. It reaches a larger ε if a report seldom tells two values
// apart. It is false if there is no attack.
func ReverseShuffle(r Reports, n float64) (p Pair, known bool) {
	p = Shuffle(r, n)
	if n = math.Floor(math.Min(n, maxPeople)); p.Remove.note != shuffleNote || !(r.Own > r.Other && r.Other > 0) {
		return p, false
	}
	key := p.Remove.key + "/reversed"
	return slowPairs.get(key, func() Pair {
		own, other := r.attackRates()
		return SymmetricPair(&Loss{key, p.Remove.upper, countAttack(key+"-", n, own, other, true), shuffleNote})
	}), true
}

const shuffleNote = "the upper end bounds what shuffling hides, whatever the others hold; the lower end is an attack on the number of reports, with all others alike, so the interval is not tight"

// shuffleUpper returns the pessimistic estimate: the bounds on a mesh of losses, joined.
func shuffleUpper(key string, r Reports, n float64) *Estimate {
	e := r.Epsilon
	var curves []cloneCurve
	r.eachBound(func(rate, weight float64) { curves = append(curves, newCloneCurve(n, e, rate, weight)) })
	deviation := math.Inf(1)
	for _, c := range curves {
		deviation = math.Min(deviation, c.deviation())
	}
	mesh := shuffleMesh(e, deviation)
	value := make([]float64, len(mesh))
	for i, x := range mesh {
		value[i] = 1
		for _, c := range curves {
			value[i] = math.Min(value[i], c.boundAt(x))
		}
	}
	if r.Weight == 1 && n <= maxComparedPeople && e > 1e-3 {
		for i, v := range worstOfAllInputs(e, int(math.Min(n, maxEnumerated)), mesh) {
			value[i] = math.Min(value[i], v)
		}
	}
	last := len(mesh) - 1
	value[last] = 0 // no loss is above ε₀
	for i := last - 1; i >= 0; i-- {
		value[i] = math.Max(value[i], value[i+1])
	}
	return symmetricDots(key, mesh, value, 4*ulp) // mirrored values are rounded once more
}

// eachBound calls do with the rate of clones and the weight of every bound that may be the least for r.
// With no fewer clones and a weight of at most 1 the first is nowhere above the second.
func (r Reports) eachBound(do func(rate, weight float64)) {
	far := math.Exp(-r.Epsilon)
	if r.Weight > 0 {
		do(2*r.Weight*far/(1+far), r.Weight)
	}
	if 2*r.Weight < 1+far {
		do(far, 1)
	}
}

// Losses are put on a mesh: meshPerDeviation points per deviation, up to meshDeviations
// deviations, and then farther apart by the factor meshGrowth.
const (
	meshPerDeviation = 64
	meshDeviations   = 14
	meshGrowth       = 1.02
)

func shuffleMesh(epsilon, deviation float64) (mesh []float64) {
	step := deviation / meshPerDeviation
	for x := 0.0; x < epsilon*(1-1e-9); x += step {
		if mesh = append(mesh, x); x > meshDeviations*deviation {
			step = math.Max(step, x*(meshGrowth-1))
		}
	}
	return append(mesh, epsilon)
}

// cloneCurve is weight times the curve of the clones: E[δ_C(ε)], C binomial. Given c clones the
// count of one side is Bin(c, ½) plus one with probability α = e^ε₀/(e^ε₀+1), against 1−α. Given
// c it is a post-processing of c−1 clones, so δ_c falls in c: a bucket of numbers counts as its
// least, and what is not listed as none (below) or as the last (above). For the same reason a rate
// that is rounded down gives an upper bound.
type cloneCurve struct {
	epsilon, weight float64
	mean            float64
	buckets         []coins
	rare            float64 // mass of fewer clones than are listed
	err             float64 // relative error of the buckets' masses and of their sum
}

func newCloneCurve(n, epsilon, rate, weight float64) cloneCurve {
	rate *= 1 - 16*roundoff
	c := cloneCurve{epsilon: epsilon, weight: weight, mean: (n - 1) * rate}
	b := listBinomial(n-1, rate)
	b.mass[len(b.mass)-1] += b.above
	c.rare, c.err = b.below, b.err
	width := max(1, int(bucketWidth*c.mean), len(b.mass)/maxBuckets)
	for i := 0; i < len(b.mass); i += width {
		mass := 0.0
		for _, m := range b.mass[i:min(i+width, len(b.mass))] {
			mass += m
		}
		c.buckets = append(c.buckets, newCoins(b.first+float64(i), mass))
	}
	c.err += recurrenceError(1, len(c.buckets))
	return c
}

// bucketWidth is the width of a bucket relative to the number of clones; ε is off by a
// quarter of it. There are about maxBuckets at most.
const (
	bucketWidth = 1e-4
	maxBuckets  = 600
)

// deviation returns about the standard deviation of the loss.
func (c cloneCurve) deviation() float64 {
	return math.Min(c.epsilon, 2*math.Tanh(c.epsilon/2)/math.Sqrt(c.mean+1))
}

// boundAt returns an upper bound on the curve at ε ≥ 0: E[δ_C(ε)], δ_c(ε) = gain·P(Bin = k−1) −
// (e^ε−1)·P(Bin ≥ k) with gain = α − e^ε(1−α), both factors right to a few roundings.
func (c cloneCurve) boundAt(epsilon float64) float64 {
	if epsilon >= c.epsilon {
		return 0
	}
	t, above := math.Tanh(c.epsilon/2), math.Expm1(epsilon) // 2α − 1 and e^ε − 1
	gain := -math.Expm1(epsilon-c.epsilon) / (1 + math.Exp(-c.epsilon))
	cut := 0.5 + above/(2*t*(2+above))
	sum := c.rare * gain // nobody to hide among
	for i := range c.buckets {
		sum += c.buckets[i].mass * c.buckets[i].delta(cut, gain, above)
	}
	return math.Min(1, c.weight*sum*(1+c.err)+1e-280)
}

// coins are the masses of Bin(c, ½) from its middle up to where nothing is left, with their tails.
type coins struct {
	c, mass float64
	middle  float64
	point   []float64 // P(Bin = middle + i)
	tail    []float64 // P(Bin ≥ middle + i), but for what is beyond the list
	err     float64   // relative error of both
}

// newCoins lists the masses. Each is computed from its neighbour by two operations, and divided by
// a sum of all: as in listBinomial, 2·2·N + 2·N roundings for N masses.
func newCoins(c, mass float64) coins {
	k := coins{c: c, mass: mass, middle: math.Floor((c + 1) / 2)}
	w := 1.0
	for j := k.middle; j <= c && j <= c/2+windowDeviations*math.Sqrt(c)/2+windowDeviations*windowDeviations/3; j++ {
		k.point = append(k.point, w)
		w *= (c - j) / (j + 1)
	}
	sum := 0.0
	k.tail = make([]float64, len(k.point))
	for i, p := range slices.Backward(k.point) {
		sum += p
		k.tail[i] = sum
	}
	total := 2 * sum // both halves, but for the middle that an even number has once
	if 2*k.middle == c {
		total -= k.point[0]
	}
	for i := range k.point {
		k.point[i] /= total
		k.tail[i] /= total
	}
	k.err = recurrenceError(8, len(k.point)) + beyondWindow
	return k
}

// delta bounds δ_c(ε) = gain·P(Bin = k−1) − (a−1)·P(Bin ≥ k), with a = e^ε ≥ 1, gain = α − a(1−α)
// and k−1 = ⌊(c+1)·cut⌋, from where on the ratio exceeds a. The first term is raised, and the
// second lowered, by the error of the masses. Rounding may put k one place off, where the event is
// not the best one: the largest value of three events is taken.
func (k *coins) delta(cut, gain, above float64) (most float64) {
	best := int(math.Floor((k.c+1)*cut) - k.middle)
	for i := max(0, best-1); i <= best+1 && k.middle+float64(i) <= k.c; i++ {
		if i >= len(k.point) { // masses fall
			return max(most, gain*k.point[len(k.point)-1]*(1+k.err))
		}
		rest := 0.0
		if i+1 < len(k.tail) {
			rest = k.tail[i+1]
		}
		most = max(most, gain*k.point[i]*(1+k.err)-above*rest*(1-k.err))
	}
	return most
}
