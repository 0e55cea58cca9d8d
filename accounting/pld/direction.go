package pld

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"epsiloscope/accounting/pld/spectrum"
)

// line is one distinct loss of a stack in one direction and how often it occurs.
type line struct {
	*Loss
	count float64
}

// direction is a stack read in one direction.
type direction struct {
	name  string
	lines []line
	note  string
	cache *spectrum.Cache
}

// UnsupportedError is a stack that the accountant cannot take; its text is the
// reason, worded for a user.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

func unsupported(format string, args ...any) error {
	return &UnsupportedError{fmt.Sprintf(format, args...)}
}

// directionsOf folds equal lines of a stack. All Gaussians are one Gaussian, unless
// that closed form is not wanted. A stack of symmetric pairs has one direction.
func directionsOf(ctx context.Context, parts []Part, noForm bool) ([]direction, error) {
	both := true
	for _, p := range parts {
		if p.Pair.Remove == nil || p.Pair.Add == nil {
			return nil, unsupported("a line of the stack has no dominating pair")
		}
		if math.IsNaN(p.Count) || p.Count < 0 {
			return nil, unsupported("a line of the stack has no valid count")
		}
		both = both && p.Pair.Symmetric()
	}
	cache := accountantOf(ctx).vectors()
	remove := fold("remove", cache, parts, func(p Pair) *Loss { return p.Remove }, noForm)
	if both {
		remove.name = "both"
		return []direction{remove}, nil
	}
	add := fold("add", cache, parts, func(p Pair) *Loss { return p.Add }, noForm)
	return []direction{remove, add}, nil
}

func fold(name string, cache *spectrum.Cache, parts []Part, loss func(Pair) *Loss, noForm bool) direction {
	d := direction{name: name, cache: cache}
	only := true // nothing but Gaussians
	for _, p := range parts {
		_, ok := loss(p.Pair).gaussian()
		only = only && ok
	}
	lines := map[string]line{}
	put := func(l *Loss, count float64) {
		lines[l.key] = line{l, lines[l.key].count + count}
	}
	square := 0.0 // Σ K·μ²
	for _, p := range parts {
		l := loss(p.Pair)
		mu, plain := l.gaussian()
		switch {
		case p.Count == 0 || l.key == "nothing":
		case plain && !(noForm && only):
			square += p.Count * mu * mu
		default:
			put(l, p.Count)
			d.note = cmp.Or(d.note, l.note)
		}
	}
	if square > 0 {
		put(known(gaussian(math.Sqrt(square))), 1)
	}
	for _, k := range slices.Sorted(maps.Keys(lines)) {
		d.lines = append(d.lines, lines[k])
	}
	return d
}

// bracketed reports whether a line is known between two faces only.
func (d direction) bracketed() bool {
	return slices.ContainsFunc(d.lines, func(l line) bool { return !l.exact() })
}

// lost is the probability that at least one of the copies gives the record away,
// 1 − Π(1−δ_i)^K.
func (d direction) lost(top func(line) float64) float64 {
	sum := 0.0
	for _, l := range d.lines {
		if t := top(l); t > 0 {
			sum += l.count * math.Log1p(-math.Min(t, 1))
		}
	}
	return -math.Expm1(sum)
}

// ceiling is the largest loss of the composition: Σ K·max L.
func (d direction) ceiling() float64 {
	sum := 0.0
	for _, l := range d.lines {
		sum += l.count * l.upper.hi
	}
	return sum
}

// LargestLoss is the largest loss of a stack that is certainly attained, in the worse
// direction: a lower end of ε where nothing may fail.
func LargestLoss(parts []Part) float64 {
	remove, add := 0.0, 0.0
	for _, p := range parts {
		if p.Count > 0 {
			remove += p.Count * math.Max(0, p.Pair.Remove.lower.hi)
			add += p.Count * math.Max(0, p.Pair.Add.lower.hi)
		}
	}
	return math.Max(remove, add)
}

// possible is the P-mass at +∞ of the upper face.
func (l line) possible() float64 { return l.upper.top }

// failing is the true P-mass at +∞, that of the lower face; what a lattice charges for
// its unlisted far end, or a chain of steps for all of them, counts in the upper end only.
func (l line) failing() float64 {
	if l.lower.top > beyondFloat {
		return l.lower.top
	}
	return 0
}
