package pld

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const smallestDelta = 1e-250

// refine takes the ways that the package comment lists, from the first to the last: at widths
// that are so many times the one asked for, and then at that one.
func refine(ctx context.Context, parts []Part, delta float64, opt Options, coarser []float64, yield func(Interval) bool) error {
	want := opt.width()
	stack, err := directionsOf(ctx, parts, opt.NoForm)
	if err != nil {
		return err
	}
	if delta >= 1 {
		yield(Interval{Form: "δ ≥ 1", Direction: "both"})
		return nil
	}
	if i, ok := stack.closedForm(delta, opt.NoForm); ok {
		yield(i)
		return nil
	}
	if !(delta > 0) {
		return unsupported("the numerical accountant needs δ > 0")
	}
	if delta < smallestDelta {
		yield(stack.fallenBack(delta, "δ is below what the accountant computes with"))
		return nil
	}
	if slices.ContainsFunc(stack, func(d *direction) bool { return d.indistinct(delta) }) {
		yield(Interval{Form: "Pinsker's inequality", Direction: "both"})
		return nil
	}
	before := unknown
	for _, times := range coarser {
		next, err := stack.narrowed(ctx, delta, want*times)
		if err != nil {
			return err
		}
		before = before.meet(next)
		if before.narrow(want) || math.IsInf(before.Upper, 1) {
			break // no need for the steps between
		}
		if !yield(before.explained(want * times)) {
			return nil
		}
	}
	last, err := stack.narrowed(ctx, delta, want) // as if nothing had gone before
	if err == nil {
		yield(last.explained(want))
	}
	return err
}

// directions are those of a stack: one, if all its pairs are symmetric, or two.
type directions []*direction

// narrowed encloses ε: by the spectrum; what that leaves wide is added up one by one, and what
// that leaves without an end is bounded by Rényi divergences. Where two estimates of a loss lie
// too far apart closer ones are asked for, if there are any: twice as close as they would
// have to be, as part of the width is not theirs. That is cheaper than adding up, and goes first.
func (s directions) narrowed(ctx context.Context, delta, want float64) (Interval, error) {
	best := unknown
	for first := true; ; first = false {
		for _, d := range s {
			d.known = unknown
		}
		closer := s.refinable()
		done, err := s.spectral(ctx, delta, want)
		if err == nil && !done && !(first && closer) && !s.interval().narrow(want) {
			if err = s.exactly(ctx, delta, want); err == nil {
				s.fallBack(delta, want)
			}
		}
		best = best.meet(s.interval())
		if err != nil || best.narrow(want) || !closer {
			return best, err
		}
		times := 2.0
		if done || !first {
			times *= best.width() / want
		}
		s = s.finer(ctx, times)
		if err := ctx.Err(); err != nil {
			return best, err
		}
	}
}

// refinable reports whether the estimates of a line can be brought closer to each other.
func (s directions) refinable() bool {
	return slices.ContainsFunc(s, func(d *direction) bool {
		return slices.ContainsFunc(d.lines, func(l line) bool { return l.upper.finer != nil })
	})
}

// finer are the same directions with estimates that are so many times closer, where that can be.
func (s directions) finer(ctx context.Context, times float64) (out directions) {
	for _, d := range s {
		with := *d
		with.lines = slices.Clone(d.lines)
		for i, l := range d.lines {
			if l.upper.finer != nil {
				with.lines[i].Loss = l.upper.finer(ctx, times)
			}
		}
		out = append(out, &with)
	}
	return out
}

// least is a lower end of the whole stack.
func (s directions) least() float64 {
	least := 0.0
	for _, d := range s {
		least = math.Max(least, d.known.Lower)
	}
	return least
}

// worst is the direction with the largest upper end.
func (s directions) worst() *direction {
	return slices.MaxFunc(s, func(a, b *direction) int { return cmp.Compare(a.known.Upper, b.known.Upper) })
}

// settled reports whether a direction can no longer be the maximum.
func (s directions) settled(d *direction) bool { return d.known.Upper <= s.least() }

// spectral asks the spectrum of every direction, but for those whose losses have so few
// sums that they can be listed; done says that no direction that may be the worst one is
// left wide.
func (s directions) spectral(ctx context.Context, delta, width float64) (done bool, err error) {
	var wide directions
	for _, d := range s {
		if s.settled(d) {
			continue
		}
		done := false
		if d.short() {
			err = d.exactly(ctx, delta, width, 0)
			done = d.known.Upper < math.Inf(1)
		} else {
			done, err = d.spectral(ctx, delta, width)
		}
		if err != nil {
			return false, err
		}
		if !done {
			wide = append(wide, d)
		}
	}
	return !slices.ContainsFunc(wide, func(d *direction) bool { return !s.settled(d) }), nil
}

// exactly does without tilt and transform: it adds up the losses of the direction with the
// largest upper end one by one, and then of another, if that one has become the largest.
func (s directions) exactly(ctx context.Context, delta, want float64) error {
	var last *direction
	for range s {
		worst := s.worst()
		if worst == last || s.interval().narrow(want) {
			break
		}
		if err := worst.exactly(ctx, delta, want, s.least()); err != nil {
			return err
		}
		last = worst
	}
	return nil
}

// fallBack bounds by Rényi divergences what is still wide, and from below by what any one
// release reveals.
func (s directions) fallBack(delta, want float64) {
	for _, d := range s {
		if !s.settled(d) && !d.known.near(s.least(), want) {
			d.known = d.fallBack(delta, "no composition of this stack came closer").meet(d.known)
		}
	}
}

// interval is that of the whole stack.
func (s directions) interval() Interval {
	worst := s.worst()
	out := worst.known
	out.Direction = worst.name
	out.Lower = s.least()
	for _, d := range s {
		out.Note = cmp.Or(d.note, out.Note)
	}
	return out
}
