package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/spectrum"
)

// The loss itself: how often it exceeds a number, its quantiles and its density.

// Direction names a direction of a stack: a record is removed or added.
type Direction int

// With is the loss of the data with the record against those without it, Without the
// reverse.
const (
	With Direction = iota
	Without
)

// stackInDirection returns the stack in one direction. If estimate is set, a bracketed loss is replaced by its
// pessimistic estimate.
func stackInDirection(ctx context.Context, parts []Part, way Direction, estimate bool) (spectrum.Stack, error) {
	both, err := directionsOf(ctx, parts)
	if err != nil {
		return spectrum.Stack{}, err
	}
	d := both[min(int(way), len(both)-1)]
	s, ok := d.stack(false)
	if !ok || d.hasBracketedLoss() && !estimate {
		return s, unsupportedError("the loss of one of the releases is not known")
	}
	return s, nil
}

// Exceed returns certified ends of the probability that the composed loss exceeds x, the
// output being drawn on the first of both data sets. Of pairs known between two estimates
// only there is none.
func Exceed(ctx context.Context, parts []Part, way Direction, x float64, opt Options) (lower, upper float64, err error) {
	s, err := stackInDirection(ctx, parts, way, false)
	if err != nil {
		return 0, 1, err
	}
	return s.Exceed(ctx, x, opt.width())
}

// Quantile returns certified ends of the least x that the composed loss exceeds with a
// probability of at most p, 0 < p < 1, on the first of both data sets. It is infinite if the
// loss is, with more than that probability. Of pairs known between two estimates only there
// is none: a pair that dominates another has the larger δ, not always the larger quantile.
func Quantile(ctx context.Context, parts []Part, way Direction, p float64, opt Options) (lower, upper float64, err error) {
	s, err := stackInDirection(ctx, parts, way, false)
	if err == nil && !(p > 0 && p < 1) {
		err = unsupportedError("a quantile needs a probability between 0 and 1")
	}
	if err != nil {
		return math.Inf(-1), math.Inf(1), err
	}
	return s.Quantile(ctx, p, opt.width())
}

// Density returns the density of the composed finite loss on the first of both data sets at
// several x, smoothed by Gaussian noise of the given deviation: to be drawn, not certified.
// A point that cannot be evaluated is NaN.
func Density(ctx context.Context, parts []Part, way Direction, xs []float64, smoothing float64) ([]float64, error) {
	s, err := stackInDirection(ctx, parts, way, true)
	if err != nil {
		return nil, err
	}
	return s.Density(ctx, xs, smoothing)
}
