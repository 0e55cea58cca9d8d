package pld

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// DefaultWidth is the relative width of an interval unless another is asked for.
const DefaultWidth = 1e-4

// Options steer an evaluation. The zero value asks for the defaults.
type Options struct {
	Width float64 // relative width asked for; 0 means [DefaultWidth]
	// Sums asks for every sum of losses by itself where they are few: no interval is narrower, but many sums take
	// longer than a spectrum.
	Sums bool
	// Negligible is a δ as good as 0 to whoever asks for δ: where δ is certainly no larger, nothing closer is computed.
	Negligible float64
	NoForm     bool // do not use closed forms even where they exist (for tests)
}

func (o Options) width() float64 {
	if o.Width > 0 {
		return o.Width
	}
	return DefaultWidth
}

// ErrorBudget says where the width of an interval comes from, in units of ε: smoothing,
// truncation, aliasing, and what quadrature and round-off may have done.
type ErrorBudget struct{ Grid, Tail, Wrap, Roundoff float64 }

// Interval is a certified answer: Lower ≤ ε ≤ Upper.
type Interval struct {
	Lower, Upper float64
	Direction    string  // "remove", "add" or "both": which one the upper end comes from
	Form         string  // the closed form used, or "" for none
	Grid         int     // frequencies of the Fourier sum; 0 if there is none
	Step         float64 // the smoothing
	Tilt, Window float64 // of the Fourier sum; 0 for a closed form
	Budget       ErrorBudget
	Note         string // what was assumed, or why it is wider than asked
	// Bracketed is set if a release is known only between what dominates it and what an attack reaches, so that the
	// ends do not meet however much is computed.
	Bracketed bool
}

// meet keeps the better of both ends: every certified interval holds. Ends below nothing count as 0. The error is a
// [spectrum.ContradictionError]. What is not a number says nothing.
func (i Interval) meet(j Interval, nothing float64) (Interval, error) {
	if math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
		return i, nil
	}
	lower, upper, err := spectrum.Meet([2]float64{i.Lower, i.Upper}, [2]float64{j.Lower, j.Upper}, nothing)
	if i.Upper <= j.Upper {
		j = i
	}
	j.Lower, j.Upper = lower, upper
	return j, err
}

// withLower returns i with its lower end raised to at least least.
func (i Interval) withLower(least float64) Interval {
	i.Lower = math.Min(i.Upper, math.Max(i.Lower, least))
	return i
}

// Epsilon returns a certified interval for the tight ε of the stack at δ.
func Epsilon(ctx context.Context, parts []pairs.Part, delta float64, opt Options) (Interval, error) {
	var last Interval
	err := refine(ctx, parts, delta, opt, nil, func(i Interval) bool { last = i; return true })
	return last, err
}

// Refine yields ever narrower certified intervals until the requested width is reached, the
// context ends, or yield returns false. The last one equals that of Epsilon to the bit, so that
// refining and a single call give the same ε.
func Refine(ctx context.Context, parts []pairs.Part, delta float64, opt Options, yield func(Interval) bool) error {
	return refine(ctx, parts, delta, opt, []float64{25, 5}, yield)
}
