package plot

import "math"

// far bounds how far outside the picture a point may lie, in picture widths. Points
// beyond it keep their direction well enough, and no sum of theirs overflows.
const far = 1e9

// clip cuts a segment to the unit square (Liang and Barsky, 1984) and reports
// whether any of it remains. ntcharts walks every dot between two points, on or off
// the screen, so nothing unclipped may reach it.
func clip(x0, y0, x1, y1 float64) (a0, b0, a1, b1 float64, ok bool) {
	x0, y0, x1, y1 = near(x0), near(y0), near(x1), near(y1)
	dx, dy := x1-x0, y1-y0
	t0, t1 := 0.0, 1.0
	for _, edge := range [4][2]float64{{-dx, x0}, {dx, 1 - x0}, {-dy, y0}, {dy, 1 - y0}} {
		d, q := edge[0], edge[1]
		switch {
		case d == 0:
			if q < 0 {
				return 0, 0, 0, 0, false
			}
		case d < 0:
			t0 = math.Max(t0, q/d)
		default:
			t1 = math.Min(t1, q/d)
		}
	}
	if !(t0 <= t1) {
		return 0, 0, 0, 0, false
	}
	return unit(x0 + t0*dx), unit(y0 + t0*dy), unit(x0 + t1*dx), unit(y0 + t1*dy), true
}

func near(v float64) float64 { return math.Max(-far, math.Min(far, v)) }

func unit(v float64) float64 { return math.Max(0, math.Min(1, v)) }
