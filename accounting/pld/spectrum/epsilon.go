package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// A stack of losses, δ and a width come in; an interval for ε goes out, after as many passes as the width needs.

// Interval is a certified answer: Lower ≤ ε ≤ Upper. The rest says how it was found; of several
// spectra the plan is that of the largest.
type Interval struct {
	Lower, Upper float64
	Inversion
	Frequencies int
	Errors      Errors
}

// Errors says where the width of an answer comes from, in units of ln δ at the upper end. The
// errors of the rules count as round-off.
type Errors struct{ Smoothing, Aliasing, Bandwidth, Truncation, Roundoff float64 }

// add puts in the errors of a part that contributes a share of δ.
func (e *Errors) add(share float64, of Errors) {
	e.Smoothing += share * of.Smoothing
	e.Aliasing += share * of.Aliasing
	e.Bandwidth += share * of.Bandwidth
	e.Roundoff += share * of.Roundoff
}

// Epsilon encloses the tight ε of a stack at δ, aiming at a relative width. A stack it
// cannot evaluate has the interval [0, +Inf].
func (s Stack) Epsilon(ctx context.Context, delta, width float64) (Interval, error) {
	return s.EpsilonAbove(ctx, delta, width, 0)
}

// EpsilonAbove is [Stack.Epsilon] if only an ε above least matters: an upper end below that suffices, and the
// interval may be wide. It tries one spectrum for all losses first, then one for the common and one for the
// rare losses, for several meanings of rare. A pass that needs many frequencies waits until those that need
// fewer have been made.
func (s Stack) EpsilonAbove(ctx context.Context, delta, width, least float64) (out Interval, err error) {
	w := search{Stack: s.withKeys(), delta: delta, width: width, least: least}
	if out, err = w.nextToLargest(ctx, delta, width); err != nil {
		return out, err
	}
	var attempts []attempt
	for _, level := range []float64{0, 3, 0.9, 30, 1e3, 1e5, 1e8} {
		attempts = append(attempts, w.attempt(level))
	}
	for _, w.frequencies = range []float64{1 << 16, 1 << 17, maxFrequencies} {
		for i := range attempts {
			most := 4
			if i == 0 {
				most = 2
			} else if out.Upper < 1e-9 { // it is next to nothing
				continue
			}
			if out, err = w.passes(ctx, &attempts[i], most, out); err != nil {
				return out, err
			}
		}
	}
	return w.passes(ctx, &attempts[0], 6, out)
}

// search is the search for the ε of a stack at δ, as far as it is above least.
type search struct {
	Stack
	delta, width, least float64
	frequencies         float64 // that a spectrum may need
}

// attempt is a series of passes at one level: see [search.pass].
type attempt struct {
	target
	made int  // passes so far
	over bool // no further pass can help
}

func (s search) attempt(level float64) attempt {
	t := aim(0, math.NaN(), s.width, math.Min(1e-5, 0.1*s.width))
	if t.level = level; level > 0 {
		t.tail = math.Min(1e-5, 1e-2*s.width)
	}
	return attempt{target: t}
}

// passes evaluates the stack until there were `most` passes, each time correcting what kept the last interval
// wide, until the interval is narrow or the next pass needs too many frequencies.
func (s search) passes(ctx context.Context, a *attempt, most int, out Interval) (Interval, error) {
	for a.made < most && !a.over && !out.Narrow(s.width) && out.Upper > s.least {
		next, ok, err := s.pass(ctx, a.target, out)
		if err != nil || !ok {
			return out, err
		}
		if out, err = out.meet(next); err != nil {
			return out, err
		}
		if vain := math.IsInf(next.Upper, 1); vain && a.level == 0 && a.made < 2 { // too much work: aim lower
			a.width = math.Min(1e-2, 30*a.width)
		} else {
			next.Upper = out.Upper // which another level may have brought closer
			a.over = vain || !a.tighten(next, a.made)
		}
		a.made++
	}
	return out, nil
}

// tighten aims the next pass at what kept this one wide; it is false if no pass can mend that.
func (t *target) tighten(last Interval, pass int) bool {
	// In ln δ, and no more than leaves something of δ: else there is no lower end.
	want := math.Min(1, t.width*last.Upper*last.Theta)
	e := last.Errors
	if e.Truncation > 0.4*want {
		if t.tail < 0.01*want {
			return false
		}
		t.tail = 0.005 * want
	}
	if e.Smoothing > 0.4*want { // it is of second order in h, but next to an atom linear
		factor := 0.3 * want / e.Smoothing
		if pass == 0 { // fewer frequencies, which may do
			factor = math.Sqrt(factor)
		}
		t.smooth *= math.Max(0.02, math.Min(0.5, factor))
	}
	if pass > 0 || e.Aliasing < 0.1 { // ε is known well enough
		t.tight *= 1e-2
	}
	t.epsilon = last.Upper
	return true
}

// SmallestEpsilon is an ε that counts as 0.
const SmallestEpsilon = 1e-12

// Narrow reports whether an interval has the relative width asked for.
func (i Interval) Narrow(width float64) bool {
	return i.Upper < math.Inf(1) && (i.Upper-i.Lower <= width*i.Upper || i.Upper < SmallestEpsilon)
}

// meet keeps the better of both ends; how it was found comes with the smaller upper end. The error is a
// [ContradictionError].
func (i Interval) meet(j Interval) (Interval, error) {
	lower, upper, err := Meet([2]float64{i.Lower, i.Upper}, [2]float64{j.Lower, j.Upper}, SmallestEpsilon)
	if i.Upper < j.Upper {
		j = i
	}
	j.Lower, j.Upper = lower, upper
	return j, err
}

// goals returns the ln δ left for the finite losses, for the upper and for the lower end. ok is
// false if the mass at +∞ alone exceeds δ.
func (s *truncated) goals(delta float64) (goal, low float64, ok bool) {
	goal, low = math.Log(delta-s.top), math.Log(delta-s.failed)
	goal -= care * unit * (1 + s.top/(delta-s.top))
	low += care * unit * (1 + s.failed/(delta-s.failed))
	return goal, low, !math.IsNaN(goal+low) && !math.IsInf(goal+low, 0)
}

// errorsAt splits the width of ln δ at ε.
func (s *Spectrum) errorsAt(epsilon float64) Errors {
	lower, upper, at := s.ends(epsilon)
	value, err := upper.value, upper.err
	aliases := s.aliases(epsilon) * math.Exp(s.plan.Theta*(at-epsilon))
	left := s.left * s.spacing / (2 * math.Pi) / value
	return Errors{
		Smoothing: (value - lower.value) / value, Aliasing: aliases / value, Bandwidth: left,
		Roundoff: math.Max(0, err/value-left) + s.logErr,
	}
}

// solve finds an ε ≥ 0 on the safe side of the root of f, which is ln of δ(ε) over what it
// may be: one where f ≤ 0 for an upper end, f ≥ 0 for a lower one. f is all but linear
// there, with slope about −θ. Without such an ε the end is vacuous.
func solve(f func(float64) float64, p Inversion, side numeral.Side) float64 {
	vacuous := 0.0
	if side == numeral.Up {
		vacuous = math.Inf(1)
	}
	a, fa := p.guess, f(p.guess) // f(a) ≥ 0
	b, fb := a, fa               // f(b) ≤ 0
	for step := p.deviation / 32; !(fa >= 0); step *= 2 {
		if a == 0 {
			return 0
		}
		b, fb = a, fa
		a = math.Max(0, a-step)
		fa = f(a)
	}
	for step := p.deviation / 32; !(fb <= 0); step *= 2 {
		if step > 64*p.deviation {
			return vacuous
		}
		a, b = b, b+step
		fb = f(b)
	}
	a, b = special.BracketRoot(f, a, b, 1e-13)
	if side == numeral.Up {
		return b
	}
	return a
}
