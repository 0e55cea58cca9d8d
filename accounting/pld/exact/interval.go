package exact

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/spectrum"
)

// Stack is composed by its pessimistic and its optimistic estimates; where the losses are
// known both are the same.
type Stack struct{ Pessimistic, Optimistic spectrum.Stack }

const (
	initialCells = 512 // into which the range of all losses is cut at first
	maxAttempts  = 8
)

// Refine composes a stack on ever finer cells, from above and from below, until yield, which
// is given both curves, has had enough or that has become too much work. Yield returns
// by which factor the cells should be narrower, 1 or more for none. Losses whose P-mass
// is small beside δ may be taken for infinite.
func (s Stack) Refine(ctx context.Context, delta, width float64, yield func(upper, lower *Curve) float64) error {
	lines, ok := linesWithGaussian(s.Pessimistic)
	if !ok {
		return nil
	}
	total, reach := 0.0, 0.0
	for _, l := range lines {
		total += l.Count
	}
	tail := math.Max(maxUnderflow, 1e-3*math.Min(1e-2, width)*delta/total)
	for _, l := range lines {
		lo, hi := l.Loss.Span(tail)
		reach += l.Count * math.Max(0, hi-lo)
	}
	step := reach / initialCells
	if step == 0 { // one loss each
		step = 1
	}
	return s.attempt(ctx, step, tail, Compose, yield)
}

// RefineByDistance is [Stack.Refine] with cells that grow with their distance from the mean: for losses that
// reach many deviations far.
func (s Stack) RefineByDistance(ctx context.Context, delta, width float64, yield func(upper, lower *Curve) float64) error {
	lines, ok := linesWithGaussian(s.Pessimistic)
	if !ok {
		return nil
	}
	total := 0.0
	for _, l := range lines {
		total += l.Count
	}
	tail := math.Max(maxUnderflow, 1e-3*math.Min(1e-2, width)*delta/total)
	graded := func(ctx context.Context, of spectrum.Stack, step, tail float64, upper bool) (*Curve, bool) {
		return ComposeByDistance(ctx, of, 1/step, tail, upper)
	}
	const coarse = 1.0 / 48 // of a deviation
	return s.attempt(ctx, coarse, tail, graded, yield)
}

// attempt composes both estimates with narrower and narrower cells.
func (s Stack) attempt(ctx context.Context, step, tail float64, compose func(ctx context.Context, s spectrum.Stack, step, tail float64, upper bool) (*Curve, bool), yield func(upper, lower *Curve) float64) error {
	for range maxAttempts {
		if !(step < math.Inf(1)) {
			return ctx.Err()
		}
		upper, ok := compose(ctx, s.Pessimistic, step, tail, true)
		if !ok {
			return ctx.Err()
		}
		lower, ok := compose(ctx, s.Optimistic, step, tail, false)
		if !ok {
			return ctx.Err()
		}
		factor := yield(upper, lower)
		if !(factor < 1) {
			return ctx.Err()
		}
		step *= math.Max(1.0/16, math.Min(0.7, factor))
	}
	return ctx.Err()
}
