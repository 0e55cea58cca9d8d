package pld

import (
	"context"
	"math"
	"sync"

	"epsiloscope/accounting/pld/spectrum"
)

// Accountant evaluates stacks and keeps what it has found out about their losses: a stack
// that differs from the last one in one line costs that line. What it answers does not
// depend on what it was asked before. The zero value is ready; it may be used by several
// goroutines.
type Accountant struct {
	mu    sync.Mutex
	lines map[string]line
	cache *spectrum.Cache
}

// mostLines bounds how many losses are kept, besides the bytes of their vectors.
const mostLines = 20_000

func (a *Accountant) lineFor(l Loss) (line, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found, ok := a.lines[l.Key()]; ok {
		return found, nil
	}
	made, err := describe(l)
	if err != nil {
		return line{}, err
	}
	if a.lines == nil || len(a.lines) >= mostLines {
		a.lines = map[string]line{}
	}
	a.lines[made.key] = made
	return made, nil
}

func (a *Accountant) vectors() *spectrum.Cache {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cache == nil {
		a.cache = spectrum.NewCache()
	}
	return a.cache
}

// Computed counts the values of characteristic functions that had to be computed so far,
// and Bytes is about what is kept of them.
func (a *Accountant) Computed() int64 { return a.vectors().Count() }

// Bytes is about how much memory the vectors take that are kept.
func (a *Accountant) Bytes() int { return a.vectors().Bytes() }

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

// Epsilon returns a certified interval for the tight ε of the stack at δ.
func (a *Accountant) Epsilon(ctx context.Context, parts []Part, delta float64, opt Options) (Interval, error) {
	var last Interval
	err := a.refine(ctx, parts, delta, opt, []float64{1}, func(i Interval) bool { last = i; return true })
	return last, err
}

// Refine yields certified intervals on the way to the width asked for, until it is
// reached, the context ends, or yield returns false. The last one is that of Epsilon,
// to the bit: whoever watches an interval narrow and whoever asks once end at the
// same figure.
func (a *Accountant) Refine(ctx context.Context, parts []Part, delta float64, opt Options, yield func(Interval) bool) error {
	return a.refine(ctx, parts, delta, opt, []float64{25, 5, 1}, yield)
}

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
		j.Form, j.Note = i.Form, i.Note
		j.Direction, j.Budget, j.Grid, j.Step = i.Direction, i.Budget, i.Grid, i.Step
		j.Tilt, j.Window = i.Tilt, i.Window
	}
	j.Lower, j.Upper = lower, upper
	j.Estimate = math.Max(lower, math.Min(upper, j.Estimate))
	return j
}

func (i *Interval) explain(want float64) {
	if !i.narrow(want) && i.Note == "" {
		i.Note = "wider than asked: more frequencies would cost too much"
	}
}
