package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/loss"
)

// Spectrum is a stack along one line: the terms of its Fourier sum and all that is charged.
type Spectrum struct {
	plan      Plan
	square    float64 // Σ μ² and h²
	spacing   float64
	bandwidth float64
	lines     []*tiltedLine
	counts    []float64
	on        loss.Line // the line of the blocks
	terms     []term
	log       float64 // Λ(θ), smoothing included
	logErr    float64
	mean      float64 // of the composed loss under the tilt
	meanErr   float64
	left      float64 // Σ 2|F·kernel| of the frequencies left out
	up, down  float64 // ln of upper bounds of e^{Λ(θ+s)}·c(θ+s) for the aliases
	rare      []rare  // by line; nil if every loss belongs to its line
	rareScale float64 // ln of what the terms are divided by

	Frequencies int

	upper, lower sums
	rise         sums // of a lattice
}

// Limits on the work of one evaluation.
const (
	mostFrequencies = 1 << 22 // a spacing of 30 digits has exact multiples up to there
	mostTransformed = 1 << 18
	mostWork        = 2e7
	fewWork         = 5e4
)

// evaluate computes the terms; ok is false where that would be too much work.
func (s *truncated) evaluate(ctx context.Context, p Plan) (*Spectrum, bool, error) {
	// Rounded to 30 binary digits, so that its multiples are exact.
	spacing := math.Float64frombits(math.Float64bits(2*math.Pi/p.Window) &^ (1<<23 - 1))
	p.Bandwidth = math.Max(p.Bandwidth, spacing)
	count := math.Floor(p.Bandwidth / spacing) // the rules hold up to the bandwidth
	if step := p.lattice.step; step > 0 {      // a whole number of steps, and an odd one
		half := math.Ceil(p.Window / step / 2)
		spacing = 2 * math.Pi / ((2*half + 1) * step)
		count = math.Min(half, math.Floor(p.Bandwidth/spacing))
	}
	out := &Spectrum{plan: p, square: s.Square + p.Smoothing*p.Smoothing, spacing: spacing, bandwidth: p.Bandwidth}
	if !(count < mostFrequencies) {
		return nil, false, nil
	}
	if err := s.tiltLines(ctx, out); err != nil {
		return nil, false, err
	}
	if math.IsNaN(out.log) || math.IsNaN(out.mean) {
		return nil, false, nil
	}
	out.terms = append(out.terms, out.first())
	if ok, err := s.walk(ctx, out, int(count)); err != nil || !ok {
		return nil, false, err
	}
	out.tail(s, count)
	out.Frequencies = len(out.terms)
	out.prepare()
	return out, true, nil
}

// tiltLines tilts every loss, with bounds for the aliases on either side.
func (s *truncated) tiltLines(ctx context.Context, out *Spectrum) error {
	p := out.plan
	total := s.releases()
	smooth := func(theta float64) float64 { return out.square * theta * (theta + 1) / 2 }
	out.log, out.mean = smooth(p.Theta), out.square*(p.Theta+0.5)
	out.logErr, out.meanErr = care*unit*out.log, care*unit*out.mean
	out.up, out.down = smooth(p.Theta+p.Up)+logHeight(p.Theta+p.Up), smooth(p.Theta+p.Down)
	bounded := p.Down <= -p.Theta // by δ ≤ 1
	if bounded {
		out.down = 0
	} else {
		out.down += logHeight(p.Theta + p.Down)
	}
	side := rounded(math.Min(1e-8, 1e-2/total), 0.25)
	on := []loss.Line{
		{Theta: p.Theta, Tolerance: rounded(math.Min(1e-12, 1e-3*p.Tolerance/total), 0.25)},
		{Theta: p.Theta + p.Up, Tolerance: side},
	}
	if !bounded {
		on = append(on, loss.Line{Theta: p.Theta + p.Down, Tolerance: side})
	}
	out.on = on[0]
	for i, l := range s.Lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := s.tiltAt(i, on, out.spacing)
		out.lines = append(out.lines, t)
		out.counts = append(out.counts, l.Count)
		out.log += l.Count * t.log
		out.logErr += l.Count * t.logErr
		out.mean += l.Count * t.mean
		out.meanErr += care * unit * l.Count * math.Abs(t.mean)
		out.up += l.Count * t.upper[1]
		if !bounded {
			out.down += l.Count * t.upper[2]
		}
		if s.rare != nil {
			on[0].Bandwidth = p.Bandwidth
			out.tiltRare(ctx, s.rare[i], s.coarseRare[i], on, t, l.Count)
		}
	}
	out.settleRare(bounded)
	n := unit * float64(len(out.lines)+care)
	out.logErr += n * math.Abs(out.log)
	out.meanErr += n * math.Abs(out.mean)
	return nil
}

// first is the term at ω = 0, where F is 1 but for the errors of the rules.
func (s *Spectrum) first() term {
	t := term{}
	for i, line := range s.lines {
		p := phi{err: line.common(0)}
		t.add(s.counts[i], p)
		if s.rare != nil {
			t.addRare(&s.rare[i], s.counts[i], p, s.rare[i].total, 0)
		}
	}
	s.close(&t, 0)
	return t
}

// add puts one line's φ^K into a term: its error is absolute, so the logarithm is off by at
// most −K·ln(1 − err/|φ|).
func (t *term) add(count float64, p phi) {
	t.log += count * p.log
	t.angle += count * p.angle
	relative := p.err * math.Exp(-p.log)
	if !(relative < 0.5) {
		t.err = math.Inf(1)
		return
	}
	t.err += count * (-math.Log1p(-relative) + care*unit*(math.Abs(p.log)+math.Abs(p.angle)))
}

// keep puts a term into the sum, or charges it if it is nothing or not known.
func (s *Spectrum) keep(t term, most float64) {
	t.log -= s.square * t.omega * t.omega / 2
	t.err += care * unit * (math.Abs(t.log) + math.Abs(t.angle))
	if t.log < s.plan.negligible(t.omega) || !(t.err < 1) {
		s.left += 2 * math.Exp(math.Max(most, t.log)) * s.kernelSize(t.omega)
		return
	}
	s.terms = append(s.terms, t)
}

// walk evaluates frequency by frequency, block by block, and jumps where nothing is left; ok
// is false if that takes too much work.
func (s *truncated) walk(ctx context.Context, out *Spectrum, count int) (ok bool, err error) {
	if len(s.Lines) == 0 { // Gaussian noise alone
		for k := 1; k <= count; k++ {
			t := term{omega: float64(k) * out.spacing}
			out.keep(t, -out.square*t.omega*t.omega/2)
		}
		return true, nil
	}
	work, most := 0.0, mostWork
	far, each := out.rareAt(ctx, count)
	blocks := make([]*block, len(s.Lines))
	at := make([]local, len(s.Lines))
	last, faded := 0, false
	for k, b := 1, 0; k <= count; k++ {
		for ; k > last; b++ { // the next block
			last = max(firstBlock, 2*last)
			if k > last {
				continue
			}
			nodes := 0
			for i := range s.Lines {
				if err := ctx.Err(); err != nil {
					return false, err
				}
				blocks[i] = s.blockAt(i, b, out.lines[i], out.on, out.spacing)
				if b > 0 {
					out.lines[i] = out.lines[i].bare()
				}
				nodes += len(blocks[i].rule.w) + 4
			}
			most = math.Max(most, 200*float64(nodes))
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		t := term{omega: float64(k) * out.spacing}
		damping := -out.square * t.omega * t.omega / 2
		largest := damping
		for i := range s.Lines {
			// Where the sum has faded a walk passes a block in a few jumps.
			whole := !faded && blocks[i].whole(out.counts[i])
			p := blocks[i].at(ctx, s.Cache, k, out.spacing, whole)
			at[i] = local{-math.Expm1(2 * p.log), p.err + math.Abs(math.Expm1(2*blocks[i].shift.log))}
			t.add(out.counts[i], p)
			largest += out.counts[i] * atMost(p.log, p.err)
			work += blocks[i].work(whole)
			if out.rare != nil {
				beta, off := far(i, k)
				t.addRare(&out.rare[i], out.counts[i], p, beta, off)
				work += each[i]
			}
		}
		largest = out.close(&t, largest)
		out.keep(t, largest)
		if work > most || work > most/8 && largest > -2 && k < count/8 { // it does not even begin to fade
			return false, nil
		}
		if faded = false; largest < out.plan.negligible(t.omega) && out.rare == nil {
			end := float64(min(last, count)) * out.spacing // of what the rules are good for
			below := out.plan.negligible(t.omega) + spare
			gone := out.jump(blocks, at, damping, below, end-t.omega, end)
			n, left := int(math.Floor(gone/out.spacing)), min(last, count)-k
			faded = n >= left/8 // a few more jumps to the end of the block
			if n = min(n, left); n >= 1 {
				out.left += 2 * float64(n) * math.Exp(below) * out.kernelSize(t.omega)
				k += n
			}
		}
	}
	return true, nil
}

// tail charges the frequencies beyond the bandwidth: with damping, |φ| ≤ 1 and
// (ω+jΔ)² ≥ ω² + 2jωΔ make a geometric series; without it, the spread of the losses bounds
// every |F| and Σ 1/ω² is below 1/(ωΔ). On a lattice none is beyond, unless it is cut short.
func (s *Spectrum) tail(from *truncated, count float64) {
	end := count * s.spacing
	left := math.Inf(1)
	if l := &s.plan.lattice; l.step > 0 {
		variance := 0.0
		for i, t := range s.lines {
			variance += s.counts[i] * t.spread
		}
		half := math.Round(math.Pi/(l.step*s.spacing) - 0.5)
		left = 2*(half-count)*s.kernelSize(end) + l.charge(s.plan.Theta, math.Sqrt(variance), s.spacing, half)
	}
	if s.square > 0 {
		left = 2 * s.kernelSize(end) * math.Exp(-s.square*end*end/2) / math.Expm1(s.square*end*s.spacing)
	}
	if s.plan.Spread {
		log := -s.square * end * end / 2
		for i, l := range from.Lines {
			log += l.Count * envelope(from.known[i].spread(s.plan.Theta), s.lines[i].upper[0], end)
		}
		left = math.Min(left, 2*math.Exp(log)/(end*s.spacing))
	}
	s.left += left * s.whole()
}
