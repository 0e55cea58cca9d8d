package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/spectrum"
)

// Accountant keeps what was found out about single losses, for all that is evaluated under
// its context (see [NewContext]): a stack that differs from the last one in one line costs
// that line. No answer depends on what was asked before. The zero value is ready; it may be
// used by several goroutines.
type Accountant struct{ cache spectrum.Cache }

type accountantKey struct{}

// NewContext is a context under which the functions of this package ask the given
// accountant, so that whatever is computed under it shares what is known. A context that
// has one keeps it.
func NewContext(ctx context.Context, a *Accountant) context.Context {
	if _, ok := ctx.Value(accountantKey{}).(*Accountant); ok {
		return ctx
	}
	return context.WithValue(ctx, accountantKey{}, a)
}

// accountantOf is the accountant of a context, or a new one.
func accountantOf(ctx context.Context) *Accountant {
	if a, ok := ctx.Value(accountantKey{}).(*Accountant); ok {
		return a
	}
	return new(Accountant)
}

// unknown is the interval of which nothing is known.
var unknown = Interval{Upper: math.Inf(1)}

// width is relative to the upper end.
func (i Interval) width() float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}

// narrow reports whether an interval has the relative width asked for. An ε of 1e-12 is 0.
func (i Interval) narrow(width float64) bool {
	return i.width() <= width || i.Upper-i.Lower < 1e-12
}

// meet keeps the better of both ends: every certified interval holds. Two that
// contradict each other by more than rounding cannot both be right, and it is not known
// which is wrong: then only what both allow for is kept, the ends furthest out.
func (i Interval) meet(j Interval) Interval {
	lower, upper := math.Max(i.Lower, j.Lower), math.Min(i.Upper, j.Upper)
	switch {
	case lower > upper*(1+1e-9)+1e-12:
		lower, upper = math.Min(i.Lower, j.Lower), math.Max(i.Upper, j.Upper)
	case lower > upper:
		upper = lower
	}
	if i.Upper < j.Upper {
		j = i
	}
	j.Lower, j.Upper = lower, upper
	return j
}

// near reports whether the upper end is within the width asked for of a lower one, its own
// or that of the whole stack.
func (i Interval) near(least, want float64) bool {
	return Interval{Lower: math.Min(i.Upper, math.Max(i.Lower, least)), Upper: i.Upper}.narrow(want)
}

// explained has a note where it is wider than asked for.
func (i Interval) explained(want float64) Interval {
	if !i.narrow(want) && i.Note == "" {
		i.Note = "wider than asked: a finer mesh, or more frequencies, would cost too much"
	}
	return i
}
