package scale

import "math"

// far bounds how far outside the picture a point may lie, in picture widths. Points
// beyond it keep their direction well enough, and no sum of theirs overflows.
const far = 1e9

// Point is a place in a chart, in fractions of its axes.
type Point struct{ X, Y float64 }

// Gap reports whether the point is a hole in a curve.
func (p Point) Gap() bool { return isNaN(p.X) || isNaN(p.Y) }

// Inside reports whether the point lies in the picture.
func (p Point) Inside() bool { return Visible(p.X) && Visible(p.Y) }

func (p Point) within() bool { return p.X >= 0 && p.X <= 1 && p.Y >= 0 && p.Y <= 1 }

// Visible reports whether a fraction lies on its axis, ends included.
func Visible(t float64) bool { return t >= -edge && t <= 1+edge }

// edge is how far beyond an axis rounding may put its end.
const edge = 1e-9

// Clip cuts a segment to the unit square (Liang and Barsky, 1984) and reports
// whether any of it remains. Whoever draws dot by dot would otherwise walk every
// dot of a line that leaves the picture by a factor of 1e300.
func Clip(a, b Point) (from, to Point, ok bool) {
	if a.Gap() || b.Gap() {
		return a, b, false
	}
	if a.within() && b.within() {
		return a, b, true
	}
	x0, y0 := near(a.X), near(a.Y)
	dx, dy := near(b.X)-x0, near(b.Y)-y0
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
	from = Point{unit(x0 + t0*dx), unit(y0 + t0*dy)}
	to = Point{unit(x0 + t1*dx), unit(y0 + t1*dy)}
	return from, to, true
}

func near(v float64) float64 { return math.Max(-far, math.Min(far, v)) }

func unit(v float64) float64 { return math.Max(0, math.Min(1, v)) }
