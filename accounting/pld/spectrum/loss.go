package spectrum

import (
	"context"
	"math"
	"sort"
)

// Density is the density of the composed finite loss at several x, smoothed by Gaussian
// noise of deviation h unless it is smooth by itself: f(x) = (1/2π)∫ e^{Λ(ζ) − ζx} dω, the same terms with the kernel 1. It is
// to be drawn and proves nothing: its aliases and errors, below about 1e-6 of the density
// where the tilt suits x, are not bounded. Points that cannot be evaluated are NaN.
func (s Stack) Density(ctx context.Context, xs []float64, h float64) ([]float64, error) {
	s = s.keyed()
	out := make([]float64, len(xs))
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return xs[order[a]] > xs[order[b]] })
	var c *Spectrum
	var centre float64
	short := s.truncate(ctx, 1e-18/math.Max(1, s.releases()))
	for _, i := range order {
		x := xs[i]
		if c == nil || math.Abs(x-centre) > 2*c.plan.deviation {
			next, err := short.drawn(ctx, x, h)
			if err != nil {
				return nil, err
			}
			if next == nil {
				out[i] = math.NaN()
				continue
			}
			c, centre = next, x
		}
		out[i] = c.density(x)
	}
	return out, nil
}

// drawn is a spectrum at the tilt for x.
func (s *truncated) drawn(ctx context.Context, x, h float64) (*Spectrum, error) {
	p, ok := s.choose(aim(-10, x, 1e-3, 0))
	if !ok {
		return nil, ctx.Err()
	}
	if p.Smoothing > 0 || p.lattice.step > 0 || p.Bandwidth > 40/h { // else the loss is smooth by itself
		p.Smoothing, p.Spread, p.lattice = h, false, lattice{}
		p.Bandwidth = p.damped(h*h + s.Square)
	}
	p.Window = math.Max(p.Window, ceiled(16*math.Max(p.deviation, h)))
	c, ok, err := s.evaluate(ctx, p)
	if err != nil || !ok {
		return nil, err
	}
	return c, nil
}

func (s *Spectrum) density(x float64) float64 {
	sum := 0.5
	if len(s.terms) > 0 {
		sum = 0.5 * math.Exp(s.terms[0].log)
	}
	place := s.mean - x
	for _, t := range s.terms[1:] {
		sum += math.Exp(t.log) * math.Cos(t.angle+t.omega*place)
	}
	return math.Max(0, sum*s.spacing/math.Pi*math.Exp(s.log-s.plan.Theta*x))
}

// Exceed encloses P(S > x), the mass at +∞ included, at several x. With u = e^ε the curve is
// convex in u, and its slope is −Q(S > ε): that lies between the slopes of the chords on
// either side, which the certified δ encloses, and P(S > x) = δ(x) + e^x·Q(S > x).
func (s Stack) Exceed(ctx context.Context, xs []float64, width float64) (lower, upper []float64, err error) {
	s = s.keyed()
	lower, upper = make([]float64, len(xs)), make([]float64, len(xs))
	for i, x := range xs {
		c, _, ok, err := s.around(ctx, x, 1e-2)
		if err != nil {
			return nil, nil, err
		}
		if upper[i] = 1; !ok {
			continue
		}
		h := math.Max(30*width, 1e-4) / math.Max(c.plan.Theta, 1/c.plan.deviation)
		low, high, err := s.Deltas(ctx, []float64{x - h, x, x + h}, 1e-2*width)
		if err != nil {
			return nil, nil, err
		}
		upper[i] = math.Min(1, (high[1]+math.Max(0, high[0]-low[1])/-math.Expm1(-h))*(1+1e-12))
		lower[i] = math.Max(low[1], (low[1]+math.Max(0, low[1]-high[2])/math.Expm1(h))*(1-1e-12))
	}
	return lower, upper, nil
}
