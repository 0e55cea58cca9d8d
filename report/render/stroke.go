package render

import "math"

// paint gives a line its width: one rectangle per segment, a disc on every bend, cut up by
// the dash pattern first.
func (s stroke) paint(c *painter) {
	var polygons [][]point
	for _, part := range cutDashes(s.points, s.dash) {
		for k := 1; k < len(part); k++ {
			a, b := part[k-1], part[k]
			d := distance(a, b)
			if d == 0 {
				continue
			}
			nx, ny := -(b.y-a.y)/d*s.width/2, (b.x-a.x)/d*s.width/2
			polygons = append(polygons, []point{{a.x + nx, a.y + ny}, {b.x + nx, b.y + ny}, {b.x - nx, b.y - ny},
				{a.x - nx, a.y - ny}})
			if k > 1 && s.width > 1 {
				polygons = append(polygons, c.circle(a, s.width/2))
			}
		}
	}
	c.fill(s.colour, polygons...)
}

// circle returns a polygon fine enough to look round.
func (c *painter) circle(at point, r float64) []point {
	points := make([]point, 8+int(math.Ceil(r*c.dots))*2)
	for i := range points {
		sin, cos := math.Sincos(-2 * math.Pi * float64(i) / float64(len(points)))
		points[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return points
}

// cutDashes cuts a line into the pieces its pattern draws.
func cutDashes(pts []point, dash []float64) [][]point {
	total := 0.0
	for _, d := range dash {
		total += d
	}
	if total <= 0 || len(pts) < 2 {
		return [][]point{pts}
	}
	var parts [][]point
	part := []point{pts[0]}
	i, left := 0, dash[0]
	for k := 1; k < len(pts); k++ {
		a, b := pts[k-1], pts[k]
		for d := distance(a, b); d > left; d = distance(a, b) {
			a = point{a.x + (b.x-a.x)*left/d, a.y + (b.y-a.y)*left/d}
			if i%2 == 0 {
				parts = append(parts, append(part, a))
			}
			part = []point{a}
			i++
			left = dash[i%len(dash)]
		}
		left -= distance(a, b)
		part = append(part, b)
	}
	if i%2 == 0 {
		parts = append(parts, part)
	}
	return parts
}
