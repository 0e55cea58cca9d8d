package pairs

import (
	"math"

	"epsiloscope/accounting/special"
)

// ShuffledEpoch returns the pair of one epoch over t batches of fixed size in shuffled order,
// with noise multiplier z, under zero-out or, with replace, under replace.
//
// No amplification by shuffling is proven in general. Given the order, a record is in one batch,
// and the hockey-stick divergence is jointly convex over orders: Gaussian noise with μ = 1/z
// (2/z under replace) dominates.
//
// From below there is an attack (Chua et al. 2024, "How private are DP-SGD implementations?"):
// every other record contributes −1, the target +1 against 0 (−1 under replace). Up to a shift
// the batch of the target is then larger by 2 against 1 (0), at an unknown position. The largest
// noisy coordinate has the distribution function Φ((c−a)/z)·Φ(c/z)^{t−1} with a = 2 against 1
// (0). To observe it in cells is post-processing. Epochs compose if each is shuffled afresh.
//
// If the batches do not divide the records, share < 1 is the probability that a record is in one
// of them, and the attack fails otherwise: it ignores the remaining records.
func ShuffledEpoch(t, z, share float64, replace bool) Pair {
	if !(t >= 1) || !(z > 0) || !(share > 0) {
		return invalidPair()
	}
	t = math.Floor(t)
	mu, other, kind := 1/z, 1.0, "zeroed"
	if replace {
		mu, other, kind = 2/z, 0, "changed"
	}
	if t == 1 && share >= 1 {
		return Gaussian(mu)
	}
	key := "shuffled(" + number(t) + "," + number(z) + "," + number(share) + "," + kind + ")"
	return bracketPair(key, Gaussian(mu), largestCoordinate(key+"-", t, z, 2, other, share),
		"shuffling has no proven gain: the upper end is training without it, the lower end an attack on the largest coordinate")
}

// ShuffledEpochBySum returns the pair of [ShuffledEpoch] with another attack from below, on all batches of a pass
// together: the optimal test between the two distributions of their noisy sums. Under zero-out every other record
// contributes 0, so that one unknown batch is larger by 1 against none: that is one pass of random allocation. Under
// replace every other record contributes −1, the target +1 against −1: the same with a difference of 2. It tells more
// than the largest coordinate if there is so much noise that none stands out; under zero-out the largest coordinate,
// with its other data, tells more if there is little.
func ShuffledEpochBySum(t, z, share float64, replace bool) Pair {
	if !(t >= 1) || !(z > 0) || !(share > 0) {
		return invalidPair()
	}
	t = math.Floor(t)
	mu, noise, kind := 1/z, z, "zeroed"
	if replace {
		mu, noise, kind = 2/z, z/2, "changed"
	}
	if t == 1 && share >= 1 {
		return Gaussian(mu)
	}
	key := "shuffled-sum(" + number(t) + "," + number(z) + "," + number(share) + "," + kind + ")"
	return bracketPair(key, Gaussian(mu), Subsample(math.Min(1, share), Allocation(t, noise)),
		"shuffling has no proven gain: the upper end is training without it, the lower end an attack on all batches of a pass together")
}

// largestCoordinate returns the pair of the two distributions of the largest coordinate, in cells that cover
// the whole line, if one of the coordinates is shifted with probability share. A cell is right to a
// relative 1e-11, at a/z in the hundreds (there a distribution function has 13 digits, and a cell is at
// least a fiftieth of what lies beyond it), and to less in proportion farther out. Masses and losses are
// lowered by more than that.
func largestCoordinate(key string, t, z, a, b, share float64) Pair {
	const reach, perDeviation = 12.0, 40
	roundoff := 1e-10 * (1 + a/(100*z))
	shifted := func(lo, hi, shift float64) float64 {
		l, h := logLargest(lo, shift, t), logLargest(hi, shift, t)
		if h < -math.Ln2 { // by the tail it is nearer to
			return -math.Exp(h) * math.Expm1(l-h)
		}
		return math.Expm1(h) - math.Expm1(l)
	}
	mass := func(lo, hi, shift float64) float64 {
		if share >= 1 {
			return shifted(lo, hi, shift/z)
		}
		return share*shifted(lo, hi, shift/z) + (1-share)*shifted(lo, hi, 0)
	}
	var cells [][2]float64 // P-mass and Q-mass
	p, q := 0.0, 0.0
	last := math.Inf(-1)
	cut := func(at float64) {
		p += mass(last, at, a)
		q += mass(last, at, b)
		if last = at; p > 1e-280 && q > 1e-280 { // what is thinner is one outcome with the next cell
			cells, p, q = append(cells, [2]float64{p, q}), 0, 0
		}
	}
	largest := math.Sqrt(2 * math.Log(t)) // of the noise, about
	for _, peak := range []float64{0, b / z, a / z} {
		for x := math.Max(last+1./perDeviation, peak-reach); x < peak+reach+largest; x += 1. / perDeviation {
			cut(x)
		}
	}
	cut(math.Inf(1))
	if n := len(cells); n > 0 {
		cells[n-1][0] += p
		cells[n-1][1] += q
	}
	var remove, add []atom
	for _, c := range cells {
		loss := math.Log(c[0] / c[1])
		remove = append(remove, atom{loss - 2*roundoff, c[0], c[1] * math.Exp(2*roundoff)})
		add = append(add, atom{-loss - 2*roundoff, c[1], c[0] * math.Exp(2*roundoff)})
	}
	return Pair{Remove: exactLoss(estimate(key, remove, 0, -roundoff)),
		Add: exactLoss(estimate(key+"′", add, 0, -roundoff))}
}

// logLargest returns the logarithm of the distribution function at x of the largest of t standard
// normal coordinates, one of which is shifted.
func logLargest(x, shift, t float64) float64 {
	if math.IsInf(x, 0) {
		return math.Min(0, x)
	}
	return special.LogNormalCDF(x-shift) + (t-1)*special.LogNormalCDF(x)
}
