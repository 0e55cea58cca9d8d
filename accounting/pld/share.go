package pld

import (
	"math"
	"sync/atomic"

	"epsiloscope/accounting/pld/fft"
)

// share is one line of a mixed stack, composed on its own grid, moved once to the
// common grid, and transformed.
type share struct {
	tilted
	lost     float64 // P-mass at +∞ of all copies
	relative float64
	bins     atomic.Pointer[[]complex128]
	extra    []float64 // tilted mass that stands for round-off only, by index
	noise    float64   // all of it
	total    float64   // all other tilted mass
	void     bool      // no mass is left after all charges
	cut      bool      // the window was too long for a transform; nothing else is set
}

// maxOwn is the longest transform of one line's own grid.
const maxOwn = 1 << 20

// compose brings one line to the common grid.
func (st standIn) share(l line, o weighted, s setting, upper bool) *share {
	solo := setting{outline: composeOutlines([]weighted{o}, s.theta), theta: s.theta}
	w := solo.window(36, s.theta)
	w.hi = math.Max(w.hi, solo.outline.summit(s.logTail))
	if most := l.count * l.hi; most < w.hi {
		w.hi = math.Max(w.lo, most)
	}
	m, top := st.up, st.top
	if !upper {
		m, top = st.low, st.bottom
	}
	t := tilt(m, s.theta)
	if len(t.p) == 0 || !w.sound() {
		return nil
	}
	if (w.hi-w.lo)/s.common > longest {
		return nil
	}
	w = w.moved(l.count, o.at.mean, t.mean)
	length := fft.Length((w.hi-w.lo)/t.step + 4)
	var c composed
	var moved masses
	var noise []float64
	var lost float64
	short := false
	if length > 1<<13 { // many copies of a fine law: through their few frequencies
		var grains []grain
		if c, grains, short = t.coarse(l.count, w, s.theta, s.common/4, upper); short && !upper {
			moved = sweepTo(grains, c.start, s.common, s.theta, l.count*t.mean)
		}
	}
	if !short {
		if length > maxOwn {
			return &share{cut: true}
		}
		// A few points of its own far apart may be many of the common grid.
		if float64(length)*t.step/s.common > 2*longest {
			return nil
		}
		if c = t.power(l.count, w, length, s.theta); !upper {
			moved = c.lowerTo(s.common, s.theta)
		}
	}
	if upper {
		// What lies above goes to +∞, and must be small beside δ.
		if scale := c.log - s.theta*c.end(); c.above > 0 && !c.whole && !short {
			c.above = t.beyond(l.count, c.end(), w.sUp, math.Min(deepEnough, s.logTail-scale))
		} else if short && c.above > 0 {
			c.above = t.beyond(l.count, c.end()-c.step, w.sUp, math.Min(deepEnough, s.logTail-scale))
		}
		lost = math.Exp(c.log-s.theta*(c.end()-c.step)) * c.above
		if c.below > 0 {
			c.below = t.under(l.count, c.start, s.theta, w.sDown)
		}
		caps := t.ladder(l.count, c.start, c.end(), w)
		if short { // a point holds what came from the cells on either side of it
			for i := range caps {
				caps[i].log += (math.Abs(caps[i].s) + s.theta) * c.step
			}
		}
		moved, noise = c.raiseTo(s.common, s.theta, caps)
	}
	sh := &share{relative: c.relative + 1e-13}
	sh.masses = moved
	sh.log = c.log
	total := 0.0
	for i, p := range moved.p {
		x := moved.loss(i)
		sh.losses = append(sh.losses, x)
		total += p
		sh.mean += p * x
		sh.square += p * p
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return &share{void: true}
	}
	sh.mean /= total
	copies := -math.Expm1(l.count * math.Log1p(-math.Min(1, top)))
	sh.lost = math.Min(1, copies+lost)
	sh.total, sh.extra = total*(1+1e-9), noise
	for _, p := range noise {
		sh.noise += p
		sh.square += p * p
	}
	return sh
}

// maxKept is the number of points up to which the transforms of all lines of a stack are
// kept, 8 bytes each.
const maxKept = 1 << 22

// transform is the spectrum of a share on a window of n points, noise included, and not to
// be written to. It is kept for the next evaluation, if that is wanted.
func (sh *share) transform(n int, keep bool) []complex128 {
	if kept := sh.bins.Load(); kept != nil && len(*kept) == n/2+1 {
		return *kept
	}
	x := make([]float64, n)
	for i, j := range sh.index {
		x[wrap(float64(j), n)] += sh.p[i]
	}
	for i, p := range sh.extra {
		x[wrap(float64(i), n)] += p
	}
	bins := fft.For(n).Forward(x)
	if keep {
		sh.bins.Store(&bins)
	}
	return bins
}
