package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
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

type painter struct {
	img  *image.RGBA
	dots float64 // per pixel
}

func (s box) paint(c *painter) {
	c.fill(s.colour, []point{{s.x, s.y}, {s.x + s.w, s.y}, {s.x + s.w, s.y + s.h}, {s.x, s.y + s.h}})
}

func (s disc) paint(c *painter) {
	if s.ring != "" {
		c.fill(s.ring, c.circle(point{s.x, s.y}, s.r+0.75))
		s.r -= 0.75
	}
	c.fill(s.colour, c.circle(point{s.x, s.y}, s.r))
}

func (s label) paint(c *painter) {
	face, err := opentype.NewFace(face(s.bold), &opentype.FaceOptions{Size: s.size * c.dots, DPI: 72})
	if err != nil {
		panic("draw: embedded font: " + err.Error()) // cannot happen: its size is positive
	}
	var on draw.Image = c.img
	x, y := s.x, s.y
	if s.turned {
		on, x, y = turned{c.img}, -s.y, s.x
	}
	x -= textWidth(s.text, s.size, s.bold) * float64(s.anchor) / 2
	at := func(x float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(x * c.dots * 64)) }
	text := font.Drawer{Dst: on, Src: image.NewUniform(rgba(s.colour)), Face: face,
		Dot: fixed.Point26_6{X: at(x), Y: at(y)}}
	text.DrawString(s.text)
}

// turned is a picture on its side: what is written from left to right on it reads upwards.
type turned struct{ img *image.RGBA }

func (t turned) ColorModel() color.Model { return t.img.ColorModel() }
func (t turned) Bounds() image.Rectangle {
	b := t.img.Bounds()
	return image.Rect(-b.Max.Y, 0, 0, b.Max.X)
}
func (t turned) At(x, y int) color.Color     { return t.img.At(y, -1-x) }
func (t turned) Set(x, y int, c color.Color) { t.img.Set(y, -1-x, c) }

// fill paints polygons, which all wind the same way: where they overlap they add up instead of
// cancelling out. Only the part of the picture they cover is rasterised: a page-sized buffer for
// every tick would cost more than all else.
func (c *painter) fill(colour string, polygons ...[]point) {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range slices.Concat(polygons...) {
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	if lo.x > hi.x {
		return
	}
	dots := func(v float64) int { return int(math.Floor(v * c.dots)) }
	area := image.Rect(dots(lo.x), dots(lo.y), dots(hi.x)+2, dots(hi.y)+2).Intersect(c.img.Bounds())
	if area.Empty() {
		return
	}
	raster := vector.NewRasterizer(area.Dx(), area.Dy())
	for _, polygon := range polygons {
		draw := raster.MoveTo
		for _, p := range polygon {
			draw(float32(p.x*c.dots-float64(area.Min.X)), float32(p.y*c.dots-float64(area.Min.Y)))
			draw = raster.LineTo
		}
		raster.ClosePath()
	}
	raster.Draw(c.img, area, image.NewUniform(rgba(colour)), image.Point{})
}

func rgba(hex string) color.RGBA {
	v, _ := strconv.ParseUint(hex[1:], 16, 32) // all colours are our own
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}
