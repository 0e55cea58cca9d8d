package pld

import (
	"fmt"
	"math"
	"sort"

	"epsiloscope/accounting/pld/spectrum"
)

// line is one distinct loss of a stack in one direction and how often it occurs.
type line struct {
	key          string
	upper, lower *law
	count        float64
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

// directions folds equal lines of a stack. All Gaussians are one Gaussian, unless
// that closed form is not wanted. A stack of symmetric pairs has one direction.
func (a *Accountant) directions(parts []Part, noForm bool) ([]direction, error) {
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
	pick := func(name string, loss func(Pair) Loss) (direction, error) {
		d := direction{name: name, cache: a.vectors()}
		err := a.fold(&d, parts, loss, noForm)
		return d, err
	}
	if both {
		d, err := pick("both", func(p Pair) Loss { return p.Remove })
		return []direction{d}, err
	}
	remove, err := pick("remove", func(p Pair) Loss { return p.Remove })
	if err != nil {
		return nil, err
	}
	add, err := pick("add", func(p Pair) Loss { return p.Add })
	return []direction{remove, add}, err
}

func (a *Accountant) fold(d *direction, parts []Part, loss func(Pair) Loss, noForm bool) error {
	counts := map[string]float64{}
	losses := map[string]Loss{}
	square := 0.0 // Σ K·μ²
	only := true  // nothing but Gaussians
	for _, p := range parts {
		_, ok := gaussianSize(loss(p.Pair))
		only = only && ok
	}
	for _, p := range parts {
		l := loss(p.Pair)
		if p.Count == 0 || l.Key() == "nothing" {
			continue
		}
		if mu, ok := gaussianSize(l); ok && !(noForm && only) {
			square += p.Count * mu * mu
			continue
		}
		counts[l.Key()] += p.Count
		losses[l.Key()] = l
	}
	if square > 0 {
		g := gaussian(math.Sqrt(square))
		counts[g.Key()], losses[g.Key()] = counts[g.Key()]+1, g
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		l, err := a.lineFor(losses[k])
		if err != nil {
			return err
		}
		if f, ok := losses[k].(faces); ok && d.note == "" {
			d.note = f.note()
		}
		l.count = counts[k]
		d.lines = append(d.lines, l)
	}
	return nil
}

// describe is everything about one loss that does not hang on the stack.
func describe(l Loss) (line, error) {
	upper, lower, ok := bounds(l)
	if !ok {
		return line{}, unsupported("one of the releases has too many different losses to be listed")
	}
	return line{key: l.Key(), upper: upper, lower: lower}, nil
}

// bracketed reports whether a line is known between two faces only.
func (d direction) bracketed() bool {
	for _, l := range d.lines {
		if l.upper.Key() != l.lower.Key() {
			return true
		}
	}
	return false
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
		for _, side := range []struct {
			loss Loss
			sum  *float64
		}{{p.Pair.Remove, &remove}, {p.Pair.Add, &add}} {
			if _, lower, ok := bounds(side.loss); ok && p.Count > 0 {
				*side.sum += p.Count * math.Max(0, lower.hi)
			}
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
