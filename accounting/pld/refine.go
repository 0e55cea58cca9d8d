package pld

import (
	"context"
	"math"
	"slices"
)

// How an interval is narrowed, from the first of the ways that the package comment lists to the
// last.

const smallestDelta = 1e-250

func refine(ctx context.Context, parts []Part, delta float64, opt Options, widths []float64, yield func(Interval) bool) error {
	want := opt.Width
	if !(want > 0) {
		want = DefaultWidth
	}
	directions, err := directionsOf(ctx, parts, opt.NoForm)
	if err != nil {
		return err
	}
	if delta >= 1 {
		yield(Interval{Form: "δ ≥ 1", Direction: "both", Estimate: 0})
		return nil
	}
	if i, ok := closedForm(directions, delta, opt.NoForm); ok {
		yield(i)
		return nil
	}
	if !(delta > 0) {
		return unsupported("the numerical accountant needs δ > 0")
	}
	if delta < smallestDelta {
		yield(fallBack(directions, delta, "δ is below what the accountant computes with"))
		return nil
	}
	if slices.ContainsFunc(directions, func(d direction) bool { return d.indistinct(delta) }) {
		yield(Interval{Form: "Pinsker's inequality", Direction: "both", Estimate: 0})
		return nil
	}
	before := Interval{Lower: 0, Upper: math.Inf(1)}
	for k := 0; k < len(widths); k++ {
		last := k == len(widths)-1
		best, err := narrowTo(ctx, directions, delta, want*widths[k])
		if err != nil {
			return err
		}
		if !last { // the last one is as if nothing had gone before
			best = before.meet(best)
			before = best
		}
		if !last && (best.narrow(want) || math.IsInf(best.Upper, 1)) {
			k = len(widths) - 2 // no need for the steps between
			continue
		}
		best.explain(want * widths[k])
		if !yield(best) {
			return nil
		}
	}
	return nil
}

// narrowTo encloses ε: by the spectrum; what that leaves wide is added up one by one, and what
// that leaves without an end is bounded by Rényi divergences. Where two estimates of a pair lie
// too far apart closer ones are asked for, if there are any: twice as close as they would
// have to be, as part of the width is not theirs. That is cheaper than adding up, and goes first.
func narrowTo(ctx context.Context, directions []direction, delta, want float64) (Interval, error) {
	best := Interval{Upper: math.Inf(1)}
	for first := true; ; first = false {
		known := newStanding(directions)
		done, err := known.spectral(ctx, delta, want)
		if err != nil {
			return Interval{}, err
		}
		times := 2.0 // of a width that is not theirs
		if !done && !(first && canRefine(directions)) && !known.interval().narrow(want) {
			if err := known.exactly(ctx, delta, want); err != nil {
				return Interval{}, err
			}
			known.fallBack(delta, want)
		}
		if best = best.meet(known.interval()); best.narrow(want) || !canRefine(directions) {
			return best, nil
		}
		if done || !first {
			times = 2 * best.width() / want
		}
		directions = finer(directions, times)
	}
}
