package spectrum

import (
	"context"
	"math"
)

// Deltas encloses δ(ε) at several ε, any real numbers, the mass at +∞ included. Neighbouring
// ε share a spectrum as long as it is sharp there: ln δ is known to about ten times the
// width, or nearly as well as it was where the spectrum was tilted for. A point that cannot be evaluated has the ends 0 and 1.
func (s Stack) Deltas(ctx context.Context, epsilons []float64, width float64) (lower, upper []float64, err error) {
	s = s.keyed()
	lower, upper = make([]float64, len(epsilons)), make([]float64, len(epsilons))
	var c *Spectrum
	var short truncated
	sharp := 10 * width
	for i, e := range epsilons {
		lower[i], upper[i] = 0, 1
		if c != nil {
			lower[i], upper[i] = short.read(c, e)
		}
		if upper[i] <= lower[i]*(1+sharp) {
			continue
		}
		next, at, ok, err := s.around(ctx, e, width)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		c, short = next, at
		l, u := short.read(c, e)
		sharp = 10 * width
		if u < l*1.5 {
			sharp = math.Max(sharp, 1.5*(u/l-1))
		}
		lower[i], upper[i] = math.Max(l, lower[i]), math.Min(u, upper[i])
	}
	return lower, upper, nil
}

// read is δ(ε) with what lies at +∞, rounded outward.
func (s *truncated) read(c *Spectrum, epsilon float64) (lower, upper float64) {
	l, u := c.LogDelta(epsilon)
	lower = math.Max(0, (s.failed+math.Exp(l))*(1-care*unit))
	upper = math.Min(1, (s.top+math.Exp(u))*(1+care*unit))
	return math.Min(lower, 1), upper
}

// around is the spectrum at the tilt for ε. How much may be truncated depends on δ, which
// a first plan estimates.
func (s Stack) around(ctx context.Context, epsilon, width float64) (*Spectrum, truncated, bool, error) {
	t := aim(-10, epsilon, width, 0)
	tail := 1e-15
	for range 3 {
		short := s.truncate(ctx, tail/math.Max(1, s.releases()))
		p, ok := short.choose(t)
		if !ok {
			return nil, short, false, ctx.Err()
		}
		log, _, variance := short.outline(p.Theta)
		allowed := math.Max(1e-290, math.Exp(math.Min(0, log-p.Theta*epsilon-logSize(p.Theta, variance)))*math.Min(1e-5, 1e-2*width))
		if tail > allowed {
			tail = 0.1 * allowed
			continue
		}
		c, ok, err := short.evaluate(ctx, p)
		return c, short, ok, err
	}
	return nil, truncated{}, false, nil
}
