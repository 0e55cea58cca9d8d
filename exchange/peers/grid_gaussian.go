package peers

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
)

// direction is an ordered pair of neighbours as dp_accounting has them: N(0, z²) or its mixture
// with a shift by one, for a record that is sampled with probability q.
type direction int

const (
	removed  direction = iota // (1−q)·N(−1, z²)-mixture against N(0, z²)
	added                     // N(0, z²) against the mixture
	replaced                  // the mixture to one side against that to the other
)

// sampledCells returns the loss of one sampled Gaussian step on the grid. It ends where the noise
// has a tail of e⁻⁵⁰/2, shifted by one to one side. It is false if the list is longer than maxCells.
func sampledCells(z, q float64, d direction) (cells, bool) {
	tail := -z * special.NormalQuantile(0.5*math.Exp(-50))
	var lossAt, pointOf func(float64) float64 // the loss at a point, and the largest point with at least a loss
	mixed := func(loss float64) float64 {     // ln(1 − q + q·e^loss)
		return special.LogAdd(math.Log1p(-q), math.Log(q)+loss)
	}
	plain := func(loss float64) float64 { // the inverse of mixed
		if loss > 30 {
			return loss - math.Log(q) + math.Log1p(-(1-q)*math.Exp(-loss))
		}
		return math.Log1p(math.Expm1(loss) / q)
	}
	low, high := -tail, tail
	switch d {
	case added:
		high++
		lossAt = func(x float64) float64 { return -mixed((x - 0.5) / (z * z)) }
		pointOf = func(loss float64) float64 { return 0.5 + z*z*plain(-loss) }
	case removed:
		low--
		lossAt = func(x float64) float64 { return mixed((-0.5 - x) / (z * z)) }
		pointOf = func(loss float64) float64 { return -0.5 - z*z*plain(loss) }
	default:
		low--
		lossAt = func(x float64) float64 { return mixed((-0.5-x)/(z*z)) - mixed((x-0.5)/(z*z)) }
		pointOf = func(loss float64) float64 { return replacedPoint(z, q, loss) }
	}
	first, last := math.Floor(lossAt(high)/pldGrid), math.Ceil(lossAt(low)/pldGrid)
	if !(last-first < maxCells) {
		return cells{}, false
	}
	log := func(x float64) float64 { return special.LogNormalCDF(x / z) }
	mixture := func(x, shift float64) float64 {
		return (1-q)*special.NormalCDF(x/z) + q*special.NormalCDF((x+shift)/z)
	}
	return connectDots(int(first), int(last), func(epsilon float64) float64 {
		switch {
		case d == added && epsilon >= -math.Log1p(-q):
			return 0
		case d == removed && epsilon <= math.Log1p(-q):
			return -math.Expm1(epsilon)
		}
		x := pointOf(epsilon)
		switch d {
		case added:
			return special.NormalCDF(x/z) - math.Exp(
				epsilon+special.LogAdd(math.Log1p(-q)+log(x), math.Log(q)+log(x-1)))
		case removed:
			return mixture(x, 1) - math.Exp(epsilon+log(x))
		}
		return mixture(x, 1) - math.Exp(epsilon+special.LogAdd(math.Log1p(-q)+log(x), math.Log(q)+log(x-1)))
	}), true
}

// replacedPoint solves mixed((−½−x)/z²) − mixed((x−½)/z²) = loss for x: with s = x/z² + loss/2 that
// is sinh s = −sinh(loss/2)·e^{1/(2z²)}·(1−q)/q.
func replacedPoint(z, q, loss float64) float64 {
	if loss == 0 {
		return 0
	}
	if q >= 1 {
		return -loss * z * z / 2
	}
	half := math.Abs(loss) / 2
	sinh := half + math.Log(-math.Expm1(-2*half)/2) + 1/(2*z*z) + math.Log1p(-q) - math.Log(q) // its logarithm
	s := special.LogAdd(0.5*special.LogAdd(0, 2*sinh), sinh)
	return z * z * (-math.Copysign(s, loss) - loss/2)
}

// stepCells returns the loss of one step of a run with a record removed and added, or changed.
func stepCells(r run, change bool) (both [2]cells, ok bool) {
	z, q := r.NoiseMultiplier, r.SamplingRate
	list := [2]direction{removed, added}
	if change {
		list = [2]direction{replaced, replaced}
	}
	if list[1] == added && q >= 1 {
		list[1] = removed
	}
	for i, d := range list {
		if i == 1 && d == list[0] {
			both[1] = both[0]
			continue
		}
		if both[i], ok = sampledCells(z, q, d); !ok {
			return both, false
		}
	}
	if r.Batches != mechanisms.Truncated {
		return both, true
	}
	full, kept, ok := accounting.Overflow(r.Records, q, r.MaxBatch)
	if !ok || full == 0 {
		return both, ok
	}
	twice, ok := sampledCells(z/2, kept, replaced)
	for i := range both {
		both[i] = twice.mix(both[i], full)
	}
	return both, ok
}

// gridEpsilon returns the ε that dp_accounting's PLD prints, or the reason why it is not followed.
func gridEpsilon(ctx context.Context, j job) (epsilon float64, reason string, err error) {
	sum := [2]cells{{p: []float64{1}, sparse: true}, {p: []float64{1}, sparse: true}}
	steps, ok := 0.0, true
	for _, r := range j.runs {
		step, fits := stepCells(r, j.adjacency == mechanisms.Replace)
		ok = ok && fits
		steps += r.Steps * r.repeats
		for i := 0; i < 2 && ok; i++ {
			if i == 1 && len(j.runs) == 1 && &step[0].p[0] == &step[1].p[0] {
				sum[1] = sum[0]
				break
			}
			var many cells
			if many, ok = step[i].repeat(ctx, r.Steps*r.repeats); ok {
				sum[i], ok = sum[i].compose(ctx, many)
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return math.NaN(), "", ctx.Err()
	case !ok:
		return math.NaN(), fmt.Sprintf("its grid of 1e-4 would need more than %d million cells, which is not followed here", maxCells>>20), nil
	}
	at := func(delta float64) float64 { return math.Max(sum[0].epsilonAt(delta), sum[1].epsilonAt(delta)) }
	epsilon = at(j.delta)
	noise := transformNoise * steps
	if !math.IsInf(epsilon, 1) && !(at(j.delta-noise)-at(j.delta+noise) <= peerTolerance*epsilon) {
		return math.NaN(), "at this δ rounding in its transform decides what it prints", nil
	}
	return epsilon, "", nil
}

// transformNoise is about the relative error of one bin of a transform in double precision. The
// power of a bin multiplies it by the number of steps; together the bins change δ by about as much.
// For the transform of dp_accounting the size of these errors is known, not their sign: where it was run, δ
// was off by up to half of this (q 0.01, z 1, 1e5 steps, δ 1e-10: 34.5915 for 34.6294).
const transformNoise = 1e-16
