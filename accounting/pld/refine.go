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
		want = 1e-3
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
	gap := slices.ContainsFunc(directions, direction.bracketed)
	best := Interval{Lower: 0, Upper: math.Inf(1)}
	known := make([]ends, len(directions))
	for i := range known {
		known[i].upper = math.Inf(1)
	}
	w := want
	for try := 0; try < 6; try++ {
		next, full, err := a.attempt(ctx, directions, known, delta, w, form)
		if reason := (*UnsupportedError)(nil); errors.As(err, &reason) {
			next, full = fallBack(directions, delta, reason.Reason), true
		} else if err != nil {
			return Interval{}, err
		}
		if math.IsInf(next.Upper, 1) {
			next, full = fallBack(directions, delta, "the tails of this stack are too unlike for one grid"), true
		}
		before := best.width()
		best = best.meet(next)
		if best.narrow(want) || math.IsInf(best.Upper, 1) || full {
			break
		}
		// What lies between the two faces of a pair no grid can close.
		if gap && best.width() > 0.8*before {
			break
		}
		// Where the error is not of second order, a step has to shrink faster.
		ratio := 0.7 * want / best.width()
		w *= math.Max(0.01, math.Pow(ratio, float64(1+try)))
	}
	return best, nil
}

// meet keeps the better of both ends of a direction; where they come from is told of the
// upper one.
func (e ends) meet(f ends) ends {
	if e.upper < f.upper {
		e.lower, e.full = math.Max(e.lower, f.lower), f.full
		return e
	}
	f.lower = math.Max(e.lower, f.lower)
	return f
}

// attempt evaluates every direction that may be the worst one, aiming at width w, and
// keeps in known the best ends of each; full says that a transform has reached its
// longest, so that aiming lower will not help.
func (a *Accountant) attempt(ctx context.Context, directions []direction, known []ends, delta, w float64, form bool) (out Interval, full bool, err error) {
	out = Interval{Estimate: math.NaN(), Direction: "both"}
	reasons := make([]string, len(directions))
	failed := 0
	least := 0.0 // a lower end of the whole stack
	for _, e := range known {
		least = math.Max(least, e.lower)
	}
	for i, d := range directions {
		if known[i].upper <= least { // another direction is worse, whatever this one is
			continue
		}
		s := d.aim(delta, w)
		s.form = form
		e, err := a.evaluate(ctx, d, delta, s)
		reason := (*UnsupportedError)(nil)
		switch {
		case errors.As(err, &reason) && failed+1 < len(directions):
			// The other direction may well be the worse one; this one is bounded all the same.
			failed++
			e = ends{lower: d.oneRelease(delta), upper: d.renyiUpper(delta)}
			e.budget.Grid = e.upper - e.lower
			reasons[i] = reason.Reason
		case err != nil:
			return Interval{}, false, err
		}
		known[i] = known[i].meet(e)
		least = math.Max(least, known[i].lower)
	}
	for i, d := range directions {
		e := known[i]
		full = full || e.full && e.upper > least
		if i == 0 || e.upper > out.Upper {
			out.Upper, out.Direction = e.upper, d.name
			out.Grid, out.Step, out.Budget = e.length, e.step, e.budget
			out.Estimate = e.lower + (e.upper-e.lower)/3
			if out.Form, out.Note = "", ""; reasons[i] != "" {
				out.Form, out.Note = FormRenyi, "fallen back on a Rényi bound: "+reasons[i]
			}
		}
		out.Lower = math.Max(out.Lower, e.lower)
		if d.note != "" {
			out.Note = d.note
		}
	}
	return out, full, nil
}
