package spectrum

import (
	"context"
	"math"
)

// Deltas encloses δ(ε) at several ε, any real numbers, the mass at +∞ included. A point that
// cannot be evaluated has the ends 0 and 1.
func (s Stack) Deltas(ctx context.Context, epsilons []float64, width float64) (lower, upper []float64, err error) {
	lower, upper = make([]float64, len(epsilons)), make([]float64, len(epsilons))
	r := s.reader(width)
	for i, epsilon := range epsilons {
		if lower[i], upper[i], err = r.delta(ctx, epsilon); err != nil {
			return nil, nil, err
		}
	}
	return lower, upper, nil
}

// reader reads δ at one ε after the other. Neighbouring ε share a spectrum as long as it is
// sharp there: ln δ is known to about ten times the width, or nearly as well as at the ε that
// the spectrum was tilted for. Two spectra take longer, and are shared as long as δ is narrow.
type reader struct {
	stack        Stack
	width, sharp float64
	spectra      []*Spectrum // the last one; or one of the common losses and one of the rare ones
	short        truncated
	vain         Inversion // the last that was too much work,
	tooMuch      int       // and how many were, one after the other
	failures     int       // of attempts with two spectra
	level        float64   // of the cut at which two spectra were narrow where one was not; 0: none so far
}

func (s Stack) reader(width float64) *reader { return &reader{stack: s.withKeys(), width: width} }

// DeltaShare is the width of δ, in its relative width per relative width of ε, at which it is narrow.
const DeltaShare = 200

// narrow reports whether δ is known as well as it was asked for.
func (r *reader) narrow(lower, upper float64) bool { return upper <= lower*(1+DeltaShare*r.width) }

func (r *reader) delta(ctx context.Context, epsilon float64) (lower, upper float64, err error) {
	lower, upper = 0, 1
	if len(r.spectra) > 0 {
		lower, upper = r.short.read(r.spectra, epsilon)
	}
	if upper <= lower*(1+r.sharp) {
		return lower, upper, nil
	}
	plan, at, ok, err := r.planAt(ctx, epsilon)
	if err != nil || !ok {
		return lower, upper, err
	}
	if r.level > 0 && lower > 0 { // one spectrum did not do next to this ε
		lower, upper, err = r.readApart(ctx, at, epsilon, lower, upper, r.level)
		if err != nil || r.narrow(lower, upper) {
			return lower, upper, err
		}
	}
	next, ok, err := at.evaluate(ctx, plan)
	if err != nil || !ok {
		r.vain = plan
		r.tooMuch++
		return lower, upper, err
	}
	r.spectra, r.short, r.tooMuch = []*Spectrum{next}, at, 0
	l, u := at.read(r.spectra, epsilon)
	r.sharp = math.Max(10*r.width, 1.5*(u/l-1))
	if !(u < l*blunt) {
		r.sharp = 10 * r.width
		if l, u, err = r.readApart(ctx, at, epsilon, l, u, 3, 30, 0.9, 1e3); err != nil {
			return lower, upper, err
		}
	}
	return math.Max(l, lower), math.Min(u, upper), nil
}

// blunt is the ratio of the ends of δ from which on no one tilt suits.
const blunt = 1.5

// readApart reads δ(ε) off two spectra, one of the common and one of the rare losses as in [search.pass], if that
// encloses it more closely than the ends given. The stack is truncated for this ε and cut at one of some levels, in
// units of δ.
func (r *reader) readApart(ctx context.Context, short truncated, epsilon, lower, upper float64,
	levels ...float64) (float64, float64, error) {
	width := math.Min(r.width, math.Max(1e-5, 0.1*r.width)) // at the full width smoothing leaves the ends too far apart
	about := upper
	if lower > 0 {
		about = math.Sqrt(lower * upper)
	}
	for _, level := range levels {
		if r.failures > 2 {
			break
		}
		parts, ok := short.cut(level * about / math.Max(1, r.stack.releases()))
		if !ok {
			continue
		}
		spectra, _, err := evaluateParts(ctx, parts, sharesAt(parts, epsilon), aim(-10, epsilon, width, 0), 1<<16)
		if err != nil {
			return lower, upper, err
		}
		l, u := 0.0, 1.0
		if spectra != nil {
			l, u = short.read(spectra, epsilon)
		}
		if u*lower < upper*l || lower == 0 && l > 0 {
			r.spectra, r.short, lower, upper = spectra, short, math.Max(l, lower), math.Min(u, upper)
		}
		if r.narrow(l, u) {
			r.level, r.sharp = level, math.Max(r.sharp, DeltaShare*r.width)
			break
		}
		if r.failures++; u < l*blunt {
			r.failures, r.sharp = 0, math.Max(10*r.width, 1.5*(u/l-1))
		}
	}
	return lower, upper, ctx.Err()
}

// read returns δ(ε) with what lies at +∞, rounded outward: the sum of what the spectra contribute.
func (s *truncated) read(spectra []*Spectrum, epsilon float64) (lower, upper float64) {
	lower, upper = s.failed, s.top
	for _, c := range spectra {
		l, u := c.LogDelta(epsilon)
		lower, upper = lower+math.Exp(l), upper+math.Exp(u)
	}
	return math.Min(1, math.Max(0, lower*(1-care*unit))), math.Min(1, upper*(1+care*unit))
}

// planAt returns the plan of a spectrum at the tilt for ε, and the stack it is for; false if there is none,
// or it is as much work as one that was too much. How much may be truncated depends on δ, which a first plan estimates.
func (r *reader) planAt(ctx context.Context, epsilon float64) (Inversion, truncated, bool, error) {
	s, t := r.stack, aim(-10, epsilon, r.width, 0)
	tail := 1e-15
	for range 3 {
		short := s.truncate(ctx, tail/math.Max(1, s.releases()))
		p, ok := short.choose(t)
		if !ok {
			return p, short, false, ctx.Err()
		}
		log, _, variance := short.outline(p.Theta)
		allowed := math.Max(1e-290, math.Exp(
			math.Min(0, log-p.Theta*epsilon-logSize(p.Theta, variance)))*math.Min(1e-5, 1e-2*r.width))
		if tail > allowed {
			tail = 0.1 * allowed
			continue
		}
		return p, short, !r.asMuchWork(p), nil
	}
	return Inversion{}, truncated{}, false, nil
}

// asMuchWork reports whether a plan is about as much work as one that was too much: with the same tilt, or with any
// after some attempts.
func (r *reader) asMuchWork(p Inversion) bool {
	const attempts = 3
	again := p.Theta == r.vain.Theta && p.Window == r.vain.Window && p.Bandwidth >= 0.9*r.vain.Bandwidth
	return again || r.tooMuch >= attempts && p.Bandwidth*p.Window >= 0.5*r.vain.Bandwidth*r.vain.Window
}
