package draw

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/vector"
)

// writePNG draws the picture at a number of dots per pixel, anti-aliased.
func writePNG(w io.Writer, p picture, dots float64) error {
	width, height := int(math.Ceil(p.w*dots)), int(math.Ceil(p.h*dots))
	c := &painter{image.NewRGBA(image.Rect(0, 0, width, height)), dots}
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(rgba(p.ground)), image.Point{}, draw.Src)
	for _, s := range p.shapes {
		s.paint(c)
	}
	return png.Encode(w, c.img)
}

func (s stroke) paint(c *painter) { c.fill(s.colour, func(o *outline) { o.stroke(s) }) }
func (s label) paint(c *painter)  { c.fill(s.colour, func(o *outline) { o.text(s) }) }

func (s box) paint(c *painter) {
	c.fill(s.colour, func(o *outline) {
		o.polygon(point{s.x, s.y}, point{s.x + s.w, s.y}, point{s.x + s.w, s.y + s.h}, point{s.x, s.y + s.h})
	})
}

func (s disc) paint(c *painter) {
	if s.ring != "" {
		c.fill(s.ring, func(o *outline) { o.circle(point{s.x, s.y}, s.r+0.75) })
		s.r -= 0.75
	}
	c.fill(s.colour, func(o *outline) { o.circle(point{s.x, s.y}, s.r) })
}

type painter struct {
	img  *image.RGBA
	dots float64
}

// fill paints the inside of an outline. Only the part of the picture it covers is
// rasterised: a page-sized buffer for every tick label would cost more than all else.
func (c *painter) fill(colour string, draw func(*outline)) {
	o := outline{dots: c.dots, lo: point{math.Inf(1), math.Inf(1)}, hi: point{math.Inf(-1), math.Inf(-1)}}
	draw(&o)
	if o.area = o.bounds().Intersect(c.img.Bounds()); o.area.Empty() {
		return
	}
	o.raster = vector.NewRasterizer(o.area.Dx(), o.area.Dy())
	draw(&o)
	o.raster.ClosePath()
	o.raster.Draw(c.img, o.area, image.NewUniform(rgba(colour)), image.Point{})
}

func rgba(hex string) color.RGBA {
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		return color.RGBA{A: 0xff}
	}
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}
