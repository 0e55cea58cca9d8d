package pld

import (
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// coarse composes count copies through their few frequencies and gathers the result
// into cells of about the given width, without ever listing the points of the window,
// which may be millions: the sums over a cell are geometric in the frequency domain.
//
// From above the points of a cell are split between its two ends so that P-mass and
// Q-mass are kept, as raiseTo does; from below the P-mass and the Q-mass of every cell are
// found and make a grain for the sweep. The lower end of what is returned as composed is
// empty but for its place and scale.
func (t tilted) coarse(count float64, w window, theta, width float64, upper bool) (composed, []grain, bool) {
	block := math.Max(1, math.Floor(width/t.step))
	size := t.step * block
	cells := max(fft.Length((w.hi-w.lo)/size+4), 4*maxFrequencies)
	if cells > maxOwn {
		return composed{}, nil, false
	}
	s, ok := t.spectralOn(count, w, block*float64(cells))
	if !ok {
		return composed{}, nil, false
	}
	c := composed{
		start: s.start, step: size, log: s.log, relative: s.relative,
		above: s.above, below: s.below, p: make([]float64, cells),
	}
	// The first sum of each bin over a cell, weighted by e^{−θrh}, and by e^{−(θ+1)rh}.
	bins1, bins2 := make([]complex128, cells/2+1), make([]complex128, cells/2+1)
	scale := complex(1/block, 0)
	total, square := 0.0, 0.0
	for k, b := range s.bins {
		phase := 2 * math.Pi * float64(k) / s.n
		one := geometric(theta*t.step, phase, block)
		two := geometric((theta+1)*t.step, phase, block)
		total += 2 * cmplx.Abs(b)
		square += 2 * cmplx.Abs(b) * cmplx.Abs(b)
		bins1[k], bins2[k] = b*one*scale, b*two*scale
	}
	plan := fft.For(cells)
	n := float64(cells)
	// Each point of the window is off by s.err, each sum over a cell by that many, plus
	// the round-off of the geometric sums and of the inverse transform.
	c.err = s.err*block + 64*ulp*total/n + 2*fft.Error(cells)*math.Sqrt(square/n)
	if !upper {
		return c, t.grains(c, count, theta, plan.Inverse(bins1), plan.Inverse(bins2)), true
	}
	fall, lift := -math.Expm1(-size), math.Exp(theta*size)
	for k := range s.bins {
		one, two := bins1[k], bins2[k]
		stay := (two - complex(1-fall, 0)*one) / complex(fall, 0)
		rise := complex(lift/fall, 0) * (one - two)
		sin, cos := math.Sincos(-2 * math.Pi * float64(k) / n) // what rises belongs to the next cell
		bins1[k] = stay + rise*complex(cos, sin)
	}
	c.p = plan.Inverse(bins1)
	c.err = 2 * lift * (s.err*block + (64*ulp*total/n+2*fft.Error(cells)*math.Sqrt(square/n))*(1+2/fall))
	return c, nil, true
}

// grains are the cells as pieces for the sweep, P-masses rounded down and Q-masses up. A
// cell's ratio is at least that of its lower edge, whatever the errors.
func (t tilted) grains(c composed, count, theta float64, p, q []float64) []grain {
	out := make([]grain, 0, len(p))
	centre := count * t.mean
	for i := range p {
		mass := p[i] - c.err - c.above - c.below // what was wrapped may sit anywhere
		x := c.loss(i)
		scaled := mass * math.Exp(-theta*(x-centre))
		if !(mass > 0) || math.IsInf(scaled, 1) {
			continue
		}
		ratio := math.Max(x, x+math.Log(mass/(q[i]+c.err))-8*ulp)
		out = append(out, grain{scaled, ratio, x})
	}
	return out
}
