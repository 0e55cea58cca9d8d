package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// Shuffled is the pair of one epoch over t batches of fixed size in shuffled order, with
// noise multiplier z, where a record is zeroed or, with replace, changed.
//
// No gain by shuffling is proven in general. Given the order, a record is in one batch,
// and the hockey stick is jointly convex over orders: Gaussian noise with μ = 1/z
// (2/z for a changed record) dominates.
//
// From below there is an attack (Chua et al. 2024, "How private are DP-SGD
// implementations?"): every other record contributes −1, the target +1 against 0 (−1
// if changed). Up to a shift the batch of the target is then larger by 2 against 1 (0),
// in a place nobody knows. The largest noisy coordinate has the distribution function
// Φ((c−a)/z)·Φ(c/z)^{t−1} with a = 2 against 1 (0). To look at it in cells is
// post-processing. Epochs compose if each is shuffled afresh.
//
// Where the batches do not divide the records, share < 1 is the probability that a record is
// in one of them, and the attack fails otherwise: it does not look at what is left.
func Shuffled(t, z, share float64, replace bool) Pair {
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

// largestCoordinate is the pair of the two laws of the largest coordinate, in cells, if one
// of the coordinates is shifted with probability share.
func largestCoordinate(key string, t, z, a, b, share float64) Pair {
	logCDF := func(c, shift float64) float64 {
		return special.LogNormalCDF((c-shift)/z) + (t-1)*special.LogNormalCDF(c/z)
	}
	// shifted is the mass of a cell, by the tail it is nearer to
	shifted := func(lo, hi, shift float64) float64 {
		l, h := logCDF(lo, shift), logCDF(hi, shift)
		if h < -math.Ln2 {
			return math.Exp(h) - math.Exp(l)
		}
		return math.Expm1(h) - math.Expm1(l)
	}
	mass := func(lo, hi, shift float64) float64 {
		if share >= 1 {
			return shifted(lo, hi, shift)
		}
		return share*shifted(lo, hi, shift) + (1-share)*shifted(lo, hi, 0)
	}
	const reach, perDeviation = 12.0, 40
	largest := math.Sqrt(2 * math.Log(t)) // of the noise, about
	var remove, add []atom
	put := func(lo, hi float64) {
		p, q := mass(lo, hi, a), mass(lo, hi, b)
		if p > 1e-300 && q > 1e-300 {
			remove = append(remove, atom{math.Log(p / q), p, q})
			add = append(add, atom{math.Log(q / p), q, p})
		}
	}
	last := -reach
	for _, peak := range []float64{0, b / z, a / z} { // what lies between them hardly ever occurs
		last = math.Max(last, peak-reach)
		for ; last < peak+reach+largest; last += 1. / perDeviation {
			put(last*z, (last+1./perDeviation)*z)
		}
	}
	const roundoff = 1e-12 // of a difference of two distribution functions over a cell
	return Pair{Remove: exactLoss(estimate(key, remove, 0, -roundoff)), Add: exactLoss(estimate(key+"′", add, 0, -roundoff))}
}
