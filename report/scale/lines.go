package scale

import (
	"math"

	"epsiloscope/report/chart"
)

// stemGap is the distance between the stems of two series at the same place, as a fraction of the axis.
const stemGap = 0.012

// Shape is the shape of a series between its points.
type Shape int

const (
	Straight Shape = iota // joined by lines
	Holds                 // a value holds until the next point: cumulative curves
	Centred               // a value holds around its point: the outline of a histogram
	Spikes                // a line from zero to each point
)

// ShapeOf chooses the shape of series i. Steps that only rise or only fall hold
// their value; others are a distribution, drawn as spikes if there are at most room
// of them in sight and no second discrete series would hide behind them.
func ShapeOf(c chart.Chart, i int, x Scale, room int) Shape {
	s := c.Series[i]
	if !s.Step {
		return Straight
	}
	shown := 0
	for k := range min(len(s.X), len(s.Y)) {
		if Finite(s.Y[k]) && IsVisible(x.Fraction(s.X[k])) {
			shown++
		}
	}
	discrete := 0
	for _, o := range c.Series {
		if o.Step && !o.Faint {
			discrete++
		}
	}
	switch {
	case s.Stems:
		return Spikes
	case s.Pair: // of two categories each is as wide as the other
		return Centred
	case monotone(s):
		return Holds
	case discrete <= 1 && shown <= room:
		return Spikes
	default:
		return Centred
	}
}

// monotone reports whether the finite values only rise or only fall.
func monotone(s chart.Series) bool {
	rises, falls, last := true, true, math.NaN()
	for k := range min(len(s.X), len(s.Y)) {
		if Finite(s.Y[k]) {
			rises = rises && !(s.Y[k] < last)
			falls = falls && !(s.Y[k] > last)
			last = s.Y[k]
		}
	}
	return rises || falls
}

// Of a distribution with few values each is a bar, as wide as the others: one that takes at least minBarWidth of the
// axis leaves barGap of its width free on either side.
const minBarWidth, barGap = 1.0 / 12, 0.08

// Lines returns series i as unbroken lines in fractions of the axes, not clipped.
// Points that cannot be shown (non-finite, or not positive on a logarithmic axis)
// break a line; a line of one point stands alone between gaps.
func Lines(c chart.Chart, i int, x, y Scale, room int) [][]Point {
	s := c.Series[i]
	shape := ShapeOf(c, i, x, room)
	foot := ClampToAxis(y.Fraction(0))
	if math.IsNaN(foot) {
		foot = 0 // a logarithmic axis has no zero: spikes stand on its foot
	}
	var lines [][]Point
	var line []Point
	flush := func() {
		if len(line) > 0 {
			lines = append(lines, line)
		}
		line = nil
	}
	for k := range min(len(s.X), len(s.Y)) {
		q := Point{clampToFar(x.Fraction(s.X[k])), clampToFar(y.Fraction(s.Y[k]))}
		if q.IsGap() {
			flush()
			continue
		}
		switch {
		case shape == Spikes:
			if s.Stems && s.Broken { // beside those of the other series
				q.X += stemGap
			}
			lines = append(lines, []Point{{q.X, foot}, q})
			continue
		case len(line) == 0:
			line = make([]Point, 0, len(s.X)-k+1)
			if shape == Centred && s.Pair && k == 0 && len(s.X) > 1 { // half a width before the first
				line = append(line, Point{clampToFar(x.Fraction(s.X[0] - (s.X[1]-s.X[0])/2)), q.Y})
			}
		case shape == Holds:
			line = append(line, Point{q.X, line[len(line)-1].Y})
		case shape == Centred:
			before := line[len(line)-1]
			middle := (before.X + q.X) / 2
			// categories are bars, which stand apart
			if gap := (q.X - before.X) * barGap; s.Pair && q.X-before.X >= minBarWidth {
				line = append(line, Point{middle - gap, before.Y}, Point{middle - gap, foot})
				flush()
				line = append(line, Point{middle + gap, foot}, Point{middle + gap, q.Y})
			} else {
				line = append(line, Point{middle, before.Y}, Point{middle, q.Y})
			}
		}
		line = append(line, q)
	}
	if n := len(s.X); shape == Holds && len(line) > 1 && n > 1 {
		end := x.Fraction(s.X[n-1] + lastHalf(s))
		if last := line[len(line)-1]; !math.IsNaN(end) && end > last.X {
			line = append(line, Point{clampToFar(end), last.Y})
		}
	}
	if n := len(s.X); shape == Centred && s.Pair && len(line) > 0 && n > 1 { // and after the last
		line = append(line, Point{clampToFar(x.Fraction(s.X[n-1] + lastHalf(s))), line[len(line)-1].Y})
	}
	flush()
	return lines
}

// far bounds how far outside the picture a point may lie, in picture widths. Points
// beyond it are moved to it, so that no sum overflows; their direction hardly changes.
const far = 1e9

// Point is a place in a chart, in fractions of its axes.
type Point struct{ X, Y float64 }

// IsGap reports whether the point is a hole in a curve.
func (p Point) IsGap() bool { return math.IsNaN(p.X) || math.IsNaN(p.Y) }

// IsInside reports whether the point lies in the picture.
func (p Point) IsInside() bool { return IsVisible(p.X) && IsVisible(p.Y) }

func (p Point) isStrictlyInside() bool { return p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1 }

// IsVisible reports whether a fraction lies on its axis, ends included.
func IsVisible(t float64) bool { return t >= -edge && t <= 1+edge }

// edge is the distance by which rounding may put the end of an axis beyond it, the narrowest
// that New makes included: less than a dot.
const edge = 1e-6

// Clip cuts a segment to the unit square (Liang and Barsky, 1984) and reports
// whether any of it remains, so that a caller who draws dot by dot does not follow
// a line that leaves the picture by a factor of 1e300.
func Clip(a, b Point) (from, to Point, ok bool) {
	if a.IsGap() || b.IsGap() {
		return a, b, false
	}
	if a.isStrictlyInside() && b.isStrictlyInside() {
		return a, b, true
	}
	x0, y0 := clampToFar(a.X), clampToFar(a.Y)
	dx, dy := clampToFar(b.X)-x0, clampToFar(b.Y)-y0
	t0, t1 := 0.0, 1.0
	for _, edge := range [4][2]float64{{-dx, x0}, {dx, 1 - x0}, {-dy, y0}, {dy, 1 - y0}} {
		d, q := edge[0], edge[1]
		switch {
		case d == 0:
			if q < 0 {
				return a, b, false
			}
		case d < 0:
			t0 = math.Max(t0, q/d)
		default:
			t1 = math.Min(t1, q/d)
		}
	}
	if !(t0 <= t1) {
		return a, b, false
	}
	from = Point{ClampToAxis(x0 + t0*dx), ClampToAxis(y0 + t0*dy)}
	to = Point{ClampToAxis(x0 + t1*dx), ClampToAxis(y0 + t1*dy)}
	return from, to, true
}

func clampToFar(v float64) float64 { return math.Max(-far, math.Min(far, v)) }

// ClampToAxis returns the nearest fraction that lies on an axis.
func ClampToAxis(v float64) float64 { return math.Max(0, math.Min(1, v)) }
