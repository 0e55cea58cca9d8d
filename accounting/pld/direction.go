package pld

import (
	"context"
	"math"
	"slices"
	"strconv"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Pairs with counts come in; one stack of folded losses per order of the neighbours goes out.

// Direction says which of two neighbouring data sets is the true one. The loss is ln(P/Q) with P the output
// on the true data set and Q that on the other.
type Direction int

const (
	WithRecord    Direction = iota // the data set with the record is the true one: [pairs.Pair.Remove]
	WithoutRecord                  // the data set without it is: [pairs.Pair.Add]
)

// LossOf returns the loss of a pair in the direction.
func (d Direction) LossOf(p pairs.Pair) *pairs.Loss {
	if d == WithoutRecord {
		return p.Add
	}
	return p.Remove
}

// direction is a stack read in one direction, and what is known so far at the points of a
// query: their answers, and the Rényi divergences of the stack by their orders. It belongs to one query, and so to one
// goroutine.
type direction struct {
	name   string
	lines  []pairs.Line
	note   string
	cache  *spectrum.Cache
	noForm bool
	known  []answer

	divergences map[float64]float64 // of the present lines
}

// UnsupportedError is a stack that the accountant cannot take; its text is the
// reason, worded for a user.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// formatNumber writes a number so that equal texts mean equal numbers.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func unsupportedError(reason string) error { return &UnsupportedError{reason} }

// directionsOf folds equal lines of a stack. All Gaussians are one Gaussian. A stack of
// symmetric pairs has one direction.
func directionsOf(ctx context.Context, parts []pairs.Part) (directions, error) {
	for _, p := range parts {
		if !p.Pair.Remove.IsSet() || !p.Pair.Add.IsSet() {
			return nil, unsupportedError("an entry of the stack has no dominating pair")
		}
		if !(p.Count > 0) {
			return nil, unsupportedError("an entry of the stack has the count " + formatNumber(p.Count) + ": say how often it is released, a number above 0")
		}
	}
	return foldDirections(parts, &accountantOf(ctx).cache), nil
}

func foldDirections(parts []pairs.Part, cache *spectrum.Cache) directions {
	fold := func(name string, loss func(pairs.Pair) *pairs.Loss) *direction {
		lines, note := pairs.Fold(parts, loss)
		return &direction{name: name, lines: lines, note: note, cache: cache}
	}
	remove := fold("remove", WithRecord.LossOf)
	if pairs.SymmetricStack(parts) {
		remove.name = "both"
		return directions{remove}
	}
	add := fold("add", WithoutRecord.LossOf)
	return directions{remove, add}
}

// hasBracketedLoss reports whether some loss is known only between a pessimistic and an optimistic estimate.
func (d *direction) hasBracketedLoss() bool {
	return slices.ContainsFunc(d.lines, func(l pairs.Line) bool { return !l.Exact() })
}

// single returns the loss of a stack of one release if closed forms are allowed and the loss has no finer
// estimate.
func (d *direction) single() (l *pairs.Loss, ok bool) {
	if d.noForm || len(d.lines) != 1 || d.lines[0].Count != 1 || d.lines[0].Upper().CanBeFiner() {
		return nil, false
	}
	return d.lines[0].Loss, true
}

// failureProbability bounds the probability of an infinite loss in some copy, 1 − Π(1−δ_i)^K, from below
// (certain) and above (possible). What a lattice charges for its unlisted far end, or a chain of steps for all
// of them, is possible only. Every release by itself may be attacked in the way that gives most away.
func (d *direction) failureProbability() (certain, possible float64) {
	var sure, feared special.Adder
	for _, l := range d.lines {
		if t := l.Lower().CertainFailure(); t > 0 {
			sure.Add(l.Count * math.Log1p(-t))
		}
		if t := l.Upper().PossibleFailure(); t > 0 {
			feared.Add(l.Count * math.Log1p(-t))
		}
	}
	return math.Max(0, -math.Expm1(sure.Sum())), math.Max(0, -math.Expm1(feared.Sum())) // and not −0
}

// maxLoss returns the largest loss of the composition: Σ K·max L.
func (d *direction) maxLoss() float64 {
	sum := 0.0
	for _, l := range d.lines {
		sum += l.Count * l.Upper().Largest()
	}
	return sum
}

// DirectedCurve is δ(ε) of a stack in one direction, asked for in several calls, which share their compositions. Its
// ends depend on the calls before. It is for one goroutine at a time.
type DirectedCurve struct {
	parts   []pairs.Part
	readers readers
}

// NewDirectedCurve returns the curve of a stack in one direction. Nothing is computed.
func NewDirectedCurve(parts []pairs.Part, way Direction) *DirectedCurve {
	one := make([]pairs.Part, len(parts))
	for i, p := range parts {
		one[i] = p
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			continue // which Profile refuses
		}
		one[i].Pair = pairs.SymmetricPair(way.LossOf(p.Pair))
	}
	return &DirectedCurve{one, readers{}}
}

// Clone returns a curve that starts from the compositions of c and leaves c as it is.
func (c *DirectedCurve) Clone() *DirectedCurve {
	out := &DirectedCurve{c.parts, readers{}}
	for key, r := range c.readers {
		out.readers[key] = r.Clone()
	}
	return out
}

// Profile returns certified ends of δ(ε) in the direction of the curve, at every real ε asked for; [Profile], in
// contrast, stops refining the direction that is not the worse one.
func (c *DirectedCurve) Profile(ctx context.Context, epsilons []float64, opt Options) (lower,
	upper []float64, err error) {
	for _, p := range c.parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			return nil, nil, unsupportedError("a line of the stack has no dominating pair")
		}
	}
	return profile(ctx, c.parts, epsilons, opt, c.readers)
}
