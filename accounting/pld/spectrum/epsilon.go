package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/special"
)

// Interval is a certified answer: Lower ≤ ε ≤ Upper.
type Interval struct {
	Lower, Upper float64
	Theta        float64
	Smoothing    float64
	Window       float64
	Frequencies  int
	Errors       Errors
}

// Epsilon encloses the tight ε of a stack at δ, aiming at a relative width. A stack it
// cannot evaluate has the interval [0, +Inf].
func (s Stack) Epsilon(ctx context.Context, delta, width float64) (Interval, error) {
	s = s.keyed()
	out := s.nextToLargest(ctx, delta, width)
	out, err := s.together(ctx, delta, width, 2, out)
	for _, level := range []float64{3, 0.9, 30, 1e3, 1e5, 1e8} {
		if err != nil || out.Narrow(width) || out.Upper < 1e-9 { // next to nothing
			break
		}
		out, err = s.apart(ctx, delta, width, level, out)
	}
	if err != nil || out.Narrow(width) {
		return out, err
	}
	return s.together(ctx, delta, width, 6, out)
}

// together takes so many passes with one spectrum for all losses.
func (s Stack) together(ctx context.Context, delta, width float64, passes int, out Interval) (Interval, error) {
	t := aim(0, math.NaN(), width, math.Min(1e-5, 0.1*width))
	for pass := 0; pass < passes && !out.Narrow(width); pass++ {
		next, err := s.pass(ctx, delta, t)
		if err != nil {
			return out, err
		}
		out = out.meet(next)
		if vain := math.IsInf(next.Upper, 1); vain && pass < 2 { // too much work: aim lower
			t.width = math.Min(1e-2, 30*t.width)
		} else if vain || !t.tighten(next, pass) {
			break
		}
	}
	return out, nil
}

// tighten aims the next pass at what keeps this one wide.
func (t *target) tighten(last Interval, pass int) bool {
	// In ln δ, and no more than leaves something of δ: else there is no lower end.
	want := math.Min(1, t.width*last.Upper*last.Theta)
	e := last.Errors
	if e.Truncation > 0.4*want {
		if t.tail < 0.01*want { // no pass can mend that
			return false
		}
		t.tail = 0.005 * want
	}
	if e.Smoothing > 0.4*want { // next to an atom it is linear in h
		t.smooth *= math.Max(0.02, math.Min(0.5, 0.3*want/e.Smoothing))
	}
	if pass > 0 || e.Aliasing < 0.1 { // ε is known well enough
		t.tight *= 1e-2
	}
	t.epsilon = last.Upper
	return true
}

// Narrow reports whether an interval has the relative width asked for. An ε of 1e-12 is 0.
func (i Interval) Narrow(width float64) bool {
	return i.Upper < math.Inf(1) && (i.Upper-i.Lower <= width*i.Upper || i.Upper < 1e-12)
}

// meet keeps the better of both ends; metadata comes from the smaller upper end.
func (i Interval) meet(j Interval) Interval {
	lower := math.Max(i.Lower, j.Lower)
	if i.Upper < j.Upper {
		j = i
	}
	j.Lower = math.Min(lower, j.Upper)
	return j
}

// nextToLargest is what the largest possible loss s alone says. Above it δ is the mass at
// +∞. And losses within t of the largest of every release, of P-mass p each, add up to at
// least s − K·t: δ(ε) ≥ p^K·(1 − e^{ε−s+Kt}) for every t. For δ far below p^K that is all there is. All of
// it holds, too, of a stack whose rarest losses are taken for infinite above and left
// out below.
func (s Stack) nextToLargest(ctx context.Context, delta, width float64) Interval {
	out := Interval{Upper: math.Inf(1)}
	total := s.releases()
	if s.Square > 0 || len(s.Lines) > 64 {
		return out
	}
	for _, tail := range []float64{0, 1e-9, 1e-6, 1e-3, 0.1} {
		short := s
		if tail > 0 {
			short.Lines = make([]Line, len(s.Lines))
			for i, l := range s.Lines {
				short.Lines[i] = Line{Loss: l.Loss.Truncate(tail * delta / total), Count: l.Count}
			}
		}
		if out = out.meet(short.atLargest(delta, s)); out.Narrow(width) || ctx.Err() != nil {
			break
		}
	}
	return out
}

// largest is the largest sum of the losses, +Inf if there is none, and its round-off.
func (s Stack) largest() (most, slack float64) {
	if s.Square > 0 {
		return math.Inf(1), 0
	}
	slack = care * unit
	for _, l := range s.Lines {
		one := l.Count * l.Loss.Largest()
		most += one
		slack += care * unit * math.Abs(one)
	}
	if math.IsNaN(most) {
		return math.Inf(1), 0
	}
	return most, slack
}

func (s Stack) atLargest(delta float64, whole Stack) Interval {
	out := Interval{Upper: math.Inf(1)}
	var failing, certain float64
	for i, l := range s.Lines {
		failing += l.Count * math.Log1p(-math.Min(1, l.Loss.Top))
		certain += l.Count * math.Log1p(-math.Min(1, whole.Lines[i].Loss.Top-whole.Lines[i].Loss.Feared))
	}
	most, slack := s.largest()
	if math.IsInf(most, 1) {
		return out
	}
	if -math.Expm1(failing)*(1+1e-9) <= delta {
		out.Upper = math.Max(0, most+slack)
	}
	goal := math.Log(delta + math.Expm1(certain)*(1-1e-9))
	t := 0.0
	for k := 0; k < 24 && (k == 0 || len(s.Lines) > 0 && most != 0 && s.releases() <= 200); k++ { // of many releases the atoms only
		log, moved := 0.0, 0.0
		for _, l := range s.Lines {
			level := l.Loss.Largest() - t
			mass, _ := l.Loss.MassAbove(math.Nextafter(level, math.Inf(-1)))
			log += l.Count * math.Log(mass*(1-1e-9))
			moved += l.Count * t
		}
		share := math.Exp(goal - log*(1+1e-14) + care*unit)
		if lower := most - slack - moved*(1+1e-9) + math.Log1p(-share) - care*unit; share < 1 && lower > out.Lower {
			out.Lower = lower
		}
		t = math.Abs(most) * 1e-13 * math.Pow(3, float64(k))
	}
	out.Lower = math.Min(out.Lower, out.Upper)
	return out
}

// pass evaluates a stack once.
func (s Stack) pass(ctx context.Context, delta float64, t target) (Interval, error) {
	out := Interval{Upper: math.Inf(1)}
	short := s.truncate(ctx, t.tail*delta/math.Max(1, s.releases()))
	goal, low, ok := short.goals(delta)
	if !ok {
		return out, ctx.Err()
	}
	t.logDelta = goal
	p, ok := short.choose(t)
	if !ok {
		return out, ctx.Err()
	}
	c, ok, err := short.evaluate(ctx, p)
	if err != nil || !ok {
		return out, err
	}
	out.Theta, out.Smoothing, out.Window = p.Theta, p.Smoothing, p.Window
	out.Frequencies = c.Frequencies
	out.Upper = math.Max(0, solve(c.logUpper, goal, p, true))
	out.Lower = math.Max(0, solve(c.logLower, low, p, false))
	out.Errors = c.errorsAt(out.Upper, low-goal)
	return out, nil
}

// goals are what is left of ln δ for the finite losses, for the upper and the lower end; ok
// is false if failures alone exceed δ.
func (s *truncated) goals(delta float64) (goal, low float64, ok bool) {
	goal, low = math.Log(delta-s.top), math.Log(delta-s.failed)
	goal -= care * unit * (1 + s.top/(delta-s.top))
	low += care * unit * (1 + s.failed/(delta-s.failed))
	return goal, low, !math.IsNaN(goal+low) && !math.IsInf(goal+low, 0)
}

// errorsAt splits the width of ln δ at ε.
func (c *Spectrum) errorsAt(epsilon, truncation float64) Errors {
	value, err, at := c.end(epsilon, true)
	lower, _, _ := c.end(epsilon, false)
	aliases := c.aliases(epsilon) * math.Exp(c.plan.Theta*(at-epsilon))
	scale := c.spacing / (2 * math.Pi) / value
	quadrature := 0.0
	for i := range c.lines {
		quadrature += c.counts[i] * c.lines[i].rule
	}
	quadrature *= c.upper.size * scale
	return Errors{
		Smoothing: (value - lower) / value, Aliasing: aliases / value, Bandwidth: c.left * scale,
		Truncation: truncation, Quadrature: quadrature, Roundoff: math.Max(0, err/value-c.left*scale-quadrature) + c.logErr,
	}
}

// solve finds an ε on the safe side of f(ε) = goal: one where f ≤ goal for an upper end, f ≥
// goal for a lower one. ln δ is all but linear there, with slope about −θ. Without such an ε
// the end is vacuous. Below 0 nobody looks.
func solve(f func(float64) float64, goal float64, p Plan, upper bool) float64 {
	vacuous := 0.0
	if upper {
		vacuous = math.Inf(1)
	}
	a, fa := p.guess, f(p.guess)-goal // f(a) ≥ goal
	b, fb := a, fa                    // f(b) ≤ goal
	for step := p.deviation / 32; !(fa >= 0); step *= 2 {
		if a == 0 {
			return 0
		}
		b, fb = a, fa
		a = math.Max(0, a-step)
		fa = f(a) - goal
	}
	for step := p.deviation / 32; !(fb <= 0); step *= 2 {
		if step > 64*p.deviation {
			return vacuous
		}
		a, fa = b, fb
		b += step
		fb = f(b) - goal
	}
	a, b = special.Crossing(func(e float64) float64 { return f(e) - goal }, a, b, 1e-13)
	if upper {
		return b
	}
	return a
}
