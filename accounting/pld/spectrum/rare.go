package spectrum

import (
	"context"
	"math"
	"math/cmplx"
	"slices"
)

// rare are the losses of one line above its cut, tilted, relative to M(θ) of the losses below it,
// and around the mean of those. Unlike those they are few: their sum is taken as it stands.
type rare struct {
	w, x        []float64
	total       float64    // Σ w
	rule, slope float64    // error of the rule, and by how much it grows per unit of ω
	byWeight    float64    // round-off of the weights,
	byLoss      float64    // and of the losses times the weights
	over        [3]float64 // ln(1 + B/A) from above, at the tilt and on either side of it

	values []complex128 // at all frequencies, where they are many
	off    float64      // error of those
}

// betaAt returns β = Σ w·e^{iωx} at kΔ, and its error.
func (r *rare) betaAt(k int, spacing float64) (beta complex128, err float64) {
	omega := float64(k) * spacing
	err = r.rule + r.byWeight + omega*(r.slope+r.byLoss)
	if r.values != nil {
		return r.values[k], err + r.off
	}
	for i, w := range r.w {
		beta += cmplx.Rect(w, omega*r.x[i])
	}
	return beta, err + unit*float64(len(r.w)+care)*r.total
}

// work returns the cost of a value, in sums over nodes.
func (r *rare) work() float64 {
	switch {
	case r == nil:
		return 0
	case r.values != nil:
		return 4
	}
	return float64(len(r.w))
}

// tilt tilts the rare losses of one line, relative to the others of it.
//
// A rule is certified for p + Σ w·S(ζ, ℓ) + ζ(p − q), with p and q the masses of the part;
// Σ w·e^{ζℓ} differs from that by p − Σw and by ζ times what p − q lacks of the same sum for
// it. Both are charged.
func (r *rareLoss) tilt(ctx context.Context, e *evaluation, core *tiltedLine, count float64) *rare {
	var out rare
	tilts, lower := slices.Clone(e.on), core.lower
	tilts[0].Bandwidth = e.plan.Bandwidth
	for j := range tilts {
		l := &tilts[j]
		l.LogScale = plainCumulants(ctx, r.coarse, l.Theta).log
		l.Tolerance /= math.Max(1, count*math.Exp(l.LogScale-lower[j]))
	}
	rule := r.Of.Rule(ctx, tilts)
	p, q, pErr, qErr := masses(rule)
	off := math.Abs(r.P-p) + pErr + r.Err
	offQ := math.Abs((r.P-r.Q)-(p-q)) + pErr + qErr + 2*r.Err
	for j, l := range tilts {
		c := plainCumulants(ctx, rule, l.Theta)
		charge := rule.Err[j]*math.Exp(l.LogScale-lower[j]) + (off+l.Theta*offQ)*math.Exp(-lower[j])
		out.over[j] = math.Log1p((math.Exp(c.log+c.logErr-lower[j]) + charge) * (1 + 1e-9))
	}
	theta := tilts[0].Theta
	for _, n := range rule.Nodes {
		w, relative := tiltedWeight(n, theta, core.log)
		x := n.Loss - core.mean
		out.w, out.x = append(out.w, w), append(out.x, x)
		out.total += w
		out.byWeight += w * (relative + core.logErr)
		out.byLoss += w * (care*unit*(n.LossErr+math.Abs(n.Loss)+math.Abs(x)) + core.meanErr)
	}
	out.rule = (rule.Err[0]*math.Exp(tilts[0].LogScale-core.log) + (off+theta*offQ)*math.Exp(
		-core.log)) * (1 + 1e-9 + core.logErr)
	out.slope = offQ * math.Exp(-core.log) * (1 + 1e-9 + core.logErr)
	if float64(len(out.w))*float64(e.count) > lightWork && e.count < maxTransformLength {
		out.values, out.off = uniform(ctx, out.w, out.x, e.spacing, e.count)
		out.off *= out.total
	}
	return &out
}

// settleRare turns the bounds of A^K for the aliases into bounds of (A+B)^K − A^K, and
// divides the terms by about as much as they are at ω = 0.
func (e *evaluation) settleRare() {
	var b [3]float64
	here := 0.0
	for _, f := range e.factors {
		if f.beta == nil {
			continue
		}
		for j := range b {
			b[j] += f.count * f.beta.over[j]
		}
		here += f.count * math.Log1p(f.beta.total)
	}
	e.rareScale = logExpm1(here)
	e.log += e.rareScale
	e.logErr += care * unit * (math.Abs(e.rareScale) + math.Abs(e.log))
	e.up += logExpm1(b[1]) + 1e-12
	if len(e.on) > 2 {
		e.down += logExpm1(b[2]) + 1e-12
	}
}

// logExpm1 returns ln(e^x − 1).
func logExpm1(x float64) float64 {
	if x > 40 {
		return x
	}
	return math.Log(math.Expm1(x))
}

// timesRare puts the rare losses β of a line into a term whose others are φ: K·ln(1 + β/φ). The
// ratio is off by at most (err of β + |β|·err of φ/|φ|)/(|φ| − err of φ).
func (t *product) timesRare(count float64, p phi, beta complex128, off float64) {
	err, size := p.err, math.Exp(p.log)
	t.gain += count * (math.Log(size+err+cmplx.Abs(beta)+off) - p.atMost())
	ratio := beta / cmplx.Rect(size, p.angle)
	if !(err < 0.5*size) {
		t.moreErr = math.Inf(1)
		return
	}
	wrong := (off+cmplx.Abs(beta)*(err/size+4*care*unit*(1+math.Abs(p.angle))))/(size-err) + care*unit*cmplx.Abs(ratio)
	x, y := real(ratio), imag(ratio)
	all := cmplx.Abs(1 + ratio)
	if !(wrong < 0.5*all) {
		t.moreErr = math.Inf(1)
		return
	}
	l := complex(logAbs(x, y), math.Atan2(y, 1+x))
	t.more += complex(count, 0) * l
	t.moreErr += count * (-math.Log1p(-wrong/all) + care*unit*(cmplx.Abs(l)+cmplx.Abs(ratio)*(1+cmplx.Abs(ratio))/all))
}

// finishRare multiplies a term of A^K by (1 + β/φ)^K − 1. An error d of the exponent b changes
// e^b − 1 by at most |e^b|(e^d − 1). Where b is not known, (|φ| + |β|)^K twice is a bound.
func (s *Spectrum) finishRare(t *product) {
	if !s.apart {
		return
	}
	re, im := real(t.more), imag(t.more)
	if !(re < 600 && t.moreErr < 600) {
		t.err, t.most = math.Inf(1), t.most+t.gain+math.Ln2-s.rareScale+1e-12
		return
	}
	sin, cos := math.Sincos(im / 2)
	grow := math.Expm1(re)
	a, b := grow*(1-2*sin*sin)-2*sin*sin, (1+grow)*2*sin*cos
	size := math.Hypot(a, b)
	wrong := (1 + grow) * math.Expm1(t.moreErr+care*unit*cmplx.Abs(t.more))
	if t.most += math.Log(size+wrong) - s.rareScale + 1e-12; !(wrong < 0.5*size) {
		t.err = math.Inf(1)
		return
	}
	t.log += math.Log(size) - s.rareScale
	t.angle += math.Atan2(b, a)
	t.err += -math.Log1p(-wrong/size) + care*unit*(4+math.Abs(s.rareScale)+math.Abs(math.Log(size)))
}

// outlineRare returns the cumulants of (A+B)^K − A^K, given those of A^K. With b = Σ K·ln(1 + B/A) it
// is A^K·(e^b − 1), and nothing cancels.
func (s *truncated) outlineRare(theta, log, mean, variance float64) (float64, float64, float64) {
	var b, more, wider float64 // of (A+B)^K minus A^K: logarithm, mean, variance
	for _, l := range s.lines {
		if l.rare == nil {
			continue
		}
		core, rare := l.cumulants(theta), plainCumulants(s.ctx, l.rare.coarse, theta)
		r := math.Exp(math.Min(600, rare.log-core.log))
		share := r / (1 + r)
		away := rare.mean - core.mean
		b += l.count * math.Log1p(r)
		more += l.count * share * away
		wider += l.count * (share*(rare.variance+away*away-core.variance) - share*share*away*away)
	}
	grown := math.Expm1(math.Min(b, 600))
	first := mean + more + more/grown
	// E of the square, minus the square of the mean, each minus what A^K alone has.
	second := variance + wider + (wider+more*(2*mean+more))/grown + (mean+more)*(mean+more)
	return log + logExpm1(b), first, math.Max(0, second-first*first)
}
