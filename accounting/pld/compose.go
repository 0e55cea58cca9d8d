package pld

import (
	"math"

	"epsiloscope/accounting/pld/fft"
)

// composed is a composed loss on a lattice, tilted: entry i is the tilted mass at
// start + i·step; the P-mass there is p·e^{log − θ·loss}. Each entry is off by at
// most err, and beyond what the window holds there is at most above (below) tilted
// mass, part of which has been wrapped into the window.
type composed struct {
	p            []float64
	start, step  float64
	log          float64 // Σ K·ln M(θ)
	err          float64
	above, below float64
	relative     float64 // relative error of every mass from rounding the tilt
	whole        bool    // nothing was wrapped
	under        float64 // with whole: what lies below, moved up to the start
}

func (c composed) loss(i int) float64 { return c.start + float64(i)*c.step }
func (c composed) end() float64       { return c.start + float64(len(c.p))*c.step }

// window is where a composed loss is wanted: from lo to hi, with the s at which
// Chernoff's bound certifies what lies outside.
type window struct{ lo, hi, sUp, sDown float64 }

// tilted are the masses of one release, tilted by e^{θL} and normalised.
type tilted struct {
	masses
	log, mean float64 // ln M(θ), tilted mean
	losses    []float64
	square    float64 // ‖p̃‖₂²
	relative  float64 // relative error of a mass
}

func tilt(m masses, theta float64) tilted {
	t := tilted{masses: masses{m.origin, m.step, make([]int, 0, len(m.index)), make([]float64, 0, len(m.p))}}
	t.log = m.weight(theta)
	largest := 0.0
	for i, p := range m.p {
		x := m.loss(i)
		w := 0.0
		if e := theta*x - t.log; e < 600 {
			w = p * math.Exp(e)
		} else if p > 0 {
			w = math.Exp(math.Log(p) + e)
		}
		if w == 0 {
			continue
		}
		largest = math.Max(largest, math.Abs(theta*x)+math.Abs(t.log))
		t.index, t.p = append(t.index, m.index[i]), append(t.p, w)
		t.losses = append(t.losses, x)
		t.mean += w * x
		t.square += w * w
	}
	t.relative = ulp * (8 + 4*largest)
	t.thin()
	return t
}

// thin passes to the sublattice that the masses lie on: the sweep may use every second
// point only, and then half the frequencies are copies of the others.
func (t *tilted) thin() {
	if len(t.index) < 2 {
		return
	}
	divisor := 0
	for _, j := range t.index[1:] {
		for a, b := divisor, j-t.index[0]; ; a, b = b, a%b {
			if b == 0 {
				divisor = a
				break
			}
		}
		if divisor == 1 {
			return
		}
	}
	t.origin += float64(t.index[0]) * t.step
	first := t.index[0]
	for i, j := range t.index {
		t.index[i] = (j - first) / divisor
	}
	t.step *= float64(divisor)
}

// moved is a window placed around these masses, given the tilted mean of one release
// that it was made for. An outline is coarse, and over many copies its mean drifts by
// more than a window.
func (w window) moved(count, from, to float64) window {
	w.lo += count * (to - from)
	w.hi += count * (to - from)
	return w
}

// power composes count copies of a tilted law into a window, by one forward and one
// inverse transform of length n.
func (t tilted) power(count float64, w window, n int, theta float64) composed {
	middle := math.Round((t.mean - t.origin) / t.step)
	base := count * (t.origin + middle*t.step) // loss of index 0 of the composition
	first := math.Floor((w.lo-base)/t.step) - 1
	c := composed{start: base + first*t.step, step: t.step, log: count * t.log}
	c.relative = count * t.relative
	x := make([]float64, n)
	if count == 1 { // nothing to compose; what lies outside is charged as such
		for i, p := range t.p {
			switch j := float64(t.index[i]) - middle - first; {
			case j < 0:
				c.below += p * (1 + 1e-9)
			case j >= float64(n):
				c.above += p * (1 + 1e-9)
			default:
				x[int(j)] = p
			}
		}
		c.p, c.whole = x, true
		if c.below > 0 {
			c.under = t.under(1, c.start, theta, w.sDown)
		}
		return c
	}
	// On bounded support there may be nothing outside at all.
	if count*(float64(t.index[len(t.index)-1])-middle) >= first+float64(n) {
		c.above = t.beyond(count, c.start+float64(n)*t.step, w.sUp, deepEnough)
	}
	if count*(float64(t.index[0])-middle) < first {
		c.below = t.beyond(count, c.start-t.step/2, w.sDown, deepEnough)
	}
	for i, p := range t.p {
		x[wrap(float64(t.index[i])-middle, n)] += p
	}
	offset := wrap(first, n)
	f := fft.For(n)
	bins := f.Forward(x)
	c.err = raise(bins, count, math.Sqrt(t.square), n)
	y := f.Inverse(bins)
	c.p = append(y[offset:], y[:offset]...)
	return c
}

// wrap is k modulo n, in [0, n), for a whole k. n is a power of two, so neither the
// quotient nor the product rounds, and it takes no loop over the bits of k.
func wrap(k float64, n int) int {
	r := k - float64(n)*math.Floor(k/float64(n))
	if r < 0 {
		r += float64(n)
	}
	if !(r < float64(n)) { // rounded up to n, or not a number
		return 0
	}
	return int(r)
}

// raise takes every bin of a spectrum to the power count and returns a bound on the
// error of each point of the inverse transform: that of the forward transform, which
// the power multiplies, that of the power, and that of the inverse. Bins too small to
// matter are set to 0 and charged.
func raise(bins []complex128, count, norm float64, n int) float64 {
	const negligible = 1e-18
	threshold := math.Exp(2 * math.Log(negligible) / count)
	var dropped, sum1, sum2, sum3 float64
	for k, b := range bins {
		g := real(b)*real(b) + imag(b)*imag(b)
		twice := 2.0
		if k == 0 || k == len(bins)-1 {
			twice = 1
		}
		if g <= threshold {
			bins[k] = 0
			dropped += twice
			continue
		}
		g = math.Min(g, 1)
		size := math.Exp(0.5 * count * math.Log(g))
		less := math.Exp(0.5 * (count - 1) * math.Log(g))
		sin, cos := math.Sincos(count * math.Atan2(imag(b), real(b)))
		bins[k] = complex(size*cos, size*sin)
		sum1 += twice * less
		sum2 += twice * less * less
		sum3 += twice * size * size
	}
	eta, root := fft.Error(n), math.Sqrt(float64(n))
	return count*eta*norm*math.Sqrt(sum2)/root +
		4*ulp*count*sum1/float64(n) +
		eta*math.Sqrt(sum3)/root +
		dropped*negligible*math.E/float64(n) + ulp*norm
}
