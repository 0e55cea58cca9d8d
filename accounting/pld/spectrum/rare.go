package spectrum

import (
	"context"
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/loss"
)

// rare are the losses of one line beyond its cut, tilted, relative to e^{ln M(θ)} of the
// losses below it, and around the mean of those. Unlike them they are few: their sum is
// taken as it stands.
type rare struct {
	w, x       []float64
	total      complex128 // at ω = 0
	rule, line float64    // error of the rule, and per unit of ω
	byWeight   float64    // round-off of the weights, and of the losses times the weights
	byLoss     float64
	over       [3]float64 // ln(1 + B/A) from above at the tilt and on either side of it
}

// at is Σ w·e^{iωx} and its error.
func (r *rare) at(omega float64) (re, im, err float64) {
	for i, w := range r.w {
		sin, cos := math.Sincos(omega * r.x[i])
		re += w * cos
		im += w * sin
	}
	return re, im, r.err(omega) + unit*float64(len(r.w)+care)*real(r.total)
}

func (r *rare) err(omega float64) float64 {
	return r.rule + r.byWeight + omega*(r.line+r.byLoss)
}

// tiltRare tilts the rare losses of one line, relative to the others of it.
//
// A rule is certified for p + Σ w·S(ζ, ℓ) + ζ(p − q), with p and q the masses of the part;
// Σ w·e^{ζℓ} differs from that by p − Σw and by ζ times what p − q lacks of the same sum for
// it. Both are charged. The masses are known to about 1e-12 of themselves.
func (s *Spectrum) tiltRare(ctx context.Context, part loss.Part, coarse loss.Rule, on []loss.Line, core *tiltedLine, count float64) {
	out := rare{}
	lower := core.lower
	theta := on[0].Theta
	lines := make([]loss.Line, len(on))
	for j, l := range on {
		log, _, _ := rareMoments(coarse, l.Theta)
		many := math.Max(1, count*math.Exp(log-lower[j]))
		lines[j] = loss.Line{Theta: l.Theta, Bandwidth: l.Bandwidth, LogScale: log, Tolerance: l.Tolerance / many}
	}
	if part.P == 0 {
		s.rare = append(s.rare, out)
		return
	}
	rule := part.Of.Rule(ctx, lines)
	var p, q, pErr, qErr adder
	for _, n := range rule.Nodes {
		a, b := math.Exp(n.LogW), math.Exp(n.LogW-n.Loss)
		relative := care * unit * (1 + n.LogErr + n.LossErr + math.Abs(n.Loss))
		p.add(a)
		q.add(b)
		pErr.add(a * relative)
		qErr.add(b * relative)
	}
	const known = 4e-12
	off := math.Abs(part.P-p.sum()) + pErr.sum() + known*part.P
	offQ := math.Abs((part.P-part.Q)-(p.sum()-q.sum())) + pErr.sum() + qErr.sum() + known*(part.P+part.Q)
	for j, l := range lines {
		var total, wrong adder
		for _, n := range rule.Nodes {
			log := n.LogW + l.Theta*n.Loss - lower[j]
			w := math.Exp(log)
			relative := care * unit * (4 + n.LogErr + l.Theta*(n.LossErr+math.Abs(n.Loss)) + math.Abs(lower[j]))
			total.add(w)
			wrong.add(w * relative)
			if j > 0 {
				continue
			}
			w = math.Exp(n.LogW + theta*n.Loss - core.log)
			x := n.Loss - core.mean
			out.w, out.x = append(out.w, w), append(out.x, x)
			out.byWeight += w * (relative + core.logErr)
			out.byLoss += w * (care*unit*(n.LossErr+math.Abs(n.Loss)+math.Abs(x)) + core.meanErr)
		}
		charge := rule.Err[j]*math.Exp(l.LogScale-lower[j]) + (off+l.Theta*offQ)*math.Exp(-lower[j])
		out.over[j] = math.Log1p((total.sum() + wrong.sum() + charge) * (1 + 1e-9))
	}
	out.total = complex(sum(out.w), 0)
	out.rule = (rule.Err[0]*math.Exp(lines[0].LogScale-core.log) + (off+theta*offQ)*math.Exp(-core.log)) * (1 + 1e-9 + core.logErr)
	out.line = offQ * math.Exp(-core.log) * (1 + 1e-9 + core.logErr)
	s.rare = append(s.rare, out)
}

// rareAt is β of a line at a frequency with its error, and what each takes: all at once where
// they are many.
func (s *Spectrum) rareAt(ctx context.Context, count int) (beta func(line, k int) (complex128, float64), work []float64) {
	work = make([]float64, len(s.rare))
	values := make([][]complex128, len(s.rare))
	errs := make([]float64, len(s.rare))
	for i := range s.rare {
		r := &s.rare[i]
		work[i] = float64(len(r.w))
		if float64(len(r.w))*float64(count) > fewWork && count < mostTransformed {
			values[i], errs[i] = uniform(ctx, r.w, r.x, s.spacing, count)
			errs[i] *= real(r.total)
			work[i] = 4
		}
	}
	beta = func(i, k int) (complex128, float64) {
		omega := float64(k) * s.spacing
		if values[i] != nil {
			return values[i][k], s.rare[i].err(omega) + errs[i]
		}
		re, im, off := s.rare[i].at(omega)
		return complex(re, im), off
	}
	return beta, work
}

// settleRare turns the bounds of A^K for the aliases into bounds of (A+B)^K − A^K, and
// divides the terms by about as much as they are at ω = 0.
func (s *Spectrum) settleRare(bounded bool) {
	if s.rare == nil {
		return
	}
	var b [3]float64
	here := 0.0
	for i, r := range s.rare {
		count := s.counts[i]
		for j := range b {
			b[j] += count * r.over[j]
		}
		here += count * math.Log1p(real(r.total))
	}
	s.rareScale = logExpm1(here)
	s.log += s.rareScale
	s.logErr += care * unit * (math.Abs(s.rareScale) + math.Abs(s.log))
	s.up += logExpm1(b[1]) + 1e-12
	if !bounded {
		s.down += logExpm1(b[2]) + 1e-12
	}
}

// whole is at least every |F|: 1 for a law, and what the first term says otherwise, as the
// measure is positive.
func (s *Spectrum) whole() float64 {
	if s.rare == nil || len(s.terms) == 0 {
		return 1
	}
	return math.Exp(s.terms[0].log + s.terms[0].err)
}

// logExpm1 is ln(e^x − 1).
func logExpm1(x float64) float64 {
	if x > 40 {
		return x
	}
	return math.Log(math.Expm1(x))
}

// addRare puts the rare losses β of a line into a term whose others are φ: K·ln(1 + β/φ). The
// ratio is off by at most (err of β + |β|·err of φ/|φ|)/(|φ| − err of φ).
func (t *term) addRare(r *rare, count float64, p phi, beta complex128, off float64) {
	if len(r.w) == 0 {
		return
	}
	log, angle, err := p.log, p.angle, p.err
	size := math.Exp(log)
	ratio := beta / cmplx.Rect(size, angle)
	if !(err < 0.5*size) {
		t.moreErr = math.Inf(1)
		return
	}
	wrong := (off+cmplx.Abs(beta)*(err/size+4*care*unit*(1+math.Abs(angle))))/(size-err) + care*unit*cmplx.Abs(ratio)
	x, y := real(ratio), imag(ratio)
	all := cmplx.Abs(1 + ratio)
	if !(wrong < 0.5*all) {
		t.moreErr = math.Inf(1)
		return
	}
	l := complex(0.5*math.Log1p(math.Max(-1, 2*x+x*x+y*y)), math.Atan2(y, 1+x))
	t.more += complex(count, 0) * l
	t.moreErr += count * (-math.Log1p(-wrong/all) + care*unit*(cmplx.Abs(l)+cmplx.Abs(ratio)*(1+cmplx.Abs(ratio))/all))
}

// close multiplies a term of A^K by (1 + β/φ)^K − 1, and bounds ln|F|. An error d of the
// exponent b changes e^b − 1 by at most |e^b|(e^d − 1).
func (s *Spectrum) close(t *term, most float64) float64 {
	if s.rare == nil {
		return most
	}
	re, im := real(t.more), imag(t.more)
	sin, cos := math.Sincos(im / 2)
	grow := math.Expm1(math.Min(600, re))
	a, b := grow*(1-2*sin*sin)-2*sin*sin, (1+grow)*2*sin*cos
	size := math.Hypot(a, b)
	wrong := (1 + grow) * math.Expm1(math.Min(700, t.moreErr+care*unit*cmplx.Abs(t.more)))
	if re > 600 {
		t.err = math.Inf(1)
		return math.Inf(1)
	}
	if most += math.Log(size+wrong) - s.rareScale + 1e-12; !(wrong < 0.5*size) {
		t.err = math.Inf(1)
		return most
	}
	t.log += math.Log(size) - s.rareScale
	t.angle += math.Atan2(b, a)
	t.err += -math.Log1p(-wrong/size) + care*unit*(4+math.Abs(s.rareScale)+math.Abs(math.Log(size)))
	return most
}

// rareMoments are ln B(θ) of a coarse rule, and the first two moments of the tilted losses.
func rareMoments(r loss.Rule, theta float64) (log, mean, second float64) {
	c := plainCumulants(context.Background(), r, theta)
	if len(r.Nodes) == 0 {
		return math.Inf(-1), 0, 0
	}
	return c.log, c.mean, c.variance + c.mean*c.mean
}

// outlineRare are the cumulants of (A+B)^K − A^K, given those of A^K. With b = Σ K·ln(1 + B/A) it
// is A^K·(e^b − 1), and nothing cancels.
func (s *truncated) outlineRare(theta, log, mean, variance float64) (float64, float64, float64) {
	var b, more, wider float64 // of (A+B)^K minus A^K: logarithm, mean, variance
	for i, l := range s.Lines {
		if len(s.coarseRare[i].Nodes) == 0 {
			continue
		}
		c := s.known[i].cumulants(theta)
		lb, mb, sb := rareMoments(s.coarseRare[i], theta)
		r := math.Exp(math.Min(600, lb-c.log))
		share := r / (1 + r)
		away := mb - c.mean
		b += l.Count * math.Log1p(r)
		more += l.Count * share * away
		wider += l.Count * (share*(sb-2*mb*c.mean+c.mean*c.mean-c.variance) - share*share*away*away)
	}
	grown := math.Expm1(math.Min(b, 600))
	first := mean + more + more/grown
	// E of the square, minus the square of the mean, each minus what A^K alone has.
	second := variance + wider + (wider+more*(2*mean+more))/grown + (mean+more)*(mean+more)
	return log + logExpm1(b), first, math.Max(0, second-first*first)
}
