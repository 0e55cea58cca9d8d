package spectrum

import (
	"context"
	"math"
	"strconv"

	"epsiloscope/accounting/pld/loss"
)

// apart is for stacks that no one tilt suits: rarely sampled releases whose far losses are
// all that δ is made of, or a few atoms far apart. With a cut in every release, M = A + B, A
// of the losses below it, B of the rare ones above,
//
//	M^K = A^K + (M^K − A^K),
//
// and both are transforms of positive measures: of the composed loss where no release has
// a rare loss, and where at least one has. δ(ε) is the sum of what either contributes, each
// read off a spectrum of its own, with its own tilt and window.
//
// The level says where the cut is: the P-mass above it, in units of δ/K.
func (s Stack) apart(ctx context.Context, delta, width, level float64, out Interval) (Interval, error) {
	per := delta / math.Max(1, s.releases())
	short := s.truncate(ctx, math.Min(1e-5, 1e-2*width)*per)
	goal, low, ok := short.goals(delta)
	if !ok || level*per > 0.2 {
		return out, ctx.Err()
	}
	core, rest, ok := short.cut(level * per)
	if !ok {
		return out, ctx.Err()
	}
	t := aim(goal, math.NaN(), width, 0)
	for pass := 0; pass < 4 && !out.Narrow(width); pass++ {
		next, err := two{core, rest}.pass(ctx, goal, low, t, out)
		if err != nil {
			return out, err
		}
		out = out.meet(next)
		if math.IsInf(next.Upper, 1) || !t.tighten(next, pass) {
			break
		}
	}
	return out, nil
}

// cut takes the rarest losses of every line apart; ok is false if there are none.
func (s *truncated) cut(tail float64) (core, rest truncated, ok bool) {
	tail = rounded(tail, 1)
	core = truncated{ctx: s.ctx, Stack: s.Stack, known: make([]*outlined, len(s.Lines))}
	core.Lines = make([]Line, len(s.Lines))
	rest = core
	rest.rare, rest.coarseRare = make([]loss.Part, len(s.Lines)), make([]loss.Rule, len(s.Lines))
	for i, l := range s.Lines {
		if s.ctx.Err() != nil {
			return core, rest, false
		}
		c := kept(s.ctx, s.Cache, key{l.Key, keyParted, [6]float64{tail}}, func() (*parted, int) {
			below, part := l.Loss.Cut(tail)
			out := &parted{rare: part}
			if part.P > 0 { // the masses of both are known to about 1e-12 of what is not kept
				below.Slack += 4e-12 * (below.Top + below.Bottom)
				out.coarse = part.Of.Coarse()
			}
			bytes := 0
			out.core, bytes = outline(below, l.Key+"<"+strconv.FormatFloat(tail, 'x', -1, 64))
			return out, 2 * bytes
		})
		ok = ok || c.rare.P > 0
		core.known[i], core.Lines[i] = c.core, Line{c.core.Distribution, l.Count, c.core.key}
		rest.rare[i], rest.coarseRare[i] = c.rare, c.coarse
	}
	return core, rest, ok
}

// parted is one loss cut in two.
type parted struct {
	core   *outlined
	rare   loss.Part
	coarse loss.Rule
}

// two are the parts of a stack.
type two struct{ core, rest truncated }

// part is one of them, as planned for an ε: a spectrum, or a bound of all it can do.
type part struct {
	*Spectrum
	plan     Plan
	estimate float64 // of ln δ
	theta    float64 // ln δ ≤ log − θε at every ε,
	log      float64 // where there is no spectrum
	most     float64 // above which it contributes nothing
}

func (p part) logDelta(epsilon float64) (lower, upper float64) {
	if p.Spectrum != nil {
		return p.Spectrum.LogDelta(epsilon)
	}
	if epsilon > p.most {
		return math.Inf(-1), math.Inf(-1)
	}
	return math.Inf(-1), p.log - p.theta*epsilon
}

// estimate is the saddle point's ln δ(ε), and its tilt. It steers only.
func (s *truncated) estimate(epsilon float64) (log, theta float64) {
	t := aim(0, epsilon, 1, 0)
	theta, ok := s.tilt(t)
	if !ok || theta > 1e10 {
		return math.Inf(-1), theta
	}
	log, _, variance := s.outline(theta)
	return log - theta*epsilon - logSize(theta, variance), theta
}

func (w two) pass(ctx context.Context, goal, low float64, t target, known Interval) (Interval, error) {
	out := Interval{Upper: math.Inf(1)}
	epsilon := t.epsilon
	if math.IsNaN(epsilon) {
		epsilon = w.guess(goal, known)
	}
	parts := make([]part, 0, 2)
	total := math.Inf(-1)
	for _, s := range []*truncated{&w.core, &w.rest} {
		log, theta := s.estimate(epsilon)
		parts = append(parts, part{estimate: log, theta: theta})
		total = math.Max(total, log)
	}
	for i, s := range []*truncated{&w.core, &w.rest} {
		p := &parts[i]
		share := math.Exp(p.estimate - total)
		if i == 0 && !(share > 1e-12) {
			s.bound(p)
			continue
		}
		own := t
		own.epsilon, own.logDelta = epsilon, goal
		own.width = math.Min(1e-2, t.width/math.Max(1e-9, share))
		plan, ok := s.choose(own)
		if !ok {
			return out, ctx.Err()
		}
		c, ok, err := s.evaluate(ctx, plan)
		if err != nil || !ok {
			return out, err
		}
		p.Spectrum, p.plan = c, plan
		out.Frequencies += c.Frequencies
		e := c.errorsAt(epsilon, 0)
		out.Errors.Smoothing += share * e.Smoothing
		out.Errors.Aliasing += share * e.Aliasing
		out.Errors.Bandwidth += share * e.Bandwidth
		out.Errors.Quadrature += share * e.Quadrature
		out.Errors.Roundoff += share * e.Roundoff
		if share == 1 {
			out.Theta, out.Smoothing, out.Window = plan.Theta, plan.Smoothing, plan.Window
		}
	}
	out.Errors.Truncation = low - goal
	read := func(upper bool) func(float64) float64 {
		return func(e float64) float64 {
			sum := 0.0
			for i := range parts {
				l, u := parts[i].logDelta(e)
				if upper {
					l = u
				}
				sum += math.Exp(l - goal)
			}
			if upper {
				return goal + math.Log(sum*(1+care*unit))
			}
			return goal + math.Log(sum*(1-care*unit))
		}
	}
	near := Plan{guess: epsilon, deviation: math.Inf(1)}
	for _, p := range parts {
		if p.Spectrum != nil {
			near.deviation = math.Min(near.deviation, p.plan.deviation)
		}
	}
	out.Upper = math.Max(0, solve(read(true), goal, near, true))
	out.Lower = math.Max(0, solve(read(false), low, near, false))
	return out, nil
}

// guess bisects for the ε at which both estimates add up to δ.
func (w two) guess(goal float64, known Interval) float64 {
	both := func(e float64) float64 {
		a, _ := w.core.estimate(e)
		b, _ := w.rest.estimate(e)
		return math.Max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b)))
	}
	lo, hi := known.Lower, known.Upper
	if math.IsInf(hi, 1) {
		for hi = math.Max(1e-6, 2*lo); hi < 1e9 && both(hi) > goal; hi *= 2 {
			lo = hi
		}
	}
	for range 30 {
		mid := lo + (hi-lo)/2
		if lo > 0 && hi > 4*lo {
			mid = math.Sqrt(lo * hi)
		}
		if hi-lo < 1e-3*hi {
			break
		}
		if both(mid) > goal {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// bound is all that the losses below the cut can do: nothing above the largest of their
// sums, and e^{Λ(θ) − θε}·c(θ) below it.
func (s *truncated) bound(p *part) {
	most, slack := s.largest()
	p.most = most + slack
	p.theta = math.Min(p.theta, 1e6)
	p.log = s.Square*p.theta*(p.theta+1)/2*(1+care*unit) + logHeight(p.theta)
	for i, l := range s.Lines {
		scale := s.known[i].cumulants(p.theta).log
		rule := l.Loss.Rule(s.ctx, []loss.Line{{Theta: p.theta, LogScale: scale, Tolerance: math.Min(1e-8, 1e-2/s.releases())}})
		t := tiltRule(s.ctx, rule, p.theta, rule.Err[0], scale)
		p.log += l.Count * (t.log + t.logErr + math.Log1p(t.rule))
	}
	p.log += 1e-9 * math.Abs(p.log)
}
