package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/loss"
)

// Spectrum is a stack along one line of the complex plane: the terms of its Fourier sum, and
// all that is charged to that sum.
type Spectrum struct {
	plan      Inversion
	square    float64 // Σ μ² and h²
	spacing   float64 // of the frequencies
	terms     []term
	log       float64 // Λ(θ), smoothing included
	logErr    float64
	mean      float64 // of the composed loss under the tilt
	meanErr   float64
	left      float64 // Σ 2|F·kernel| of the frequencies left out
	up, down  float64 // ln of upper bounds of e^{Λ(θ+s)}·c(θ+s) for the aliases
	apart     bool    // only where a release has a rare loss
	rareScale float64 // ln of what the terms are divided by then

	upper, lower sums
	rise         sums // of a lattice
}

// term is a frequency of the sum: F = e^{Λ(ζ) − Λ(θ)} around the mean, as a logarithm and an
// angle, and a bound on the error of ln F, so on |true F / F − 1| ≤ e^{err} − 1.
type term struct{ omega, log, angle, err float64 }

// Limits on one evaluation: its frequencies, the length of a transform, its work in products of nodes and
// frequencies, and the work up to which no transform is used.
const (
	maxFrequencies     = 1 << 22 // a spacing of 30 digits has exact multiples up to there
	maxTransformLength = 1 << 18
	maxWork            = 2e7
	lightWork          = 5e4
)

// evaluation is a spectrum in the making.
type evaluation struct {
	*Spectrum
	of       *truncated
	count    int         // of frequencies, beside 0
	first    int         // frequencies in the first block
	on       []loss.Tilt // θ, θ+s up and θ+s down; without the last if δ ≤ 1 bounds the aliases
	factors  []factor
	variance float64 // of the tilted sum
	envelope float64 // ln of a bound of |F| beyond the bandwidth, by the spread of the losses

	blocks, last   int // where the walk is: the blocks so far, and the last frequency of the present one
	work, mostWork float64
}

// factor is a line in an evaluation: its φ^K is a factor of every term.
type factor struct {
	line
	base  cumulants // by its first rule
	block *block    // where the walk is
	beta  *rare     // its rare losses, if there are any
	most  float64   // a bound of ln|φ| at the last frequency
	step  float64   // a bound of the angle arccos|φ| at the first frequency
	askew float64   // how far the error of M(θ) may move an angle
}

// evaluate computes the terms; ok is false where that would be too much work.
func (s *truncated) evaluate(ctx context.Context, p Inversion) (*Spectrum, bool, error) {
	// Rounded to 30 binary digits, so that its multiples are exact.
	spacing := math.Float64frombits(math.Float64bits(2*math.Pi/p.Window) &^ (1<<23 - 1))
	p.Bandwidth = math.Max(p.Bandwidth, spacing)
	count := math.Floor(p.Bandwidth / spacing) // the rules hold up to the bandwidth
	if step := p.lattice.step; step > 0 {      // a whole number of steps, and an odd one
		half := math.Ceil(p.Window / step / 2)
		spacing = 2 * math.Pi / ((2*half + 1) * step)
		count = math.Min(half, math.Floor(p.Bandwidth/spacing))
	}
	if !(count < maxFrequencies) {
		return nil, false, nil
	}
	e := &evaluation{of: s, count: int(count), mostWork: maxWork,
		Spectrum: &Spectrum{plan: p, spacing: spacing, apart: s.apart}}
	e.square = s.square + p.Smoothing*p.Smoothing
	e.first = s.firstBlock(e.count, spacing)
	e.begin()
	if err := e.tilt(ctx); err != nil {
		return nil, false, err
	}
	if math.IsNaN(e.log) || math.IsNaN(e.mean) || math.IsInf(e.terms[0].err, 1) { // a rule certifies nothing
		return nil, false, ctx.Err()
	}
	if ok, err := e.walk(ctx); err != nil || !ok {
		return nil, false, err
	}
	e.tail()
	e.prepare()
	return e.Spectrum, true, nil
}

// begin sets the spectrum to that of the Gaussian noise alone and fixes the tilts at which the
// losses are needed.
func (e *evaluation) begin() {
	p := e.plan
	smooth := func(theta float64) float64 { return e.square * theta * (theta + 1) / 2 }
	e.log, e.mean = smooth(p.Theta), e.square*(p.Theta+0.5)
	e.logErr, e.meanErr = care*unit*e.log, care*unit*e.mean
	e.up = smooth(p.Theta+p.Up) + logHeight(p.Theta+p.Up)
	total := e.of.releases
	side := floorPower(math.Min(1e-8, 1e-2/total), 0.25)
	e.on = []loss.Tilt{
		{Theta: p.Theta, Tolerance: floorPower(math.Min(1e-12, 1e-3*p.Tolerance/total), 0.25)},
		{Theta: p.Theta + p.Up, Tolerance: side},
	}
	if p.Down > -p.Theta { // else δ ≤ 1 bounds the aliases
		e.down = smooth(p.Theta+p.Down) + logHeight(p.Theta+p.Down)
		e.on = append(e.on, loss.Tilt{Theta: p.Theta + p.Down, Tolerance: side})
	}
}

// tilt tilts every loss, with bounds for the aliases on either side, and puts together the term at
// ω = 0, where every φ is 1 but for the errors of its rule.
func (e *evaluation) tilt(ctx context.Context) error {
	p := e.plan
	zero := e.product(0)
	e.factors = make([]factor, 0, len(e.of.lines))
	for _, l := range e.of.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := e.tiltLine(l)
		e.log += l.count * t.log
		e.logErr += l.count * t.logErr
		e.mean += l.count * t.mean
		e.meanErr += care * unit * l.count * math.Abs(t.mean)
		e.up += l.count * t.upper[1]
		if len(e.on) > 2 {
			e.down += l.count * t.upper[2]
		}
		e.variance += l.count * t.spread
		if p.Spread {
			e.envelope += l.count * envelope(l.spread(p.Theta), t.upper[0], float64(e.count)*e.spacing)
		}
		f := factor{line: l, base: t.cumulants, block: &t.first, askew: askew(t.common(0) + t.logErr)}
		if l.rare != nil {
			f.beta = l.rare.tilt(ctx, e, t, l.count)
		}
		e.multiply(&zero, &f, 0, phi{err: t.common(0)}.value())
		e.factors = append(e.factors, f)
	}
	if e.apart {
		e.settleRare()
	}
	n := unit * float64(len(e.factors)+care)
	e.logErr += n * math.Abs(e.log)
	e.meanErr += n * math.Abs(e.mean)
	e.up, e.down = e.up+n*math.Abs(e.up), e.down+n*math.Abs(e.down)
	e.finishRare(&zero)
	e.terms = append(e.terms, zero.term)
	return nil
}

// tail charges the frequencies beyond the bandwidth. With damping, |φ| ≤ 1 and
// (ω+jΔ)² ≥ ω² + 2jωΔ make a geometric series. Without it, the spread of the losses bounds
// every |F|, and Σ 1/ω² is below 1/(ωΔ). On a lattice none is beyond, unless it is cut short. Where
// only rare losses count no |F| is above that at ω = 0, as the measure is positive. All these bounds,
// and those of the walk, are relative to the true M(θ): the error of the first term is charged, too.
func (e *evaluation) tail() {
	end := float64(e.count) * e.spacing
	left := math.Inf(1)
	if l := &e.plan.lattice; l.step > 0 {
		half := math.Round(math.Pi/(l.step*e.spacing) - 0.5)
		left = 2*(half-float64(e.count))*e.kernelSize(end) + l.charge(e.plan.Theta,
			math.Sqrt(e.variance), e.spacing, half)
	}
	if e.square > 0 {
		left = 2 * e.kernelSize(end) * math.Exp(-e.square*end*end/2) / math.Expm1(e.square*end*e.spacing)
	}
	if e.plan.Spread {
		left = math.Min(left, 2*math.Exp(e.envelope-e.square*end*end/2)/(end*e.spacing))
	}
	e.left = (e.left + left*math.Exp(e.terms[0].log)) * math.Exp(e.terms[0].err)
}
