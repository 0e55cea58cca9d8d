package pairs

import (
	"context"
	"math"
	"strconv"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/bins"
)

// Random allocation ("balls and bins"): every epoch each record goes to one of t
// batches, chosen evenly and afresh, and every batch is released with Gaussian noise
// of z clipping norms (Chua et al. 2024, "Balls-and-Bins sampling for DP-SGD"; Feldman
// & Shenfeld 2025). Of one epoch the pair is P = (1/t)·Σ N(e_i/z, I) against
// Q = N(0, I) in t dimensions.
//
// Under Q let X_i = exp(G_i/z − 1/(2z²)) with independent standard normal G_i, a
// lognormal variable of mean 1, and S = ΣX_i. The loss is ln(S/t), and
//
//	remove: δ(ε) = E[(S/t − e^ε)₊],    add: δ(ε) = E[(1 − e^ε·S/t)₊].
//
// Both are convex in every X_i. So a sum from above in convex order (package bins) gives a pair
// that dominates in both directions at every ε, and one from below a pair that is dominated.
type allocation struct {
	t            float64
	upper, lower bins.Sum
	renyi        *bins.Renyi
}

// allocationTail is the number of deviations of G by which the upper list reaches beyond the
// P-mean: its tail mass is 7e-31.
const allocationTail = 11.5

// The noise and the number of batches for which the amplification is computed: with less noise X leaves the range of
// float64, with more batches the round-off is too large.
const (
	minAllocationNoise  = 0.1
	maxAllocationNoise  = 1e9 // X is 1 up to rounding: there is nothing to sum
	maxAllocatedBatches = 1 << 30
)

// Allocation returns the pair of one epoch of random allocation to t batches with noise
// multiplier z.
func Allocation(t, z float64) Pair {
	if !(t >= 1) || !(z > 0) {
		return invalidPair()
	}
	t = math.Floor(t) // fewer batches hide less
	if t <= 1 {
		return Gaussian(1 / z)
	}
	return allocationPair(context.Background(), t, z, 0)
}

// allocationPair returns the pair of an allocation, with a mesh whose error is halved `halved`
// times. The pair has no losses if the context ended before it was computed.
func allocationPair(ctx context.Context, t, z float64, halved int) Pair {
	key := "allocation(" + number(t) + "," + number(z) + ")"
	if halved > 0 {
		key += "/" + strconv.Itoa(halved)
	}
	return slowPairs.get(key, func() Pair {
		coarse := func(upper Pair) Pair {
			return bracketPair(key, upper, largestCoordinate(key+"-", t, z, 1, 0, 1), allocationNote)
		}
		if z < minAllocationNoise || z > maxAllocationNoise {
			return coarse(Gaussian(1 / z))
		}
		a := newAllocation(ctx, math.Min(t, maxAllocatedBatches), z, halved)
		if ctx.Err() != nil { // a sum that was given up says nothing
			return Pair{}
		}
		upper := a.pair(key, a.upper, numeral.Up)
		if t > maxAllocatedBatches {
			return coarse(upper)
		}
		p := bracketPair(key, upper, a.pair(key+"-", a.lower, numeral.Down), "")
		if halved < maxHalvings {
			finer := func(ctx context.Context, times float64) Pair {
				next := float64(halved) + math.Max(1, math.Ceil(math.Log2(times)))
				if next >= maxHalvings-1 { // other counts of the same allocation need one or the other
					next = maxHalvings
				}
				return allocationPair(ctx, t, z, int(next))
			}
			p.Remove.upper.finer = func(ctx context.Context, times float64) *Loss { return finer(ctx, times).Remove }
			p.Add.upper.finer = func(ctx context.Context, times float64) *Loss { return finer(ctx, times).Add }
		}
		return p
	})
}

const allocationNote = "for this little or this much noise, or this many batches, the amplification by allocation is not computed in full; the lower end is an attack on the largest coordinate"

// fineness is the mesh width (package bins) with which ε is known to about 1e-3. The error falls
// with its square.
const (
	fineness    = 0.17
	maxHalvings = 5
)

func newAllocation(ctx context.Context, t, z float64, halved int) *allocation {
	eta := fineness * math.Exp2(-float64(halved)/2)
	a, cut := &allocation{t: t}, 1/z+allocationTail
	done := make(chan struct{})
	var fault any // a panic beside would end the program before anything could say why
	go func() {
		defer close(done)
		defer func() { fault = recover() }()
		a.lower, _ = bins.Lognormal(ctx, uint64(t), z, eta, cut, numeral.Down)
	}()
	a.upper, _ = bins.Lognormal(ctx, uint64(t), z, eta, cut, numeral.Up)
	if <-done; fault != nil {
		panic(fault)
	}
	a.renyi = bins.NewRenyi(a.upper, t, z, cut)
	return a
}

// pair returns the list as the two directions of a pair, its masses moved to the side that
// keeps it above or below.
func (a *allocation) pair(key string, sum bins.Sum, side numeral.Side) Pair {
	pad, shift, top, topAdd := -sum.Roundoff, -sum.Misplaced, 0.0, 0.0
	if side == numeral.Up {
		pad, shift, top, topAdd = -pad, -shift, sum.Beyond.P, sum.Beyond.Q
	}
	var remove, add []atom
	for _, s := range sum.Values {
		ratio := s.X / a.t
		if ratio == 0 {
			if side == numeral.Up {
				topAdd += s.Q
			}
			continue
		}
		loss := math.Log(ratio)
		remove = append(remove, atom{loss + shift, s.Q * ratio, s.Q * ratio * math.Exp(-loss-shift)})
		add = append(add, atom{-loss + shift, s.Q, s.Q * math.Exp(loss-shift)})
	}
	r := estimate(key, remove, top, pad)
	d := estimate(key+"′", add, topAdd, pad)
	if side == numeral.Up {
		r.bound, d.bound = a.renyi.Remove, a.renyi.Add
		r.boundCoversTop, d.boundCoversTop = true, true
	}
	return Pair{Remove: exactLoss(r), Add: exactLoss(d)}
}
