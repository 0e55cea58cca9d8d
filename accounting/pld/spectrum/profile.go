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
// the spectrum was tilted for.
type reader struct {
	stack        Stack
	width, sharp float64
	spectra      []*Spectrum // the last one; or one of the common losses and one of the rare ones
	short        truncated
	vain         Inversion // the last that was too much work
	failures     int       // of attempts with two spectra
}

func (s Stack) reader(width float64) *reader { return &reader{stack: s.withKeys(), width: width} }

func (r *reader) delta(ctx context.Context, epsilon float64) (lower, upper float64, err error) {
	lower, upper = 0, 1
	if len(r.spectra) > 0 {
		lower, upper = r.short.read(r.spectra, epsilon)
	}
	if upper <= lower*(1+r.sharp) {
		return lower, upper, nil
	}
	next, at, ok, err := r.spectrumAt(ctx, epsilon)
	if err != nil || !ok {
		return lower, upper, err
	}
	r.spectra, r.short = []*Spectrum{next}, at
	l, u := at.read(r.spectra, epsilon)
	if !(u < l*blunt) {
		if l, u, err = r.readApart(ctx, epsilon, l, u); err != nil {
			return lower, upper, err
		}
	}
	r.sharp = 10 * r.width
	if u < l*blunt {
		r.sharp = math.Max(r.sharp, 1.5*(u/l-1))
	}
	return math.Max(l, lower), math.Min(u, upper), nil
}

// blunt is the ratio of the ends of δ from which on no one tilt suits.
const blunt = 1.5

// readApart reads δ(ε) off two spectra, one of the common and one of the rare losses as in [search.pass], if that
// encloses it more closely than the ends given.
func (r *reader) readApart(ctx context.Context, epsilon, lower, upper float64) (float64, float64, error) {
	width := math.Min(r.width, math.Max(1e-5, 0.1*r.width)) // at the full width smoothing leaves the ends too far apart
	about := upper
	if lower > 0 {
		about = math.Sqrt(lower * upper)
	}
	for _, level := range []float64{3, 30, 0.9, 1e3} {
		if r.failures > 2 {
			break
		}
		parts, ok := r.short.cut(level * about / math.Max(1, r.stack.releases()))
		if !ok {
			continue
		}
		spectra, _, err := evaluateParts(ctx, parts, sharesAt(parts, epsilon), aim(-10, epsilon, width, 0), 1<<16)
		if err != nil {
			return lower, upper, err
		}
		l, u := 0.0, 1.0
		if spectra != nil {
			l, u = r.short.read(spectra, epsilon)
		}
		if u*lower < upper*l || lower == 0 && l > 0 {
			r.spectra, lower, upper = spectra, math.Max(l, lower), math.Min(u, upper)
		}
		if u <= l*(1+10*r.width) {
			break
		}
		if r.failures++; u < l*blunt {
			r.failures = 0
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

// spectrumAt returns the spectrum at the tilt for ε. How much may be truncated depends on δ, which
// a first plan estimates.
func (r *reader) spectrumAt(ctx context.Context, epsilon float64) (*Spectrum, truncated, bool, error) {
	s, t := r.stack, aim(-10, epsilon, r.width, 0)
	tail := 1e-15
	for range 3 {
		short := s.truncate(ctx, tail/math.Max(1, s.releases()))
		p, ok := short.choose(t)
		if !ok {
			return nil, short, false, ctx.Err()
		}
		log, _, variance := short.outline(p.Theta)
		allowed := math.Max(1e-290, math.Exp(
			math.Min(0, log-p.Theta*epsilon-logSize(p.Theta, variance)))*math.Min(1e-5, 1e-2*r.width))
		if tail > allowed {
			tail = 0.1 * allowed
			continue
		}
		if p.Theta == r.vain.Theta && p.Window == r.vain.Window && p.Bandwidth >= 0.9*r.vain.Bandwidth {
			return nil, short, false, nil // as much work again
		}
		c, ok, err := short.evaluate(ctx, p)
		if !ok {
			r.vain = p
		}
		return c, short, ok, err
	}
	return nil, truncated{}, false, nil
}
