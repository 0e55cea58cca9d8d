package draw

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// outline is drawn twice: first it only measures where it goes, in dots, then it goes to the
// rasteriser of that part of the picture. All polygons of one outline wind the same way, so
// that overlapping ones add up instead of cancelling out.
type outline struct {
	dots   float64 // per pixel
	lo, hi point
	raster *vector.Rasterizer // nil: measure
	area   image.Rectangle    // of the rasteriser
}

// at is a point in dots of the rasteriser.
func (o *outline) at(p point) (x, y float32) {
	p = point{p.x * o.dots, p.y * o.dots}
	o.lo, o.hi = point{math.Min(o.lo.x, p.x), math.Min(o.lo.y, p.y)}, point{math.Max(o.hi.x, p.x), math.Max(o.hi.y, p.y)}
	return float32(p.x - float64(o.area.Min.X)), float32(p.y - float64(o.area.Min.Y))
}

// bounds are the dots that were measured.
func (o *outline) bounds() image.Rectangle {
	if o.lo.x > o.hi.x {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(o.lo.x)), int(math.Floor(o.lo.y)), int(math.Ceil(o.hi.x))+1, int(math.Ceil(o.hi.y))+1)
}

// segment goes on to the last of its points, or begins anew there.
func (o *outline) segment(op sfnt.SegmentOp, points ...point) {
	var f [6]float32
	for k, p := range points {
		f[2*k], f[2*k+1] = o.at(p)
	}
	if o.raster == nil {
		return
	}
	switch op {
	case sfnt.SegmentOpMoveTo:
		o.raster.ClosePath()
		o.raster.MoveTo(f[0], f[1])
	case sfnt.SegmentOpLineTo:
		o.raster.LineTo(f[0], f[1])
	case sfnt.SegmentOpQuadTo:
		o.raster.QuadTo(f[0], f[1], f[2], f[3])
	case sfnt.SegmentOpCubeTo:
		o.raster.CubeTo(f[0], f[1], f[2], f[3], f[4], f[5])
	}
}

func (o *outline) polygon(points ...point) {
	op := sfnt.SegmentOpMoveTo
	for _, p := range points {
		o.segment(op, p)
		op = sfnt.SegmentOpLineTo
	}
}

// circle is a polygon fine enough to look round.
func (o *outline) circle(c point, r float64) {
	n := 8 + int(math.Ceil(r*o.dots))*2
	points := make([]point, n)
	for i := range points {
		sin, cos := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
		points[i] = point{c.x + r*cos, c.y + r*sin}
	}
	o.polygon(points...)
}

// stroke gives a line its width: one rectangle per segment, a disc on every bend, cut up by
// the dash pattern first.
func (o *outline) stroke(s stroke) {
	for _, part := range dashed(s.points, s.dash) {
		for k := 1; k < len(part); k++ {
			a, b := part[k-1], part[k]
			d := distance(a, b)
			if d == 0 {
				continue
			}
			nx, ny := -(b.y-a.y)/d*s.width/2, (b.x-a.x)/d*s.width/2
			o.polygon(point{a.x + nx, a.y + ny}, point{b.x + nx, b.y + ny}, point{b.x - nx, b.y - ny}, point{a.x - nx, a.y - ny})
			if k > 1 && s.width > 1 {
				o.circle(a, s.width/2)
			}
		}
	}
}

// dashed cuts a line into the pieces its pattern draws.
func dashed(pts []point, dash []float64) [][]point {
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

// argsOf is how many points each kind of segment has.
var argsOf = [...]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}

// text is the outline of a line of text.
func (o *outline) text(l label) {
	face := face(l.bold)
	pen := 0.0
	if w := textWidth(l.text, l.size, l.bold); l.anchor == middle {
		pen = -w / 2
	} else if l.anchor == end {
		pen = -w
	}
	var buf sfnt.Buffer
	ppem := fixed.Int26_6(math.Round(l.size * o.dots * 64))
	pixels := func(x fixed.Int26_6) float64 { return float64(x) / 64 / o.dots }
	for _, r := range l.text {
		g, err := face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		segments, err := face.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			continue
		}
		for _, s := range segments {
			var points []point
			for _, q := range s.Args[:argsOf[s.Op]] {
				x, y := pen+pixels(q.X), pixels(q.Y)
				if l.turned {
					x, y = y, -x
				}
				points = append(points, point{l.x + x, l.y + y})
			}
			o.segment(s.Op, points...)
		}
		if a, err := face.GlyphAdvance(&buf, g, ppem, font.HintingNone); err == nil {
			pen += pixels(a)
		}
	}
}
