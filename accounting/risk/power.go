package risk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

const (
	refineRounds = 3     // calls of the accountant after the first, at most
	cellsPerRate = 3     // cells that a round cuts for each rate, at most
	cellPoints   = 9     // parts into which a round cuts a cell
	powerWidth   = 1e-7  // relative gap of the ends of a rate at which it is narrow
	farthest     = 700.0 // |ε| beyond which e^ε leaves float64
	narrowestGap = 1e-9  // of two neighbouring ε, relative to their size
)

// power returns certified ends of inf over real ε of e^ε·alpha + δ(ε): the largest power of a test of level alpha. It
// is read off the points of the curve; for a level that is not one of the stack's, closer points are added for this
// answer alone.
func (c *Curve) power(ctx context.Context, way pld.Direction, alpha float64, what string) (Ends, error) {
	if !(alpha > 0 && alpha < 1) {
		return Ends{0, 1}, openInterval(what, alpha)
	}
	p, err := c.computedPoints(ctx)
	if err != nil {
		return Ends{0, 1}, err
	}
	if !slices.Contains(c.stack.Levels, alpha) {
		p = p.copy()
		if err := c.refine(ctx, p, []float64{alpha}, []pld.Direction{way}); err != nil {
			return Ends{0, 1}, err
		}
	}
	return c.exact(alpha, p.sides[c.sideOf(way)].power(alpha)), nil
}

// exact narrows the power of a test to that between two Gaussian distributions, Φ(Φ⁻¹(α) + μ), if the stack is Gaussian
// noise alone.
func (c *Curve) exact(alpha float64, e Ends) Ends {
	const error = 1e-11 // relative, of both functions, generously
	if !(c.stack.Gaussian > 0) {
		return e
	}
	power := special.NormalCDF(special.NormalQuantile(alpha) + c.stack.Gaussian)
	upper := math.Max(alpha, math.Min(e.Upper, power*(1+error)))
	return Ends{math.Min(upper, math.Max(e.Lower, power*(1-error))), upper}
}

// Powers returns certified ends of the largest power of tests of several levels in one direction, read off the points
// of the curve: a chart. At the stack's levels they are those of [Curve.TruePositiveRate] and [Curve.TrueNegativeRate];
// between them they may be wider.
func (c *Curve) Powers(ctx context.Context, way pld.Direction, levels []float64) ([]Ends, error) {
	p, err := c.computedPoints(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Ends, len(levels))
	for i, alpha := range levels {
		if !(alpha > 0 && alpha < 1) {
			return nil, openInterval("the level", alpha)
		}
		out[i] = c.exact(alpha, p.sides[c.sideOf(way)].power(alpha))
	}
	return out, nil
}

// power returns certified ends of the largest power of a test of level alpha. Every ε gives an upper end; the lower end
// takes all of them together (lowerPower).
func (s side) power(alpha float64) Ends {
	upper := math.Max(alpha, s.upperPower(alpha))
	return Ends{math.Min(upper, math.Max(alpha, s.lowerPower(alpha))), upper}
}

// refine adds points where the rates of some levels are attained, for all of them together, until they are narrow or
// the ends of δ themselves are as wide.
func (c *Curve) refine(ctx context.Context, p *points, levels []float64, ways []pld.Direction) error {
	if c.symmetric {
		ways = []pld.Direction{pld.WithRecord}
	}
	type rate struct {
		way   pld.Direction
		alpha float64
	}
	width := map[rate]float64{}
	for _, way := range ways {
		for _, alpha := range levels {
			width[rate{way, alpha}] = math.Inf(1)
		}
	}
	for range refineRounds {
		var next [2][]float64
		for _, way := range ways {
			for _, alpha := range levels {
				r, s := rate{way, alpha}, p.sides[way]
				now := s.power(alpha)
				if gap := now.Upper - now.Lower; gap > powerWidth*now.Upper && gap < 0.7*width[r] {
					width[r] = gap
					next[way] = append(next[way], s.cut(alpha, now.Upper*(1-powerWidth))...)
				} else {
					width[r] = 0
				}
			}
			slices.Sort(next[way])
			next[way] = slices.Compact(next[way])
		}
		if len(next[0])+len(next[1]) == 0 {
			return nil
		}
		if err := c.extend(ctx, p, next[0], next[1], profileWidth); err != nil {
			return err
		}
	}
	return nil
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
	for _, o := range open[:min(len(open), cellsPerRate)] {
		left, right := s.epsilon[o.number], s.epsilon[o.number+1]
		for k := 1; k < cellPoints; k++ {
			epsilons = append(epsilons, left+(right-left)*float64(k)/cellPoints)
		}
	}
	return epsilons
}

// endDelta is the δ at which a profile ends.
const endDelta = 1e-12

// span returns an ε beyond which the profile says nothing about the rates in question: δ is at most endDelta there, or
// e^ε times the smallest rate is more than 1. By [mirror] it says nothing below −most either. At the ε end the pairs
// prove δ ≤ endDelta; it is +Inf if they prove it nowhere.
func (c *Curve) span(ctx context.Context) (most, end float64, err error) {
	const usual = 20 // rates down to 2e-9
	most, end = usual, math.Inf(1)
	if len(c.stack.Levels) > 0 {
		most = math.Max(most, math.Min(farthest, 1-math.Log(c.stack.Levels[0])))
	}
	for _, parts := range c.stack.Alternatives {
		ends, err := pld.Epsilon(ctx, parts, endDelta, pld.Options{Width: 1e-2})
		if err != nil {
			return 0, 0, err
		}
		end = math.Min(end, ends.Upper)
	}
	return math.Min(most, math.Max(end, 1e-6)), end, nil
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

// cellFloor returns a lower end of a·alpha + δ(a), a = e^ε, on the cell from known point i to the next. On the cell, a
// convex δ lies above the line through two points to its left, extended, and above the line through two points to its
// right, so also above every weighted mean of both lines. Each mean is itself a line, so its smaller end bounds it.
// Three weights are tried: 0, 1, and the one at which mean + a·alpha is level. No other weight has a larger smaller
// end, so the result is that of the best weight, and does not fall as alpha rises.
func (s side) cellFloor(i int, alpha float64) float64 {
	left, right := math.Exp(s.epsilon[i]), math.Exp(s.epsilon[i+1])
	floor := left*alpha + s.lower[i+1] // δ does not increase
	fromLeft, okLeft := s.extension(i-1, i)
	fromRight, okRight := s.extension(i+2, i+1)
	weights := []float64{0, 1} // of the line from the left
	switch {
	case !okLeft && !okRight:
		return floor
	case okLeft && okRight:
		if d := fromLeft.slope - fromRight.slope; d != 0 {
			if level := (-alpha - fromRight.slope) / d; level > 0 && level < 1 {
				weights = append(weights, level)
			}
		}
	case okLeft:
		weights = weights[1:]
	default:
		weights = weights[:1]
	}
	pad := 16 * 0x1p-53 * (1 + right*alpha)
	for _, weight := range weights {
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
		floor = math.Max(floor, math.Min(value(left), value(right))-pad)
	}
	return floor
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
	apart := a * math.Expm1(s.epsilon[to]-s.epsilon[from]) // b − a itself is rounding if both ε are next to each other
	if apart == 0 || math.IsInf(apart, 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return chord{}, false
	}
	return chord{b, s.lower[to], (s.lower[to] - s.upper[from]) / apart}, true
}
