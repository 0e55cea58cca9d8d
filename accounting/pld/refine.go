package pld

import (
	"context"
	"errors"
	"math"
	"slices"
)

const smallestDelta = 1e-250

func (a *Accountant) refine(ctx context.Context, parts []Part, delta float64, opt Options, widths []float64, yield func(Interval) bool) error {
	want := opt.Width
	if !(want > 0) {
		want = DefaultWidth
	}
	directions, err := a.directions(parts, opt.NoForm)
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
		yield(fallBack(directions, delta, "δ is too small for the masses of a grid"))
		return nil
	}
	if slices.ContainsFunc(directions, func(d direction) bool { return d.indistinct(delta) }) {
		yield(Interval{Form: "Pinsker's inequality", Direction: "both", Estimate: 0})
		return nil
	}
	before := Interval{Lower: 0, Upper: math.Inf(1)}
	for k := 0; k < len(widths); k++ {
		last := k == len(widths)-1
		best, err := a.narrowTo(ctx, directions, delta, want*widths[k], !opt.NoForm)
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

// narrowTo evaluates a stack on ever finer grids until its interval has the width asked
// for, or no grid can give it.
func (a *Accountant) narrowTo(ctx context.Context, directions []direction, delta, want float64, form bool) (Interval, error) {
	known := newStanding(directions)
	done, err := known.spectral(ctx, delta, want)
	if err != nil {
		return Interval{}, err
	}
	best := known.interval()
	if done || best.narrow(want) {
		return best, nil
	}
	gap := slices.ContainsFunc(directions, direction.bracketed)
	w, multiplied := want, false
	const tries = 6
	for try := 1; try <= tries; try++ {
		full, err := known.attempt(ctx, a, delta, w, form)
		next := known.interval()
		if reason := (*UnsupportedError)(nil); errors.As(err, &reason) {
			next, full = fallBack(directions, delta, reason.Reason), true
		} else if err != nil {
			return Interval{}, err
		}
		if math.IsInf(next.Upper, 1) {
			next, full = fallBack(directions, delta, "the tails of this stack are too unlike for one grid"), true
		}
		before := best.width()
		if best = best.meet(next); best.narrow(want) {
			break
		}
		closed := gap && best.width() > 0.8*before // what lies between two faces of a pair no grid can close
		stuck := closed || full || try == tries || try > 1 && best.width() > 0.6*before
		if stuck && !multiplied && (!gap || known.swamped(want)) { // there may be no tilt that suits this stack
			multiplied = true
			if err := known.multiply(ctx, delta, want); err != nil {
				return Interval{}, err
			}
			best = best.meet(known.interval())
		}
		if full || closed || best.narrow(want) {
			break
		}
		// Where the error is not of second order, a step has to shrink faster.
		ratio := 0.7 * want / best.width()
		w *= math.Max(0.01, math.Pow(ratio, float64(try)))
	}
	return best, nil
}
