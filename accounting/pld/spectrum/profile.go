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
	*Spectrum    // the last one
	short        truncated
	vain         Inversion // the last that was too much work
}

func (s Stack) reader(width float64) *reader { return &reader{stack: s.withKeys(), width: width} }

func (r *reader) delta(ctx context.Context, epsilon float64) (lower, upper float64, err error) {
	lower, upper = 0, 1
	if r.Spectrum != nil {
		lower, upper = r.short.read(r.Spectrum, epsilon)
	}
	if upper <= lower*(1+r.sharp) {
		return lower, upper, nil
	}
	next, at, ok, err := r.spectrumAt(ctx, epsilon)
	if err != nil || !ok {
		return lower, upper, err
	}
	r.Spectrum, r.short = next, at
	l, u := at.read(next, epsilon)
	r.sharp = 10 * r.width
	if u < l*1.5 {
		r.sharp = math.Max(r.sharp, 1.5*(u/l-1))
	}
	return math.Max(l, lower), math.Min(u, upper), nil
}

// read returns δ(ε) with what lies at +∞, rounded outward.
func (s *truncated) read(c *Spectrum, epsilon float64) (lower, upper float64) {
	l, u := c.LogDelta(epsilon)
	lower = math.Max(0, (s.failed+math.Exp(l))*(1-care*unit))
	upper = math.Min(1, (s.top+math.Exp(u))*(1+care*unit))
	return math.Min(lower, 1), upper
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
		allowed := math.Max(1e-290, math.Exp(math.Min(0, log-p.Theta*epsilon-logSize(p.Theta, variance)))*math.Min(1e-5, 1e-2*r.width))
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
