package pld

import (
	"context"
	"errors"
	"math"
)

// standing is what is known of every direction of a stack so far.
type standing struct {
	directions []direction
	ends       []ends
	reasons    []string // why a direction has a Rényi bound only; else empty
}

func newStanding(directions []direction) *standing {
	k := &standing{directions, make([]ends, len(directions)), make([]string, len(directions))}
	for i := range k.ends {
		k.ends[i].upper = math.Inf(1)
	}
	return k
}

// least is a lower end of the whole stack.
func (k *standing) least() float64 {
	least := 0.0
	for _, e := range k.ends {
		least = math.Max(least, e.lower)
	}
	return least
}

// settled reports whether another direction is worse than this one, whatever it is.
func (k *standing) settled(i int) bool { return k.ends[i].upper <= k.least() }

// swamped reports whether round-off or wrap-around, not the grid, keeps a direction wide
// that may be the worst one, or nothing is left of its lower end.
func (k *standing) swamped(want float64) bool {
	for i, e := range k.ends {
		if !k.settled(i) && (e.budget.Wrap+e.budget.Roundoff > want*e.upper || e.lower == 0) {
			return true
		}
	}
	return false
}

// spectral asks the spectrum of every direction; done says that no direction that may be
// the worst one is left wide.
func (k *standing) spectral(ctx context.Context, delta, width float64) (done bool, err error) {
	left := make([]bool, len(k.directions))
	for i, d := range k.directions {
		e, done, err := d.spectral(ctx, delta, width)
		if err != nil {
			return false, err
		}
		k.ends[i] = k.ends[i].meet(e)
		left[i] = !done
	}
	for i := range left {
		if left[i] && !k.settled(i) {
			return false, nil
		}
	}
	return true, nil
}

// attempt evaluates every direction that may be the worst one, aiming at width w; full
// says that a transform has reached its longest, so that aiming lower will not help.
func (k *standing) attempt(ctx context.Context, a *Accountant, delta, w float64, form bool) (full bool, err error) {
	failed := 0
	for i, d := range k.directions {
		if k.settled(i) {
			continue
		}
		s := d.aim(delta, w)
		s.form = form
		e, err := a.evaluate(ctx, d, delta, s)
		reason := (*UnsupportedError)(nil)
		switch {
		case errors.As(err, &reason) && failed+1 < len(k.directions):
			// The other direction may well be the worse one; this one is bounded all the same.
			failed++
			e = ends{lower: d.oneRelease(delta), upper: d.renyiUpper(delta)}
			e.budget.Grid = e.upper - e.lower
			k.reasons[i] = reason.Reason
		case err != nil:
			return false, err
		case e.upper < k.ends[i].upper:
			k.reasons[i] = ""
		}
		k.ends[i] = k.ends[i].meet(e)
	}
	for i, e := range k.ends {
		full = full || e.full && !k.settled(i)
	}
	return full, nil
}

// multiply does without tilt and transform: it multiplies out the direction with the
// largest upper end, and then another, if that one has become the largest.
func (k *standing) multiply(ctx context.Context, delta, want float64) error {
	done := make([]bool, len(k.directions))
	for {
		worst := 0
		for i, e := range k.ends {
			if e.upper > k.ends[worst].upper {
				worst = i
			}
		}
		if done[worst] || k.interval().narrow(want) {
			return nil
		}
		done[worst] = true
		before := k.ends[worst]
		e, err := k.directions[worst].patiently(ctx, delta, want, k.least(), before)
		if err != nil {
			return err
		}
		if k.ends[worst] = e; e.upper < before.upper {
			k.reasons[worst] = ""
		}
	}
}

// interval is that of the whole stack.
func (k *standing) interval() Interval {
	out := Interval{Estimate: math.NaN(), Direction: "both"}
	for i, d := range k.directions {
		e := k.ends[i]
		if i == 0 || e.upper > out.Upper {
			out.Upper, out.Direction = e.upper, d.name
			out.Grid, out.Step, out.Budget = e.length, e.step, e.budget
			out.Estimate = e.lower + (e.upper-e.lower)/3
			if out.Form, out.Note = "", ""; k.reasons[i] != "" {
				out.Form, out.Note = FormRenyi, "fallen back on a Rényi bound: "+k.reasons[i]
			}
		}
		out.Lower = math.Max(out.Lower, e.lower)
		if d.note != "" {
			out.Note = d.note
		}
	}
	return out
}
