package tui

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"

	"github.com/charmbracelet/x/cellbuf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A screen of the terminal is drawn as a picture, so that the pictures of the documentation
// come from the program itself. Start with Draw of [picturedScreen]. The letters are Go Mono's;
// what that font lacks and a terminal draws by itself (frames, blocks, braille) is drawn here.

// The size of a cell in pixels, and where in it letters stand.
const (
	cellW, cellH = 9, 18
	baseline     = 14
	points       = 15
)

// picturedScreen is a terminal's default colours.
type picturedScreen struct{ Ink, Ground color.RGBA }

// typeface is a font with what it takes to draw and to look letters up.
type typeface struct {
	font.Face
	letters *opentype.Font
}

// has reports whether the font has a letter; it would draw a box instead.
func (t typeface) has(r rune) bool {
	i, err := t.letters.GlyphIndex(nil, r)
	return err == nil && i != 0
}

// subscripts stand low and small, made of the letters themselves.
var subscripts = map[rune]rune{'ᵢ': 'i', 'ⱼ': 'j', 'ₖ': 'k', '₀': '0', '₁': '1', '₂': '2', '₃': '3', '₊': '+'}

// typefaces are the plain one, the bold one and the small one, parsed once.
var typefaces = sync.OnceValue(func() [3]typeface {
	var all [3]typeface
	for i, ttf := range [][]byte{gomono.TTF, gomonobold.TTF, gomono.TTF} {
		f, err := opentype.Parse(ttf)
		if err == nil {
			all[i].letters = f
			size := []float64{points, points, points * 2 / 3}[i]
			options := &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull}
			all[i].Face, err = opentype.NewFace(f, options)
		}
		if err != nil {
			panic("snapshot: embedded font: " + err.Error()) // cannot happen: the bytes are compiled in
		}
	}
	return all
})

// Draw draws what a program has written for a screen of w×h cells: lines of text
// with colour sequences, no cursor movements. It returns the characters it had no
// shape for.
func (s picturedScreen) Draw(view string, w, h int) (*image.RGBA, string) {
	img := image.NewRGBA(image.Rect(0, 0, w*cellW, h*cellH))
	draw.Draw(img, img.Bounds(), image.NewUniform(s.Ground), image.Point{}, draw.Src)
	cells := cellbuf.NewBuffer(w, h)
	cellbuf.SetContent(cells, view)
	p := &painter{img: img}
	for y := range h {
		for x := range w {
			p.cell(s, cells.Cell(x, y), x*cellW, y*cellH)
		}
	}
	return img, p.missing
}

type painter struct {
	img         *image.RGBA
	ink, ground color.RGBA // of the cell being drawn
	missing     string
}

// setColours takes the colours that a terminal would show.
func (p *painter) setColours(s picturedScreen, style cellbuf.Style) {
	p.ink, p.ground = s.Ink, s.Ground
	if style.Fg != nil {
		p.ink = color.RGBAModel.Convert(style.Fg).(color.RGBA)
	}
	if style.Bg != nil {
		p.ground = color.RGBAModel.Convert(style.Bg).(color.RGBA)
	}
	if style.Attrs.Contains(cellbuf.ReverseAttr) {
		p.ink, p.ground = p.ground, p.ink
	}
	if style.Attrs.Contains(cellbuf.FaintAttr) {
		p.ink = mix(p.ink, p.ground, 0.6)
	}
}

// mix returns part of a and the rest of b.
func mix(a, b color.RGBA, part float64) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(part*float64(x) + (1-part)*float64(y)) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

func (p *painter) cell(s picturedScreen, c *cellbuf.Cell, x, y int) {
	if c.Width == 0 { // the rest of a wide one
		return
	}
	p.setColours(s, c.Style)
	box := image.Rect(x, y, x+c.Width*cellW, y+cellH)
	draw.Draw(p.img, box, image.NewUniform(p.ground), image.Point{}, draw.Src)
	r := c.Rune
	if r == ' ' || r == 0x2800 { // a blank, or braille without a dot
		return
	}
	if p.shape(r, box) {
		return
	}
	face := typefaces()[0]
	if c.Style.Attrs.Contains(cellbuf.BoldAttr) {
		face = typefaces()[1]
	}
	low := 0
	if letter := subscripts[r]; letter != 0 && !face.has(r) {
		r, face, low = letter, typefaces()[2], 2
	}
	if !face.has(r) {
		if !strings.ContainsRune(p.missing, r) {
			p.missing += string(r)
		}
		return
	}
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(p.ink), Face: face, Dot: fixed.P(x, y+baseline+low)}
	d.DrawString(string(r))
}
