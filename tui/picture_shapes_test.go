package tui

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"

	"golang.org/x/image/vector"
)

// arms say which way the lines of a frame character go from the middle of its
// cell: up, right, down, left; 1 is thin, 2 is thick.
var arms = map[rune][4]int{
	'─': {0, 1, 0, 1}, '│': {1, 0, 1, 0}, '╭': {0, 1, 1, 0}, '╮': {0, 0, 1, 1}, '╰': {1, 1, 0, 0}, '╯': {1, 0, 0, 1},
	'┌': {0, 1, 1, 0}, '┐': {0, 0, 1, 1}, '└': {1, 1, 0, 0}, '┘': {1, 0, 0, 1}, '├': {1, 1, 1, 0}, '┤': {1, 0, 1, 1},
	'┬': {0, 1, 1, 1}, '┴': {1, 1, 0, 1}, '┼': {1, 1, 1, 1}, '━': {0, 2, 0, 2}, '┃': {2, 0, 2, 0},
	'┏': {0, 2, 2, 0}, '┓': {0, 0, 2, 2}, '┗': {2, 2, 0, 0}, '┛': {2, 0, 0, 2}, '╌': {0, 1, 0, 1}, '┄': {0, 1, 0, 1},
	'╎': {1, 0, 1, 0}, '┊': {1, 0, 1, 0}, '┆': {1, 0, 1, 0},
	'╴': {0, 0, 0, 1}, '╶': {0, 1, 0, 0}, '╵': {1, 0, 0, 0}, '╷': {0, 0, 1, 0},
}

// blocks are parts of a cell, in eighths: left, top, right, bottom.
var blocks = map[rune][][4]int{
	'█': {{0, 0, 8, 8}}, '▀': {{0, 0, 8, 4}}, '▄': {{0, 4, 8, 8}}, '▌': {{0, 0, 4, 8}}, '▐': {{4, 0, 8, 8}},
	'▖': {{0, 4, 4, 8}}, '▗': {{4, 4, 8, 8}}, '▘': {{0, 0, 4, 4}}, '▝': {{4, 0, 8, 4}}, '▏': {{0, 0, 1, 8}},
	'▎': {{0, 0, 2, 8}}, '▍': {{0, 0, 3, 8}}, '▋': {{0, 0, 5, 8}}, '▊': {{0, 0, 6, 8}}, '▉': {{0, 0, 7, 8}},
	'▂': {{0, 6, 8, 8}},
	'▁': {{0, 7, 8, 8}}, '▃': {{0, 5, 8, 8}}, '▅': {{0, 3, 8, 8}}, '▆': {{0, 2, 8, 8}}, '▇': {{0, 1, 8, 8}},
	'■': {{1, 3, 7, 6}},
}

// polygons are signs no letter font has, corner by corner, in hundredths of a cell.
var polygons = map[rune][]float64{
	'▸': {15, 28, 85, 50, 15, 72}, '▶': {10, 25, 95, 50, 10, 75},
	'▲': {50, 28, 98, 70, 2, 70}, '▼': {2, 30, 98, 30, 50, 72},
	'◆': {50, 27, 98, 50, 50, 73, 2, 50}, '◂': {85, 28, 85, 72, 15, 50},
	'✓': {5, 52, 18, 46, 38, 62, 84, 24, 95, 31, 38, 76}, '✔': {5, 52, 18, 46, 38, 62, 84, 24, 95, 31, 38, 76},
	'✗': {8, 32, 20, 26, 50, 44, 80, 26, 92, 32, 62, 50, 92, 68, 80, 74, 50, 56, 20, 74, 8, 68, 38, 50},
	'★': {50, 22, 62, 42, 98, 43, 70, 57, 80, 77, 50, 65, 20, 77, 30, 57, 2, 43, 38, 42},
}

// hollow are the outlines of other signs.
var hollow = map[rune]rune{'△': '▲', '▽': '▼', '◇': '◆', '☆': '★', '▷': '▶'}

// shape draws what terminals draw by themselves.
func (p *painter) shape(r rune, box image.Rectangle) bool {
	fill := func(x0, y0, x1, y1 int) {
		draw.Draw(p.img, image.Rect(x0, y0, x1, y1), image.NewUniform(p.ink), image.Point{}, draw.Over)
	}
	at, mid := box.Min, image.Pt(box.Min.X+cellW/2, box.Min.Y+cellH/2)
	switch {
	case r > 0x2800 && r <= 0x28ff:
		for bit, dot := range [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
			if (r-0x2800)>>bit&1 == 1 {
				x, y := at.X+1+dot[0]*cellW/2, at.Y+1+dot[1]*cellH/4
				fill(x, y, x+3, y+3)
			}
		}
	case r == '░' || r == '▒' || r == '▓':
		shade := map[rune]float64{'░': 0.25, '▒': 0.5, '▓': 0.75}[r]
		draw.Draw(p.img, box, image.NewUniform(mix(p.ink, p.ground, shade)), image.Point{}, draw.Src)
	case r == '●' || r == '•' || r == '∙':
		p.polygon(circle(map[rune]float64{'●': 42, '•': 28, '∙': 22}[r]), box, p.ink)
	case r == '◎' || r == '◉': // a ring around a dot
		p.polygon(circle(46), box, p.ink)
		p.polygon(circle(34), box, p.ground)
		p.polygon(circle(20), box, p.ink)
	case blocks[r] != nil:
		for _, b := range blocks[r] {
			fill(at.X+b[0]*cellW/8, at.Y+b[1]*cellH/8, at.X+(b[2]*cellW+7)/8, at.Y+b[3]*cellH/8)
		}
	case polygons[r] != nil:
		p.polygon(polygons[r], box, p.ink)
	case hollow[r] != 0:
		outline := polygons[hollow[r]]
		p.polygon(outline, box, p.ink)
		p.polygon(shrunk(outline), box, p.ground)
	case arms[r] != [4]int{}:
		a := arms[r]
		wide := max(a[0], a[1], a[2], a[3])
		gap := 0
		if strings.ContainsRune("╌┄╎┊┆", r) {
			gap = 2
		}
		// An arm without a width is an empty rectangle.
		fill(mid.X, at.Y+gap, mid.X+a[0], mid.Y+wide)
		fill(mid.X, mid.Y, box.Max.X-gap, mid.Y+a[1])
		fill(mid.X, mid.Y, mid.X+a[2], box.Max.Y-gap)
		fill(at.X+gap, mid.Y, mid.X+wide, mid.Y+a[3])
	default:
		return false
	}
	return true
}

// shrunk returns a shape drawn smaller around its middle.
func shrunk(corners []float64) []float64 {
	n := float64(len(corners) / 2)
	var mid [2]float64
	for i, c := range corners {
		mid[i%2] += c / n
	}
	small := make([]float64, len(corners))
	for i, c := range corners {
		small[i] = mid[i%2] + 0.6*(c-mid[i%2])
	}
	return small
}

func circle(radius float64) []float64 {
	var corners []float64
	for i := range 16 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 16)
		corners = append(corners, 50+radius*c, 50+radius*s*cellW/cellH)
	}
	return corners
}

// polygon fills a shape given in hundredths of the cell.
func (p *painter) polygon(corners []float64, box image.Rectangle, ink color.RGBA) {
	shape := vector.NewRasterizer(box.Dx(), box.Dy())
	to := shape.MoveTo
	for i := 0; i < len(corners); i += 2 {
		to(float32(corners[i]*float64(box.Dx())/100), float32(corners[i+1]*float64(box.Dy())/100))
		to = shape.LineTo
	}
	shape.ClosePath()
	shape.Draw(p.img, box, image.NewUniform(ink), image.Point{})
}
