package pld

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Pairs with counts come in; one stack of folded losses per order of the neighbours goes out.

// line is a distinct loss of a stack in one direction, with its count.
type line struct {
	*Loss
	count float64
}

// direction is a stack read in one direction, and what is known so far at the points of a
// question.
type direction struct {
	name   string
	lines  []line
	note   string
	cache  *spectrum.Cache
	noForm bool
	known  []answer
	mirror bool // the other direction has the same pessimistic estimates
}

// UnsupportedError is a stack that the accountant cannot take; its text is the
// reason, worded for a user.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

func unsupportedError(reason string) error { return &UnsupportedError{reason} }

// directionsOf folds equal lines of a stack. All Gaussians are one Gaussian. A stack of
// symmetric pairs has one direction.
func directionsOf(ctx context.Context, parts []Part) (directions, error) {
	for _, p := range parts {
		if !p.Pair.Remove.isSet() || !p.Pair.Add.isSet() {
			return nil, unsupportedError("an entry of the stack has no dominating pair")
		}
		if !(p.Count > 0) {
			return nil, unsupportedError("an entry of the stack has the count " + number(p.Count) + ": say how often it is released, a number above 0")
		}
	}
	return foldDirections(parts, &accountantOf(ctx).cache), nil
}

func foldDirections(parts []Part, cache *spectrum.Cache) directions {
	remove := fold("remove", parts, func(p Pair) *Loss { return p.Remove }, cache)
	if !slices.ContainsFunc(parts, func(p Part) bool { return !p.Pair.Symmetric() }) {
		remove.name, remove.mirror = "both", true
		return directions{remove}
	}
	add := fold("add", parts, func(p Pair) *Loss { return p.Add }, cache)
	remove.mirror = !slices.ContainsFunc(parts, func(p Part) bool { return p.Pair.Remove.upper.key != p.Pair.Add.upper.key })
	add.mirror = remove.mirror
	return directions{remove, add}
}

func fold(name string, parts []Part, loss func(Pair) *Loss, cache *spectrum.Cache) *direction {
	d := &direction{name: name, cache: cache}
	losses, counts := map[string]*Loss{}, map[string]*special.Adder{}
	put := func(l *Loss, count float64) {
		if losses[l.key] == nil {
			losses[l.key], counts[l.key] = l, new(special.Adder)
		}
		counts[l.key].Add(count)
	}
	var squares special.Adder // K·μ²
	for _, p := range parts {
		l := loss(p.Pair)
		mu, plain := l.gaussian()
		switch {
		case p.Count == 0 || l.key == "nothing":
		case plain:
			squares.Add(p.Count * mu * mu)
		default:
			put(l, p.Count)
			d.note = cmp.Or(d.note, l.note)
		}
	}
	if square := squares.Sum(); square > 0 {
		put(exactLoss(gaussian(math.Sqrt(square))), 1)
	}
	for _, k := range slices.Sorted(maps.Keys(losses)) {
		d.lines = append(d.lines, line{losses[k], counts[k].Sum()})
	}
	return d
}

// hasBracketedLoss reports whether some loss is known only between a pessimistic and an optimistic estimate.
func (d *direction) hasBracketedLoss() bool {
	return slices.ContainsFunc(d.lines, func(l line) bool { return !l.exact() })
}

// single returns the loss of a stack of one release if closed forms are allowed and the loss has no finer
// estimate.
func (d *direction) single() (l *Loss, ok bool) {
	if d.noForm || len(d.lines) != 1 || d.lines[0].count != 1 || d.lines[0].upper.finer != nil {
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
		if t := math.Max(l.lower.top, l.lower.elsewhere); t > beyondFloat {
			sure.Add(l.count * math.Log1p(-math.Min(t, 1)))
		}
		if t := l.upper.of().Top; t > 0 {
			feared.Add(l.count * math.Log1p(-math.Min(t, 1)))
		}
	}
	return math.Max(0, -math.Expm1(sure.Sum())), math.Max(0, -math.Expm1(feared.Sum())) // and not −0
}

// maxLoss returns the largest loss of the composition: Σ K·max L.
func (d *direction) maxLoss() float64 {
	sum := 0.0
	for _, l := range d.lines {
		sum += l.count * l.upper.hi()
	}
	return sum
}

// LargestLoss returns the largest loss of a stack that is certainly attained, in the worse direction: a lower
// end of ε at δ = 0.
func LargestLoss(parts []Part) float64 {
	remove, add := 0.0, 0.0
	for _, p := range parts {
		if p = (Part{p.Pair.orInvalid(), p.Count}); p.Count > 0 {
			remove += p.Count * math.Max(0, p.Pair.Remove.lower.hi())
			add += p.Count * math.Max(0, p.Pair.Add.lower.hi())
		}
	}
	return math.Max(remove, add)
}

// DirectedProfile returns certified ends of δ(ε) of the stack in one direction, at every
// real ε asked for. Profile, in contrast, stops refining the direction that is not the worse.
func DirectedProfile(ctx context.Context, parts []Part, way Direction, epsilons []float64, opt Options) (lower, upper []float64, err error) {
	one := make([]Part, len(parts))
	for i, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			return nil, nil, unsupportedError("a line of the stack has no dominating pair")
		}
		loss := p.Pair.Remove
		if way == WithoutRecord {
			loss = p.Pair.Add
		}
		one[i] = Part{symmetric(loss), p.Count}
	}
	return Profile(ctx, one, epsilons, opt)
}

// SymmetricStack reports whether every pair of the stack reads the same in both directions.
func SymmetricStack(parts []Part) bool {
	for _, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil || !p.Pair.Symmetric() {
			return false
		}
	}
	return true
}
