package pld

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// A stack in both directions and a quantity (ε at a δ, or δ at an ε) come in; an interval goes out. Each
// direction tries the methods until it is narrow enough or cannot be the worse one.

// quantity is the quantity that a query asks for: ε at a δ (epsilon.go) or δ at an ε (delta.go). The answer is an
// interval in both cases.
type quantity interface {
	// unknown returns the interval before any method was applied.
	unknown() Interval
	// allowedWidth returns the width that i may have if ε is asked for to a relative width.
	allowedWidth(i Interval, width float64) float64
	// closedForm returns the interval if no composition is needed; final is false if another method
	// may narrow it.
	closedForm(d *direction, at float64) (i Interval, final bool)
	// spectrum returns the intervals that package spectrum computes at some points.
	spectrum(ctx context.Context, s spectrum.Stack, open []unresolvedPoint, width float64) ([]Interval, error)
	// renyi returns an upper end by Rényi divergences and a lower end by the worst single release.
	renyi(d *direction, at float64) Interval
}

// query asks for a quantity at several points.
type query struct {
	quantity
	at     []float64
	width  float64 // relative, of ε
	sums   bool    // list every sum of losses where they are few
	noForm bool
}

// narrow reports whether i has at most the requested width.
func (q query) narrow(i Interval) bool {
	return i.Upper == i.Lower || i.Upper < q.unknown().Upper && i.Upper-i.Lower <= q.allowedWidth(i, q.width)
}

// nothing returns the number below which the quantity counts as 0.
func (q query) nothing() float64 { return q.allowedWidth(Interval{}, 0) }

// answer is the interval known for one direction at one point; final says that no further method
// can narrow it.
type answer struct {
	Interval
	final bool
}

// unresolvedPoint is a δ or ε at which the interval of a direction is still too wide: its index in the query, its
// value, and a lower end of the whole stack there.
type unresolvedPoint struct {
	index     int
	at, least float64
}

const ulp = 0x1p-52 // a unit in the last place, relative

// directions are the directions of a stack: one if all its pairs are symmetric, else two.
type directions []*direction

// enclose applies the methods in order until the interval is narrow at every point. The direction with the
// larger upper end goes first: it may decide the result.
func enclose(ctx context.Context, parts []pairs.Part, q query, methods ...method) (directions, error) {
	s, err := directionsOf(ctx, parts)
	if err != nil || len(q.at) == 0 {
		return s, err
	}
	for _, d := range s {
		d.noForm, d.known = q.noForm, slices.Repeat([]answer{{Interval: q.unknown()}}, len(q.at))
	}
	return s, NameStack(s.ask(ctx, q, methods...), parts)
}

// NameStack returns an error with the stack in its text if it is a contradiction.
func NameStack(err error, parts []pairs.Part) error {
	var contradiction *spectrum.ContradictionError
	if errors.As(err, &contradiction) && contradiction.Stack == "" {
		var words []string
		for _, p := range parts {
			words = append(words, formatNumber(p.Count)+" × "+p.Pair.Key())
		}
		contradiction.Stack = strings.Join(words, ", ")
	}
	return err
}

func (s directions) ask(ctx context.Context, q query, methods ...method) error {
	for _, m := range methods {
		slices.SortStableFunc(s, func(a, b *direction) int { return cmp.Compare(b.known[0].Upper, a.known[0].Upper) })
		for _, d := range s {
			if err := ctx.Err(); err != nil {
				return err
			}
			if open := s.unresolvedPoints(d, q); len(open) > 0 {
				if err := m(ctx, d, q, open); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unresolvedPoints returns the points at which the interval of a direction is too wide and the
// direction may be the worse one.
func (s directions) unresolvedPoints(d *direction, q query) (unresolved []unresolvedPoint) {
	for n := range d.known {
		known, least := &d.known[n], s.lowerEnd(n)
		if !known.final && !q.narrow(known.withLower(least)) {
			unresolved = append(unresolved, unresolvedPoint{n, q.at[n], least})
		}
	}
	return unresolved
}

// done reports whether no point is unresolved in any direction.
func (s directions) done(q query) bool {
	return !slices.ContainsFunc(s, func(d *direction) bool { return len(s.unresolvedPoints(d, q)) > 0 })
}

// lowerEnd returns a lower end of the whole stack at a point.
func (s directions) lowerEnd(number int) (lowerEnd float64) {
	for _, d := range s {
		lowerEnd = math.Max(lowerEnd, d.known[number].Lower)
	}
	return lowerEnd
}

// intervalAt returns the interval known for the whole stack at a point. Its note says both why a
// bound is by Rényi divergences and why a loss is only bracketed.
func (s directions) intervalAt(number int) Interval {
	worst, note := s[0], ""
	for _, d := range s {
		if d.known[number].Upper > worst.known[number].Upper {
			worst = d
		}
		note = cmp.Or(d.note, note)
	}
	out := worst.known[number].Interval
	out.Direction, out.Lower = worst.name, s.lowerEnd(number)
	if out.Lower >= out.Upper*(1-1e-6) { // the estimates agree here
		note = ""
	}
	out.Bracketed = note != ""
	if out.Form == FormRenyi && note != "" {
		note = out.Note + "; " + note
	} else {
		note = cmp.Or(out.Note, note)
	}
	out.Note = note
	return out
}
