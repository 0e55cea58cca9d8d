package scale

import (
	"math"

	"epsiloscope/scenarios/report"
)

// Shape is how a series is drawn between its points.
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
func ShapeOf(c report.Chart, i int, x Scale, room int) Shape {
	s := c.Series[i]
	if !s.Step {
		return Straight
	}
	rises, falls := true, true
	last, shown := math.NaN(), 0
	for k := range min(len(s.X), len(s.Y)) {
		if !finite(s.Y[k]) {
			continue
		}
		if Visible(x.Fraction(s.X[k])) {
			shown++
		}
		rises = rises && !(s.Y[k] < last)
		falls = falls && !(s.Y[k] > last)
		last = s.Y[k]
	}
	discrete := 0
	for _, o := range c.Series {
		if o.Step && !o.Faint {
			discrete++
		}
	}
	switch {
	case rises || falls:
		return Holds
	case discrete <= 1 && shown <= room:
		return Spikes
	default:
		return Centred
	}
}

// Lines returns series i as unbroken lines in fractions of the axes, not clipped.
// Points that cannot be shown (non-finite, or not positive on a logarithmic axis)
// break a line; a line of one point stands alone between gaps.
func Lines(c report.Chart, i int, x, y Scale, room int) [][]Point {
	s := c.Series[i]
	shape := ShapeOf(c, i, x, room)
	foot := unit(y.Fraction(0))
	if isNaN(foot) {
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
		q := Point{near(x.Fraction(s.X[k])), near(y.Fraction(s.Y[k]))}
		if q.Gap() {
			flush()
			continue
		}
		switch {
		case shape == Spikes:
			lines = append(lines, []Point{{q.X, foot}, q})
			continue
		case len(line) == 0:
		case shape == Holds:
			line = append(line, Point{q.X, line[len(line)-1].Y})
		case shape == Centred:
			before := line[len(line)-1]
			middle := (before.X + q.X) / 2
			line = append(line, Point{middle, before.Y}, Point{middle, q.Y})
		}
		line = append(line, q)
	}
	flush()
	return lines
}
