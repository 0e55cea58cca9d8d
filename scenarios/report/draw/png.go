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
	c := &painter{
		img:  image.NewRGBA(image.Rect(0, 0, width, height)),
		dots: dots,
	}
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(rgba(p.ground)), image.Point{}, draw.Src)
	for _, s := range p.shapes {
		switch s := s.(type) {
		case stroke:
			c.fill(s.colour, strokeOutline(s, dots))
		case box:
			o := outline{dots: dots}
			o.polygon(point{s.x, s.y}, point{s.x + s.w, s.y}, point{s.x + s.w, s.y + s.h}, point{s.x, s.y + s.h})
			c.fill(s.colour, o)
		case disc:
			if s.ring != "" {
				c.disc(s, s.r+0.75, s.ring)
				s.r -= 0.75
			}
			c.disc(s, s.r, s.colour)
		case label:
			c.fill(s.colour, textOutline(s, dots))
		}
	}
	return png.Encode(w, c.img)
}

type painter struct {
	img  *image.RGBA
	dots float64
}

// fill paints the inside of an outline. Only the part of the picture it covers is
// rasterised: a page-sized buffer for every tick label would cost more than all else.
func (c *painter) fill(colour string, o outline) {
	area := o.bounds().Intersect(c.img.Bounds())
	if area.Empty() {
		return
	}
	r := vector.NewRasterizer(area.Dx(), area.Dy())
	o.send(r, area.Min)
	r.Draw(c.img, area, image.NewUniform(rgba(colour)), image.Point{})
}

func (c *painter) disc(s disc, r float64, colour string) {
	o := outline{dots: c.dots}
	o.circle(point{s.x, s.y}, r)
	c.fill(colour, o)
}

func rgba(hex string) color.RGBA {
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		return color.RGBA{A: 0xff}
	}
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}
