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
	lines     []tilted
	terms     []term
	log       float64 // Λ(θ), smoothing included
	logErr    float64
	mean      float64 // of the composed loss under the tilt
	meanErr   float64
	left      float64 // Σ 2|F·kernel| of the frequencies left out
	up, down  float64 // ln of upper bounds of e^{Λ(θ+s)}·c(θ+s) for the aliases
	rare      []rare  // by line; nil if every loss belongs to its line
	rareScale float64 // ln of what the terms are divided by

	Nodes, Frequencies int

	upper, lower sums
}

// Limits on the work of one evaluation.
const (
	mostFrequencies = 1 << 22 // a spacing of 30 digits has exact multiples up to there
	mostTransformed = 1 << 18
	mostWork        = 2e7
	fewWork         = 1e6
)

// evaluate computes the terms; ok is false where that would be too much work.
func (s *truncated) evaluate(ctx context.Context, p Plan) (*Spectrum, bool, error) {
	// Rounded to 30 binary digits, so that its multiples are exact.
	spacing := math.Float64frombits(math.Float64bits(2*math.Pi/p.Window) &^ (1<<23 - 1))
	p.Bandwidth = math.Max(p.Bandwidth, spacing)
	count := math.Floor(p.Bandwidth / spacing) // the rules hold up to the bandwidth
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
	nodes := 0
	largest := 0.0
	for _, l := range out.lines {
		nodes += l.nodes
		largest = math.Max(largest, l.count)
	}
	out.Nodes = nodes
	out.terms = append(out.terms, out.first())
	var err error
	ok := false
	for _, r := range out.rare {
		nodes += len(r.w)
	}
	many := len(out.lines) > 32 // smooth together: most frequencies are jumped over
	big := float64(nodes)*count > fewWork && largest < 1e12 && count < mostTransformed && float64(len(out.lines))*count < mostWork
	if many || !big {
		ok, err = out.walk(ctx, count, math.Max(mostWork, 200*float64(nodes+4*len(out.lines))))
	}
	if !ok && big && err == nil {
		out.terms, out.left = out.terms[:1], 0
		ok, err = true, out.transform(ctx, int(count))
	}
	if err != nil || !ok {
		return nil, false, err
	}
	out.tail(s, count)
	out.Frequencies = len(out.terms)
	out.prepare()
	return out, true, nil
}

// tiltLines builds one rule per loss, good for the sum and for both bounds of the aliases.
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
	for i, l := range s.Lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		on := []loss.Line{
			{Theta: p.Theta, Bandwidth: p.Bandwidth, Tolerance: math.Min(1e-12, 1e-3*p.Tolerance/total)},
			{Theta: p.Theta + p.Up, Tolerance: math.Min(1e-8, 1e-2/total)},
		}
		if !bounded {
			on = append(on, loss.Line{Theta: p.Theta + p.Down, Tolerance: math.Min(1e-8, 1e-2/total)})
		}
		for j := range on {
			on[j].LogScale = cumulantsOf(s.coarse[i], on[j].Theta).log
		}
		rule := l.Loss.Rule(on)
		t := tiltRule(rule, p.Theta, p.Bandwidth, rule.Err[0], on[0].LogScale, l.Count)
		out.lines = append(out.lines, t)
		lower := make([]float64, len(on)) // ln M from below: rare losses are weighed against it
		lower[0] = t.log
		out.log += l.Count * t.log
		out.logErr += l.Count * t.logErr
		out.mean += l.Count * t.mean
		out.meanErr += care * unit * l.Count * math.Abs(t.mean)
		side := func(j int) float64 {
			c := cumulantsOf(rule, on[j].Theta)
			off := rule.Err[j]*math.Exp(on[j].LogScale-c.log) + rule.Slack*(1+on[j].Theta)*math.Exp(-c.log)
			if c.plain {
				off += tiltRule(rule, on[j].Theta, math.Inf(1), 0, 0, 1).rule
			}
			lower[j] = c.log - c.logErr + math.Log1p(-math.Min(1, off))
			return l.Count * (c.log + c.logErr + math.Log1p(off))
		}
		out.up += side(1)
		if !bounded {
			out.down += side(2)
		}
		if s.rare != nil {
			out.tiltRare(s.rare[i], s.coarseRare[i], on, lower, &t)
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
	for i := range s.lines {
		t.add(&s.lines[i], 0, 0, s.lines[i].common(0))
		if s.rare != nil {
			t.addRare(&s.rare[i], s.lines[i].count, 0, 0, s.lines[i].common(0), s.rare[i].total, 0)
		}
	}
	s.close(&t, 0)
	return t
}

// add puts one line's φ^K into a term: err is the absolute error of φ, so the logarithm is
// off by at most −K·ln(1 − err/|φ|).
func (t *term) add(line *tilted, log, angle, err float64) {
	t.log += line.count * log
	t.angle += line.count * angle
	relative := err * math.Exp(-log)
	if !(relative < 0.5) {
		t.err = math.Inf(1)
		return
	}
	t.err += line.count * (-math.Log1p(-relative) + care*unit*(math.Abs(log)+math.Abs(angle)))
}

// keep puts a term into the sum, or charges it if it is nothing or not known.
func (s *Spectrum) keep(t term, most float64) {
	t.log -= s.square * t.omega * t.omega / 2
	t.err += care * unit * (math.Abs(t.log) + math.Abs(t.angle))
	if t.log < deep || !(t.err < 1) {
		s.left += 2 * math.Exp(math.Max(most, t.log)) * s.kernelSize(t.omega)
		return
	}
	s.terms = append(s.terms, t)
}

// walk evaluates frequency by frequency and jumps where nothing is left; ok is false if
// that takes more than so much work.
func (s *Spectrum) walk(ctx context.Context, count, most float64) (ok bool, err error) {
	work := 0.0
	at := make([]local, len(s.lines))
	for k := 1.0; k <= count; k++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		t := term{omega: k * s.spacing}
		damping := -s.square * t.omega * t.omega / 2
		largest := damping
		for i := range s.lines {
			line := &s.lines[i]
			log, angle, err := line.phi(t.omega)
			at[i] = local{-math.Expm1(2 * log), err}
			t.add(line, log, angle, err)
			largest += line.count * atMost(log, err)
			work += float64(line.nodes + 4)
			if s.rare != nil {
				re, im, off := s.rare[i].at(t.omega)
				t.addRare(&s.rare[i], line.count, log, angle, err, complex(re, im), off)
				work += float64(len(s.rare[i].w))
			}
		}
		largest = s.close(&t, largest)
		s.keep(t, largest)
		if work > most || work > most/8 && largest > -2 && k < count/8 { // it does not even begin to fade
			return false, nil
		}
		if largest < deep && s.rare == nil {
			far := s.jump(at, damping, s.bandwidth-t.omega)
			if n := math.Floor(far / s.spacing); n >= 1 {
				n = math.Min(n, count-k)
				s.left += 2 * n * math.Exp(skip) * s.kernelSize(t.omega)
				k += n
			}
		}
	}
	return true, nil
}

// transform evaluates all frequencies at once.
func (s *Spectrum) transform(ctx context.Context, count int) error {
	terms := make([]term, count+1)
	most := make([]float64, count+1)
	for i := range s.lines {
		line := &s.lines[i]
		values, relative := uniform(line.w, line.x, s.spacing, count)
		var far []complex128
		farErr := 0.0
		if s.rare != nil {
			r := &s.rare[i]
			far, farErr = uniform(r.w, r.x, s.spacing, count)
			farErr *= sum(r.w)
		}
		mass, first := sum(line.w), dot(line.w, line.x)
		byWeight, byLoss := sum(line.werr)+relative*mass, sum(line.xerr)
		size := care * unit * (mass + dotAbs(line.w, line.x)*s.bandwidth)
		for k := 1; k <= count; k++ {
			if k%1024 == 1 && ctx.Err() != nil {
				return ctx.Err()
			}
			omega := float64(k) * s.spacing
			a, b, err := line.near.around(omega)
			a += real(values[k]) - mass
			b += imag(values[k]) - omega*first
			err += byWeight + omega*byLoss + size + line.common(omega) + line.displaced(omega)
			log := 0.5 * math.Log1p(math.Max(-1, 2*a+a*a+b*b))
			angle := math.Atan2(b, 1+a)
			terms[k].add(line, log, angle, err)
			most[k] += line.count * atMost(log, err)
			if s.rare != nil {
				terms[k].addRare(&s.rare[i], line.count, log, angle, err, far[k], s.rare[i].err(omega)+farErr)
			}
		}
	}
	for k := 1; k <= count; k++ {
		terms[k].omega = float64(k) * s.spacing
		most[k] -= s.square * terms[k].omega * terms[k].omega / 2
		s.keep(terms[k], s.close(&terms[k], most[k]))
	}
	return nil
}

// tail charges the frequencies beyond the bandwidth: with damping, |φ| ≤ 1 and
// (ω+jΔ)² ≥ ω² + 2jωΔ make a geometric series; without it, the spread of the losses bounds
// every |F| and Σ 1/ω² is below 1/(ωΔ).
func (s *Spectrum) tail(from *truncated, count float64) {
	end := count * s.spacing
	left := math.Inf(1)
	if s.square > 0 {
		left = 2 * s.kernelSize(end) * math.Exp(-s.square*end*end/2) / math.Expm1(s.square*end*s.spacing)
	}
	if s.plan.Spread {
		log := -s.square * end * end / 2
		for i, l := range from.Lines {
			t := &s.lines[i]
			log += l.Count * envelope(l.Loss.Spread(s.plan.Theta), t.log+t.logErr+math.Log1p(t.rule), end)
		}
		left = math.Min(left, 2*math.Exp(log)/(end*s.spacing))
	}
	s.left += left * s.whole()
}
