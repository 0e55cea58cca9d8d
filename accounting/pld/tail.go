package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// The loss itself: how often it exceeds a number, its quantiles and its density.

// stackInDirection returns the stack in one direction. If estimate is set, a bracketed loss is replaced by its
// pessimistic estimate.
func stackInDirection(ctx context.Context, parts []pairs.Part, way Direction, estimate bool) (spectrum.Stack, error) {
	both, err := directionsOf(ctx, parts)
	if err != nil {
		return spectrum.Stack{}, err
	}
	d := both[min(int(way), len(both)-1)]
	s, ok := d.stack(func(l pairs.Line) *pairs.Estimate { return l.Upper() })
	if !ok || d.hasBracketedLoss() && !estimate {
		return s, unsupportedError("the loss of one of the releases is not known")
	}
	return s, nil
}

// TailProbability returns certified ends of the probability that the composed loss exceeds x if the output is
// drawn on the true data set. It is an error if a pair of the stack is bracketed.
func TailProbability(ctx context.Context, parts []pairs.Part, way Direction, x float64, opt Options) (lower,
	upper float64, err error) {
	s, err := stackInDirection(ctx, parts, way, false)
	if err != nil {
		return 0, 1, err
	}
	return s.TailProbability(ctx, x, opt.width())
}

// Quantile returns certified ends of the least x that the composed loss exceeds with probability at most p, 0
// < p < 1, if the output is drawn on the true data set. It is +Inf if the loss is infinite with a larger
// probability. It is an error if a pair of the stack is bracketed: a pair that dominates another has the
// larger δ, but not always the larger quantile.
func Quantile(ctx context.Context, parts []pairs.Part, way Direction, p float64, opt Options) (lower,
	upper float64, err error) {
	s, err := stackInDirection(ctx, parts, way, false)
	if err == nil && !(p > 0 && p < 1) {
		err = unsupportedError("a quantile needs a probability between 0 and 1")
	}
	if err != nil {
		return math.Inf(-1), math.Inf(1), err
	}
	return s.Quantile(ctx, p, opt.width())
}

// Density returns the density of the composed finite loss at several x, if the output is drawn on the true
// data set, smoothed by Gaussian noise of the given deviation. It is for drawing and not certified. A point
// that cannot be evaluated is NaN, and the density is 0 where a larger loss is less probable than `least`.
func Density(ctx context.Context, parts []pairs.Part, way Direction, xs []float64,
	smoothing, least float64) ([]float64, error) {
	s, err := stackInDirection(ctx, parts, way, true)
	if err != nil {
		return nil, err
	}
	return s.Density(ctx, xs, smoothing, least)
}
