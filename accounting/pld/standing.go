package pld

import (
	"context"
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

// spectral asks the spectrum of every direction, but for those whose losses have so few
// sums that they can be listed; done says that no direction that may be the worst one is
// left wide.
func (k *standing) spectral(ctx context.Context, delta, width float64) (done bool, err error) {
	left := make([]bool, len(k.directions))
	for i, d := range k.directions {
		if k.settled(i) {
			continue
		}
		evaluate := d.spectral
		if d.short() {
			evaluate = d.listed
		}
		e, done, err := evaluate(ctx, delta, width)
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

// fallBack bounds by Rényi divergences what is still wide, and from below by what any one
// release reveals.
func (k *standing) fallBack(delta, want float64) {
	for i, d := range k.directions {
		if k.settled(i) || k.ends[i].near(k.least(), want) {
			continue
		}
		e := ends{lower: d.oneRelease(delta), upper: d.renyiUpper(delta)}
		if e.lower = math.Min(e.lower, e.upper); e.upper < k.ends[i].upper {
			k.reasons[i] = "no composition of this stack came closer"
		}
		e.budget.Grid = e.upper - e.lower
		k.ends[i] = k.ends[i].meet(e)
	}
}

// exactly does without tilt and transform: it adds up the losses of the direction with the
// largest upper end one by one, and then of another, if that one has become the largest.
func (k *standing) exactly(ctx context.Context, delta, want float64) error {
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
		e, err := k.directions[worst].exactly(ctx, delta, want, k.least(), before)
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
			out.Tilt, out.Window = e.tilt, e.window
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

// ends is what is known of ε in one direction: a certified pair of ends, and where their
// distance comes from.
type ends struct {
	lower, upper float64
	length       int     // frequencies, or sums listed
	step         float64 // the smoothing, or the width of the cells
	tilt, window float64 // of the Fourier sum; 0 for a list
	budget       ErrorBudget
}

// meet keeps the better of both ends of a direction; where they come from is told of the
// upper one.
func (e ends) meet(f ends) ends {
	if e.upper < f.upper {
		e.lower = math.Max(e.lower, f.lower)
		return e
	}
	f.lower = math.Max(e.lower, f.lower)
	return f
}

// near reports whether the upper end is within the width asked for of a lower one.
func (e ends) near(least, want float64) bool {
	return Interval{Lower: math.Min(e.upper, math.Max(e.lower, least)), Upper: e.upper}.narrow(want)
}
