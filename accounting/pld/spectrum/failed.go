package spectrum

import (
	"context"
	"math"
)

// Upper ends of δ by one moment, and both ends where δ consists of what lies at +∞: neither needs a spectrum.

// failedShare is the share of the width of a reader that δ may take from the finite losses where no spectrum is made.
const failedShare = 0.1

// deltaOfFailures returns the ends of δ(ε) if one moment proves that the finite losses hardly add to the mass at +∞; ok
// is false if they may. As δ does not increase, the same ends serve all larger ε.
func (r *Reader) deltaOfFailures(ctx context.Context, epsilon float64) (lower, upper float64, ok bool) {
	if r.failedUpper > 0 && epsilon >= r.failedFrom && r.failedUpper <= r.failedLower*(1+r.width) {
		return r.failedLower, r.failedUpper, true
	}
	releases := math.Max(1, r.stack.releases())
	failed := r.stack.truncate(ctx, 1e-15/releases).failed
	spare := failedShare * r.width * failed
	if !(spare > 0) {
		return 0, 1, false
	}
	upper, ok = r.boundByMoment(ctx, epsilon, 1e-2*spare/releases, failed+spare)
	if !ok {
		return 0, 1, false
	}
	lower = failed * (1 - care*unit)
	r.failedFrom, r.failedLower, r.failedUpper = epsilon, lower, upper
	return lower, upper, true
}

// Bound returns an upper end of δ(ε) by one moment; ok is false if it is above a limit.
func (r *Reader) Bound(ctx context.Context, epsilon, limit float64) (upper float64, ok bool) {
	return r.boundByMoment(ctx, epsilon, math.Min(1e-15, 1e-2*limit)/math.Max(1, r.stack.releases()), limit)
}

// boundByMoment returns an upper end of δ(ε); ok is false if it is above a limit. With S the finite part of the
// composed loss, of which a tail may be taken for +∞, and every θ > 0,
//
//	δ(ε) ≤ P(+∞) + e^{Λ(θ)−θε}·max_x e^{−θx}(1−e^{−x}).
//
// Coarse rules choose θ and say whether the moment is worth computing; they prove nothing.
func (r *Reader) boundByMoment(ctx context.Context, epsilon, tail, limit float64) (upper float64, ok bool) {
	short := r.stack.truncate(ctx, tail)
	theta, ok := short.tilt(aim(-10, epsilon, 0, 0))
	if !ok {
		return 1, false
	}
	about := func(theta float64) float64 {
		log, _, _ := short.outline(theta)
		return math.Exp(log - theta*epsilon + logHeight(theta))
	}
	if !(short.top+about(theta) < limit) {
		return 1, false
	}
	// Far above all losses the best θ is so large that its moment is not certified, and a smaller one does.
	for theta > 1 && about(theta/2) < 1e-3*(limit-short.top) {
		theta /= 2
	}
	upper = math.Min(1, (short.top+math.Exp(short.finiteBound(theta, epsilon)))*(1+care*unit))
	return upper, upper <= limit && ctx.Err() == nil
}

// finiteBound returns an upper bound of ln of the finite part of δ(ε) by the moment at θ, +Inf if none is certified.
func (s *truncated) finiteBound(theta, epsilon float64) float64 {
	log := s.square*theta*(theta+1)/2 - theta*epsilon + logHeight(theta)
	size := s.square*theta*(theta+1) + theta*math.Abs(epsilon) + 4
	for _, l := range s.lines {
		one, err := LogMoment(&l.Distribution, theta)
		log += l.count * (one + err)
		size += l.count * (math.Abs(one) + err)
	}
	return log + care*unit*float64(len(s.lines)+4)*size
}
