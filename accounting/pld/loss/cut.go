package loss

import "math"

// Truncate moves the largest losses, of P-mass at most tail, to +∞. That never lowers the
// curve, and where the P-mass moved is taken off again it never raises it. Without it the
// tilted distribution of a rarely sampled release has a second mode far out, which decides nothing
// and which a tilt falls into.
func (d Distribution) Truncate(tail float64) Distribution {
	kept, _ := d.Cut(tail)
	return kept
}

// Part is some of the losses of a distribution, with their P- and Q-mass and a bound on the
// round-off of either.
type Part struct {
	Of        Distribution
	P, Q, Err float64
}

// Cut returns the truncated distribution and the part that was moved, which is empty if the largest loss itself is not
// rare.
func (d Distribution) Cut(tail float64) (kept Distribution, rare Part) {
	most := d.Largest()
	for _, a := range d.Atoms {
		if a.Loss == most && math.Exp(a.LogP) > tail {
			return d, rare
		}
	}
	if p, _ := d.MassAbove(0); p <= tail || most <= 0 {
		return d, rare
	}
	if len(d.Atoms) == 0 && len(d.Densities) == 1 {
		x := d.Densities[0].quantile(tail)
		return d.split(most, func(*Density) float64 { return x })
	}
	lo, hi := 0.0, most // MassAbove(hi) ≤ tail < MassAbove(lo)
	if math.IsInf(hi, 1) {
		for hi = 1; ; hi *= 2 {
			if p, _ := d.MassAbove(hi); p <= tail || hi > 1e12 {
				break
			}
			lo = hi
		}
	}
	for range 60 {
		mid := lo + (hi-lo)/2
		if hi-lo < 1e-3*hi || mid <= lo || mid >= hi {
			break
		}
		if p, _ := d.MassAbove(mid); p <= tail {
			hi = mid
		} else {
			lo = mid
		}
	}
	if hi >= most {
		return d, rare
	}
	return d.split(hi, func(e *Density) float64 { return e.Reach(hi) })
}

// split takes what lies above a level apart: atoms above it, and densities above the place
// where they reach it.
func (d Distribution) split(level float64, place func(*Density) float64) (kept Distribution, rare Part) {
	kept = d
	kept.Atoms, kept.Densities = nil, nil
	rare.Of.Rounded = d.Rounded
	for _, a := range d.Atoms {
		if a.Loss <= level {
			kept.Atoms = append(kept.Atoms, a)
			continue
		}
		rare.Of.Atoms = append(rare.Of.Atoms, a)
		p, q := math.Exp(a.LogP), math.Exp(a.LogP-a.Loss)
		rare.P, rare.Q = rare.P+p, rare.Q+q
		rare.Err += unit * (p + q) * (4 + math.Abs(a.LogP) + 2*math.Abs(a.Loss) + d.Rounded + float64(len(d.Atoms)))
	}
	for _, e := range d.Densities {
		x := place(&e)
		p, q, pErr, qErr := e.massBound(x, e.Hi)
		rare.P, rare.Q, rare.Err = rare.P+p, rare.Q+q, rare.Err+pErr+qErr
		below, above := e, e
		below.Hi, above.Lo = math.Min(e.Hi, x), math.Max(e.Lo, x)
		if below.Lo < below.Hi {
			kept.Densities = append(kept.Densities, below)
		}
		if above.Lo < above.Hi {
			rare.Of.Densities = append(rare.Of.Densities, above)
		}
	}
	kept.Top, kept.Bottom, kept.Slack = d.Top+rare.P, d.Bottom+rare.Q, d.Slack+rare.Err
	return kept, rare
}
