package spectrum

import (
	"context"
	"math"
	"sort"

	"epsiloscope/accounting/special"
)

// Density returns the density of the composed finite loss at several x, smoothed by Gaussian noise of
// deviation h unless it is smooth by itself: f(x) = (1/2π)∫ e^{Λ(ζ) − ζx} dω, the same terms with
// the kernel 1. It is for drawing and not certified: its aliases and errors, below about 1e-6 of
// the density where the tilt suits x, are not bounded. Points that cannot be evaluated are NaN. It is 0 from a point on
// that the loss exceeds with a probability below `least`, by Chernoff's bound.
func (s Stack) Density(ctx context.Context, xs []float64, h, least float64) ([]float64, error) {
	s = s.withKeys()
	out := make([]float64, len(xs))
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return xs[order[a]] < xs[order[b]] })
	var c *Spectrum
	var centre float64
	short := s.truncate(ctx, 1e-18/math.Max(1, s.releases()))
	for _, i := range order {
		x := xs[i]
		if c == nil || math.Abs(x-centre) > 2*c.plan.deviation {
			next, err := short.densitySpectrum(ctx, x, h)
			if err != nil {
				return nil, err
			}
			if next == nil {
				out[i] = math.NaN()
				continue
			}
			if next.log-next.plan.Theta*x < math.Log(least) {
				break
			}
			c, centre = next, x
		}
		out[i] = c.density(x)
	}
	return out, nil
}

// densitySpectrum returns a spectrum at the tilt for x.
func (s *truncated) densitySpectrum(ctx context.Context, x, h float64) (*Spectrum, error) {
	p, ok := s.choose(aim(-10, x, 1e-3, 0))
	if !ok {
		return nil, ctx.Err()
	}
	if p.Smoothing > 0 || p.lattice.step > 0 || p.Bandwidth > 40/h { // else the loss is smooth by itself
		p.Smoothing, p.Spread, p.lattice = h, false, lattice{}
		p.Bandwidth = p.dampingFrequency(h*h + s.square)
	}
	p.Window = math.Max(p.Window, ceilPower(16*math.Max(p.deviation, h)))
	c, ok, err := s.evaluate(ctx, p)
	if err != nil || !ok {
		return nil, err
	}
	return c, nil
}

// density is NaN where the terms, e^30 times as large as at a tilt that suits x, cancel to their round-off: near the
// largest loss, where the noise that smooths is much wider than the loss.
func (s *Spectrum) density(x float64) float64 {
	size := s.log - s.plan.Theta*x
	if size > 30 {
		return math.NaN()
	}
	sum := 0.5 * math.Exp(s.terms[0].log)
	place := s.mean - x
	for _, t := range s.terms[1:] {
		sum += math.Exp(t.log) * math.Cos(t.angle+t.omega*place)
	}
	return math.Max(0, sum*s.spacing/math.Pi*math.Exp(size))
}

// TailProbability encloses P(S > x), the mass at +∞ included. With u = e^ε the curve is
// convex in u, and its slope is −Q(S > ε). That lies between the slopes of the chords on
// either side, which the certified δ encloses, and P(S > x) = δ(x) + e^x·Q(S > x).
func (s Stack) TailProbability(ctx context.Context, x, width float64) (lower, upper float64, err error) {
	return s.massReader(1e-2*width).massAbove(ctx, x)
}

// massReader returns a reader for differences of δ at neighbouring ε, which are to come from one spectrum.
func (s Stack) massReader(width float64) *Reader {
	r := s.Reader()
	r.width, r.lastOnly = width, true
	return r
}

func (r *Reader) massAbove(ctx context.Context, x float64) (lower, upper float64, err error) {
	low, high, err := r.delta(ctx, x)
	if err != nil || len(r.readings) == 0 {
		return low, 1, err
	}
	plan := r.readings[r.nextTo(x)[0]].spectra[0].plan
	h := math.Max(3e3*r.width, 1e-4) / math.Max(plan.Theta, 1/plan.deviation)
	_, before, err := r.delta(ctx, x-h)
	if err != nil {
		return low, 1, err
	}
	_, after, err := r.delta(ctx, x+h)
	if err != nil {
		return low, 1, err
	}
	upper = math.Min(1, (high+math.Max(0, before-low)/-math.Expm1(-h))*(1+1e-12))
	lower = math.Max(low, (low+math.Max(0, low-after)/math.Expm1(h))*(1-1e-12))
	return lower, upper, nil
}

// Quantile encloses the least x with P(S > x) ≤ p, 0 < p < 1: the composed loss exceeds it with a
// probability of p at most. An end is infinite where no x is known on its side: the upper
// one, too, where p is less than the mass at +∞.
func (s Stack) Quantile(ctx context.Context, p, width float64) (lower, upper float64, err error) {
	r := s.massReader(1e-2 * width)
	short := r.stack.truncate(ctx, 0)
	if short.failed > p {
		return math.Inf(1), math.Inf(1), nil
	}
	most, slack := s.largest()
	_, mean, variance := short.outline(1e-9)
	deviation := math.Max(math.Sqrt(math.Max(0, variance)), 1e-9*math.Abs(mean)+1e-300)
	above := func(side float64) func(x float64) bool { // P(S > x) > p, possibly or certainly
		return func(x float64) bool {
			if x >= most+slack { // only what lies at +∞, or may
				return short.failed > p || side > 0 && short.top > p
			}
			l, u, failed := r.massAbove(ctx, x)
			if err == nil {
				err = failed
			}
			return err == nil && (l > p || side > 0 && u > p)
		}
	}
	found := [2]float64{math.Inf(-1), math.Inf(1)}
	for i, side := range []float64{-1, 1} {
		holds := above(side)
		lo, hi := mean, mean
		for step := deviation; !holds(lo) && err == nil; step *= 2 {
			if step > 1e9*deviation {
				lo = math.Inf(-1)
				break
			}
			hi, lo = lo, lo-step
		}
		for step := deviation; holds(hi) && err == nil; step *= 2 {
			if step > 1e9*deviation {
				hi = math.Inf(1)
				break
			}
			lo, hi = hi, hi+step
		}
		if !math.IsInf(hi-lo, 1) && err == nil {
			lo, hi = special.Bisect(lo, hi, width*deviation, holds)
		}
		found[i] = []float64{lo, hi}[i]
	}
	return found[0], found[1], err
}
