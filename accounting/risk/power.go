package risk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

const (
	roundPoints  = 24    // ε of each further round, at most
	cellPoints   = 4     // parts into which a round cuts a cell
	powerWidth   = 1e-9  // relative gap of the ends at which the search stops
	farthest     = 700.0 // |ε| beyond which e^ε leaves float64
	narrowestGap = 1e-13 // of two neighbouring ε, relative to their size
)

// power returns certified ends of inf over real ε of e^ε·alpha + δ(ε): the largest power
// of a test of level alpha. Every ε gives an upper end; the lower end takes all of them together
// (lowerPower). Each round cuts the cells in which the infimum may still lie.
func (c *Curve) power(ctx context.Context, way pld.Direction, alpha float64, what string) (Ends, error) {
	if !(alpha > 0 && alpha < 1) {
		return Ends{0, 1}, openInterval(what, alpha)
	}
	high, err := c.span(ctx)
	if err != nil {
		return Ends{0, 1}, err
	}
	next := spread(high, c.effort.first)
	out, stuck := Ends{alpha, 1}, 0
	for range c.effort.rounds {
		if err := c.extend(ctx, way, next); err != nil {
			return Ends{0, 1}, err
		}
		s := c.snapshot(way)
		upper := math.Max(alpha, s.upperPower(alpha))
		narrowed := Ends{math.Max(alpha, s.lowerPower(alpha)), upper}
		if narrowed.Upper-narrowed.Lower > 0.99*(out.Upper-out.Lower) {
			stuck++ // the ends of δ themselves are as wide as this
		} else {
			stuck = 0
		}
		out = narrowed
		if next = s.cut(alpha, out.Upper*(1-powerWidth)); len(next) == 0 || stuck > 2 {
			break
		}
	}
	return out, nil
}

// chartPoints is the number of ε from which the rates of a whole chart are read.
const chartPoints = 97

// Powers returns certified ends of the largest power of tests of several levels in one direction, all from one set of ε: a chart in one
// evaluation. A single level is narrower by [Curve.TruePositiveRate] or [Curve.TrueNegativeRate].
func (c *Curve) Powers(ctx context.Context, way pld.Direction, levels []float64) ([]Ends, error) {
	high, err := c.span(ctx)
	if err != nil {
		return nil, err
	}
	points := append(spread(high, chartPoints), pairs.Corners(c.parts)...)
	if err := c.extend(ctx, way, points); err != nil {
		return nil, err
	}
	s, out := c.snapshot(way), make([]Ends, len(levels))
	for i, alpha := range levels {
		if !(alpha > 0 && alpha < 1) {
			return nil, openInterval("the level", alpha)
		}
		upper := math.Max(alpha, s.upperPower(alpha))
		out[i] = Ends{math.Min(upper, math.Max(alpha, s.lowerPower(alpha))), upper}
	}
	return out, nil
}

// cut returns further ε in the cells whose lower end is below a limit, those with the least first.
func (s side) cut(alpha, limit float64) (epsilons []float64) {
	type cell struct {
		number int
		floor  float64
	}
	var open []cell
	for i := 0; i+1 < len(s.epsilon); i++ {
		wide := s.epsilon[i+1]-s.epsilon[i] > narrowestGap*math.Max(1, math.Abs(s.epsilon[i]))
		if floor := s.cellFloor(i, alpha); wide && floor < limit {
			open = append(open, cell{i, floor})
		}
	}
	slices.SortFunc(open, func(a, b cell) int { return cmp.Compare(a.floor, b.floor) })
	for _, o := range open[:min(len(open), roundPoints/(cellPoints-1))] {
		left, right := s.epsilon[o.number], s.epsilon[o.number+1]
		for k := 1; k < cellPoints; k++ {
			epsilons = append(epsilons, left+(right-left)*float64(k)/cellPoints)
		}
	}
	return epsilons
}

// span returns an ε beyond which the profile says no more: δ is at most 10⁻¹² there, and
// by the mirror 1 − δ ≤ 10⁻¹²·e^ε at its negative.
func (c *Curve) span(ctx context.Context) (float64, error) {
	ends, err := pld.Epsilon(ctx, c.parts, 1e-12, pld.Options{Width: 1e-2})
	switch {
	case err != nil:
		return 0, err
	case math.IsInf(ends.Upper, 1):
		return 40, nil
	}
	return math.Min(farthest, math.Max(ends.Upper, 1e-6)), nil
}

// spread returns points from −high to high, denser about 0, where profiles bend most.
func spread(high float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		t := 2*float64(i)/float64(n-1) - 1
		out[i] = high * t * math.Abs(t)
	}
	return out
}

// upperPower returns the least e^ε·alpha + δ⁺(ε) over the known ε, rounded up. Each known ε is
// a valid bound by itself.
func (s side) upperPower(alpha float64) float64 {
	upper := 1.0
	for i, e := range s.epsilon {
		upper = math.Min(upper, (math.Exp(e)*alpha+s.upper[i])*(1+8*0x1p-53))
	}
	return upper
}

// lowerPower returns a lower end of inf over all ε of e^ε·alpha + δ(ε), rounded down. The infimum
// runs over every ε, so the known points are not enough: on a cell between two of them it is at least
// e^left·alpha + δ⁻(right), as δ does not increase, and at least what the chord's two
// neighbours extend to, as e^ε ↦ δ is convex (cellFloor).
func (s side) lowerPower(alpha float64) float64 {
	n := len(s.epsilon)
	if n == 0 {
		return 0
	}
	// Below the known points δ(a) ≥ 1 − a and δ(a) ≥ δ⁻ at the first of them; above, δ ≥ 0.
	first := math.Exp(s.epsilon[0])
	least := math.Min(math.Max(s.lower[0], 1-first*(1-alpha)), math.Exp(s.epsilon[n-1])*alpha)
	for i := 0; i+1 < n; i++ {
		least = math.Min(least, s.cellFloor(i, alpha))
	}
	return math.Max(0, least*(1-8*0x1p-53)-4*0x1p-53)
}

// cellFloor returns a lower end of a·alpha + δ(a), a = e^ε, on the cell from known point i to the next.
// On the cell, a convex δ lies above the line through two points to its left, extended, and above
// the line through two points to its right, so also above every mean of both lines. The weight makes
// the sum with a·alpha as level as it can be; as it is a line, its ends bound it.
func (s side) cellFloor(i int, alpha float64) float64 {
	left, right := math.Exp(s.epsilon[i]), math.Exp(s.epsilon[i+1])
	floor := left*alpha + s.lower[i+1] // δ does not increase
	fromLeft, okLeft := s.extension(i-1, i)
	fromRight, okRight := s.extension(i+2, i+1)
	weight := 0.0 // of the line from the left
	switch {
	case !okLeft && !okRight:
		return floor
	case okLeft && okRight:
		if d := fromLeft.slope - fromRight.slope; d != 0 {
			weight = math.Min(1, math.Max(0, (-alpha-fromRight.slope)/d))
		}
	case okLeft:
		weight = 1
	}
	value := func(a float64) float64 {
		v := a * alpha
		if weight > 0 {
			v += weight * fromLeft.lowerAt(a)
		}
		if weight < 1 {
			v += (1 - weight) * fromRight.lowerAt(a)
		}
		return v
	}
	pad := 16 * 0x1p-53 * (1 + right*alpha)
	return math.Max(floor, math.Min(value(left), value(right))-pad)
}

// chord is the line value + slope·(a − anchor).
type chord struct{ anchor, value, slope float64 }

// lowerAt returns the line at a, rounded down.
func (l chord) lowerAt(a float64) float64 {
	return l.value + l.slope*(a-l.anchor) - 16*0x1p-53*(1+math.Abs(l.slope)*(math.Abs(a)+math.Abs(l.anchor)))
}

// extension returns the line through points from and to, extended beyond to, that lies below every
// convex δ within the known ends: through the upper end at from and the lower end at to. It is false if
// there is no such point.
func (s side) extension(from, to int) (chord, bool) {
	if from < 0 || from >= len(s.epsilon) {
		return chord{}, false
	}
	a, b := math.Exp(s.epsilon[from]), math.Exp(s.epsilon[to])
	if a == b || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return chord{}, false
	}
	return chord{b, s.lower[to], (s.lower[to] - s.upper[from]) / (b - a)}, true
}
