package spectrum

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Deltas encloses δ(ε) at several ε, any real numbers, the mass at +∞ included. A point that
// cannot be evaluated has the ends 0 and 1.
func (s Stack) Deltas(ctx context.Context, epsilons []float64, width float64) (lower, upper []float64, err error) {
	return s.Reader().Deltas(ctx, epsilons, width)
}

// Reader reads δ of one stack at one ε after the other, in one call or in several. It keeps the spectra it has made,
// and an ε shares one as long as it is sharp there: ln δ is known to about ten times the width, or nearly as well as at
// the ε that the spectrum was tilted for. Two spectra take longer, and are shared as long as δ is narrow.
type Reader struct {
	stack    Stack
	width    float64
	readings []reading // by ascending ε
	lastOnly bool      // one reading is kept
	vain     Inversion // the last that was too much work,
	tooMuch  int       // and how many were, one after the other
	blunted  int       // attempts with two spectra, one after the other, after which δ was still blunt
	level    float64   // of the cut at which two spectra were narrow where one was not; 0: none so far

	failedFrom               float64 // the ε from which on
	failedLower, failedUpper float64 // these are the ends of δ, by the mass at +∞; 0: none so far
}

// reading is a spectrum tilted for an ε, or one of the common losses and one of the rare ones; sharp is how wide δ may
// be, relative to its lower end, where they are shared.
type reading struct {
	at, sharp float64
	spectra   []*Spectrum
	short     truncated
}

// Reader returns a reader of the stack.
func (s Stack) Reader() *Reader { return &Reader{stack: s.withKeys()} }

// Clone returns a reader that starts from the spectra of r and leaves r as it is.
func (r *Reader) Clone() *Reader {
	c := *r
	c.readings = slices.Clone(r.readings)
	return &c
}

// Deltas is [Stack.Deltas] with the spectra of earlier calls.
func (r *Reader) Deltas(ctx context.Context, epsilons []float64, width float64) (lower, upper []float64, err error) {
	lower, upper = make([]float64, len(epsilons)), make([]float64, len(epsilons))
	r.width = width
	for i, epsilon := range epsilons {
		if lower[i], upper[i], err = r.delta(ctx, epsilon); err != nil {
			return nil, nil, err
		}
	}
	return lower, upper, nil
}

// DeltaShare is the width of δ, in its relative width per relative width of ε, at which it is narrow.
const DeltaShare = 200

// narrow reports whether δ is known as well as it was asked for.
func (r *Reader) narrow(lower, upper float64) bool { return upper <= lower*(1+DeltaShare*r.width) }

// nextTo returns the numbers of the readings made for the next ε on either side, the closer one first.
func (r *Reader) nextTo(epsilon float64) (near []int) {
	i, _ := r.find(epsilon)
	if i > 0 {
		near = append(near, i-1)
	}
	if i < len(r.readings) {
		near = append(near, i)
	}
	if len(near) == 2 && r.readings[i].at-epsilon < epsilon-r.readings[i-1].at {
		slices.Reverse(near)
	}
	return near
}

// find returns the place of an ε among the readings, and whether there is one.
func (r *Reader) find(epsilon float64) (int, bool) {
	return slices.BinarySearchFunc(r.readings, epsilon, func(k reading, e float64) int { return cmp.Compare(k.at, e) })
}

// readNeighbours returns the ends of δ that the spectra at hand give; sharp says that no other one is needed.
func (r *Reader) readNeighbours(epsilon float64) (lower, upper float64, sharp bool) {
	lower, upper = 0, 1
	for _, i := range r.nextTo(epsilon) {
		k := &r.readings[i]
		l, u := k.short.read(k.spectra, epsilon)
		lower, upper = math.Max(l, lower), math.Min(u, upper)
		if upper <= lower*(1+k.sharp) {
			return lower, upper, true
		}
	}
	return lower, upper, false
}

// maxKeptTerms is the number of terms of all spectra that a reader keeps, about 50 MB.
const maxKeptTerms = 1 << 19

// keep keeps the spectra made for an ε, in place of what was made for the same. If they are too many, those for the
// farthest ε go.
func (r *Reader) keep(k reading) {
	if r.lastOnly {
		r.readings = []reading{k}
		return
	}
	i, found := r.find(k.at)
	if found {
		r.readings[i] = k
	} else {
		r.readings = slices.Insert(r.readings, i, k)
	}
	for len(r.readings) > 1 && r.terms() > maxKeptTerms {
		last := len(r.readings) - 1
		if k.at-r.readings[0].at > r.readings[last].at-k.at {
			last = 0
		}
		r.readings = slices.Delete(r.readings, last, last+1)
	}
}

// terms returns the number of terms of all spectra.
func (r *Reader) terms() (n int) {
	for _, k := range r.readings {
		for _, s := range k.spectra {
			n += len(s.terms)
		}
	}
	return n
}

func (r *Reader) delta(ctx context.Context, epsilon float64) (lower, upper float64, err error) {
	lower, upper, sharp := r.readNeighbours(epsilon)
	if sharp {
		return lower, upper, nil
	}
	if l, u, ok := r.deltaOfFailures(ctx, epsilon); ok {
		return math.Max(l, lower), math.Min(u, upper), nil
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
	r.tooMuch = 0
	one := reading{at: epsilon, sharp: 10 * r.width, spectra: []*Spectrum{next}, short: at}
	l, u := at.read(one.spectra, epsilon)
	if u < l*blunt {
		one.sharp = math.Max(one.sharp, 1.5*(u/l-1))
	}
	r.keep(one)
	if !(u < l*blunt) {
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
func (r *Reader) readApart(ctx context.Context, short truncated, epsilon, lower, upper float64,
	levels ...float64) (float64, float64, error) {
	width := math.Min(r.width, math.Max(1e-5, 0.1*r.width)) // at the full width smoothing leaves the ends too far apart
	about := upper
	if lower > 0 {
		about = math.Sqrt(lower * upper)
	}
	for _, level := range levels {
		if r.blunted > 2 {
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
		two := reading{at: epsilon, sharp: 10 * r.width, spectra: spectra, short: short}
		switch {
		case r.narrow(l, u):
			two.sharp = math.Max(two.sharp, DeltaShare*r.width)
		case u < l*blunt:
			two.sharp = math.Max(two.sharp, 1.5*(u/l-1))
		}
		if u*lower < upper*l || lower == 0 && l > 0 {
			r.keep(two)
			lower, upper = math.Max(l, lower), math.Min(u, upper)
		}
		if r.narrow(l, u) {
			r.level = level
			break
		}
		if r.blunted++; u < l*blunt {
			r.blunted = 0
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
func (r *Reader) planAt(ctx context.Context, epsilon float64) (Inversion, truncated, bool, error) {
	s, t := r.stack, aim(-10, epsilon, r.width, 0)
	tail := 1e-15
	for range 3 {
		short := s.truncate(ctx, tail/math.Max(1, s.releases()))
		t.smooth = 1
		p, ok := short.choose(t)
		if ok && p.frequencies() > manyFrequencies {
			t.smooth = r.coarser(p)
			p, ok = short.choose(t)
		}
		if !ok {
			return p, short, false, ctx.Err()
		}
		log, _, variance := short.outline(p.Theta)
		allowed := math.Max(1e-290, math.Exp(
			math.Min(0, log-p.Theta*epsilon-logSize(p.Theta, variance)))*math.Min(1e-5, 1e-2*r.width))
		if tail > allowed {
			tail = floorPower(0.1*allowed, 1.0/8) // few tails, so that stacks share their losses
			continue
		}
		return p, short, !r.asMuchWork(p), nil
	}
	return Inversion{}, truncated{}, false, nil
}

// manyFrequencies is the number of frequencies above which a plan smooths as much as the width of δ allows.
const manyFrequencies = 1 << 12

// coarser returns a factor on the smoothing h of a plan. At a small tilt δ comes out narrower than it was asked for:
// smoothing moves ln δ by about h²·θ(1+θ)/2, which may be twice the width.
func (r *Reader) coarser(p Inversion) float64 {
	if !(p.Smoothing > 0) {
		return 1
	}
	most := math.Min(math.Min(1, 0.2*p.deviation), math.Sqrt(4*r.width/(p.Theta*(1+p.Theta))))
	return math.Max(1, most/p.Smoothing)
}

// asMuchWork reports whether a plan is about as much work as one that was too much: with the same tilt, or with any
// after some attempts.
func (r *Reader) asMuchWork(p Inversion) bool {
	const attempts = 3
	again := p.Theta == r.vain.Theta && p.Window == r.vain.Window && p.Bandwidth >= 0.9*r.vain.Bandwidth
	return again || r.tooMuch >= attempts && p.Bandwidth*p.Window >= 0.5*r.vain.Bandwidth*r.vain.Window
}
