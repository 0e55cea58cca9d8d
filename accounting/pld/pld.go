// Package pld is the numerical accountant: it composes the privacy losses of dominating
// pairs and returns an interval that certainly contains the tight ε.
//
// Start with [Epsilon]. A [Pair] says how well an attacker can distinguish two neighbouring
// data sets by one release; constructors such as [Gaussian], [Laplace] and
// [Subsample] build the usual ones.
//
// What comes in is a list of [Part]: pairs, each a [Loss] in either direction, and counts. A
// loss is one law, or lies between two, a pessimistic and an optimistic estimate (pair.go); a
// law is atoms and densities (package loss), a closed curve, and what is known of its Rényi
// divergences (law.go). A stack is read in each direction by itself: equal lines are folded
// and all Gaussians become one (direction.go). The pessimistic estimates are composed for the
// upper end, the optimistic ones for the lower end; closer ones, if there are any, where
// these leave it wide.
//
// Two questions are asked of a stack: for ε at δ (epsilon.go) and for δ at some ε (delta.go). Both
// take the same methods in the same order (methods.go), for every direction, until one is narrow
// enough or the direction cannot be the worse one (ask.go):
//
//   - a closed form: nothing at all, Gaussians only, one release;
//   - so few losses that every sum of them can be listed (package exact);
//   - the spectrum: one Fourier sum along a line of the complex plane (package spectrum), or
//     two, where rare losses far out want a tilt of their own. Almost every stack ends here,
//     whatever the number of its releases;
//   - few releases next to their largest losses, where no tilt suits: sums of losses in
//     cells, positive terms only (package exact);
//   - a bound by Rényi divergences, and the answer says so (renyi.go).
//
// The loss itself is read off the spectrum (tail.go). An [Accountant] in the context remembers.
//
// Where laws come from: the families of noise and of promises are in families.go, lattices.go
// and draws.go, what sampling makes of them in sampled.go and absent.go, batches in
// allocation.go (package bins) and shuffled.go. Chains of steps (chain.go, promised.go), maxima
// of curves (parallel.go) and runs of selections (ranges.go and package ranges) end as lists of
// atoms (list.go), most of them from values of a curve at some losses (connect.go).
//
// What can go wrong makes an interval wide, never wrong: every approximation is bounded
// where it is made and charged to the end it could help. Wide are pairs known between two
// estimates; stacks of a few hundred to a few thousand releases next to their largest losses
// at a tiny δ, where no tilt suits and sums are too many; and δ below 1e-250, where masses
// leave float64. Such an answer says so in its note.
package pld

import (
	"context"
	"math"
)

// Part is an entry of a stack: a pair and its count.
type Part struct {
	Pair  Pair
	Count float64
}

// DefaultWidth is the relative width of an interval unless another is asked for.
const DefaultWidth = 1e-4

// Options steer an evaluation. The zero value asks for the defaults.
type Options struct {
	Width  float64 // relative width asked for; 0 means [DefaultWidth]
	NoForm bool    // do not use closed forms even where they exist (for tests)
}

func (o Options) width() float64 {
	if o.Width > 0 {
		return o.Width
	}
	return DefaultWidth
}

// ErrorBudget says where the width of an interval comes from, in units of ε: smoothing (or
// cells), truncation, aliasing, and what quadrature and round-off may have done.
type ErrorBudget struct{ Grid, Tail, Wrap, Roundoff float64 }

// Interval is a certified answer: Lower ≤ ε ≤ Upper.
type Interval struct {
	Lower, Upper float64
	Direction    string  // "remove", "add" or "both": which one the upper end comes from
	Form         string  // the closed form used, or "" for none
	Grid         int     // frequencies of the Fourier sum, or sums of losses listed; 0 for a closed form
	Step         float64 // the smoothing, or the width of the cells
	Tilt, Window float64 // of the Fourier sum; 0 where sums were listed, and for a closed form
	Budget       ErrorBudget
	Note         string // what was assumed, or why it is wider than asked
}

// meet keeps the better of both ends: every certified interval holds. Two that
// contradict each other by more than rounding cannot both be right, and it is not known
// which is wrong: then only what both allow for is kept, the ends furthest out. What is not a
// number says nothing.
func (i Interval) meet(j Interval) Interval {
	if math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
		return i
	}
	lower, upper := math.Max(i.Lower, j.Lower), math.Min(i.Upper, j.Upper)
	switch {
	case lower > upper*(1+1e-9)+1e-12:
		lower, upper = math.Min(i.Lower, j.Lower), math.Max(i.Upper, j.Upper)
	case lower > upper:
		upper = lower
	}
	if i.Upper <= j.Upper {
		j = i
	}
	j.Lower, j.Upper = lower, upper
	return j
}

// withLower returns an interval of which a lower end is known from elsewhere.
func (i Interval) withLower(least float64) Interval {
	i.Lower = math.Min(i.Upper, math.Max(i.Lower, least))
	return i
}

// Epsilon returns a certified interval for the tight ε of the stack at δ.
func Epsilon(ctx context.Context, parts []Part, delta float64, opt Options) (Interval, error) {
	var last Interval
	err := refine(ctx, parts, delta, opt, nil, func(i Interval) bool { last = i; return true })
	return last, err
}

// Refine yields ever narrower certified intervals until the requested width is reached, the
// context ends, or yield returns false. The last one equals that of Epsilon to the bit, so that
// refining and a single call give the same ε.
func Refine(ctx context.Context, parts []Part, delta float64, opt Options, yield func(Interval) bool) error {
	return refine(ctx, parts, delta, opt, []float64{25, 5}, yield)
}
