package draw

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// outline is a closed path in dots. All polygons of one outline wind the same way,
// so that overlapping ones add up instead of cancelling out.
type outline struct {
	dots  float64 // dots per pixel
	steps []step
}

type step struct {
	op sfnt.SegmentOp
	at [3]point // as many as the op needs; the last is where it ends
}

func (o *outline) move(p point) {
	o.steps = append(o.steps, step{sfnt.SegmentOpMoveTo, [3]point{o.scaled(p)}})
}

func (o *outline) line(p point) {
	o.steps = append(o.steps, step{sfnt.SegmentOpLineTo, [3]point{o.scaled(p)}})
}

func (o *outline) scaled(p point) point { return point{p.x * o.dots, p.y * o.dots} }

func (o *outline) polygon(pts ...point) {
	for i, p := range pts {
		if i == 0 {
			o.move(p)
		} else {
			o.line(p)
		}
	}
}

// circle is a polygon fine enough to look round.
func (o *outline) circle(c point, r float64) {
	n := 8 + int(math.Ceil(r*o.dots))*2
	pts := make([]point, n)
	for i := range pts {
		sin, cos := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
		pts[i] = point{c.x + r*cos, c.y + r*sin}
	}
	o.polygon(pts...)
}

func (o *outline) bounds() image.Rectangle {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, s := range o.steps {
		for _, p := range s.at[:points(s.op)] {
			lo = point{math.Min(lo.x, p.x), math.Min(lo.y, p.y)}
			hi = point{math.Max(hi.x, p.x), math.Max(hi.y, p.y)}
		}
	}
	if len(o.steps) == 0 {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(lo.x)), int(math.Floor(lo.y)), int(math.Ceil(hi.x))+1, int(math.Ceil(hi.y))+1)
}

func points(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	default:
		return 1
	}
}

func (o *outline) send(r *vector.Rasterizer, origin image.Point) {
	for i, s := range o.steps {
		var f [6]float32
		for k, p := range s.at {
			f[2*k], f[2*k+1] = float32(p.x-float64(origin.X)), float32(p.y-float64(origin.Y))
		}
		switch s.op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				r.ClosePath()
			}
			r.MoveTo(f[0], f[1])
		case sfnt.SegmentOpLineTo:
			r.LineTo(f[0], f[1])
		case sfnt.SegmentOpQuadTo:
			r.QuadTo(f[0], f[1], f[2], f[3])
		case sfnt.SegmentOpCubeTo:
			r.CubeTo(f[0], f[1], f[2], f[3], f[4], f[5])
		}
	}
	r.ClosePath()
}

// strokeOutline gives a line its width: one rectangle per segment, a disc on every
// bend, cut up by the dash pattern first.
func strokeOutline(s stroke, dots float64) outline {
	o := outline{dots: dots}
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
	return o
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

// textOutline is the outline of a line of text.
func textOutline(l label, dots float64) outline {
	o := outline{dots: 1} // glyphs are loaded in dots already
	f := face(l.bold)
	shift := 0.0
	if w := textWidth(l.text, l.size, l.bold); l.anchor == middle {
		shift = -w / 2
	} else if l.anchor == end {
		shift = -w
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	ppem := fixed.Int26_6(math.Round(l.size * dots * 64))
	pen := shift * dots
	for _, r := range l.text {
		g, err := f.font.GlyphIndex(&f.buf, r)
		if err != nil {
			continue
		}
		segments, err := f.font.LoadGlyph(&f.buf, g, ppem, nil)
		if err != nil {
			continue
		}
		for _, s := range segments {
			st := step{op: s.Op}
			for k := range points(s.Op) {
				x, y := pen+float64(s.Args[k].X)/64, float64(s.Args[k].Y)/64
				if l.turned {
					x, y = y, -x
				}
				st.at[k] = point{l.x*dots + x, l.y*dots + y}
			}
			o.steps = append(o.steps, st)
		}
		if a, err := f.font.GlyphAdvance(&f.buf, g, ppem, font.HintingNone); err == nil {
			pen += float64(a) / 64
		}
	}
	return o
}
