package render

import "io"

// picture is a laid-out chart: what SVG and PNG both know how to draw, in pixels
// from the top left, painted in order.
type picture struct {
	w, h   float64
	title  string // for readers that do not see
	ground string // background colour
	shapes []shape
}

type point struct{ x, y float64 }

// shape is implemented by stroke, box, disc and label.
type shape interface {
	svg(io.Writer)
	paint(*painter)
}

// stroke is a line through points.
type stroke struct {
	points []point
	colour string
	width  float64
	dash   []float64 // drawn and skipped lengths; nil is solid
}

type box struct {
	x, y, w, h float64
	colour     string
}

type disc struct {
	x, y, r float64
	colour  string
	ring    string // colour of the edge, if any
}

type anchor int

const (
	start anchor = iota
	middle
	end
)

// label is a line of text; y is its baseline. A turned one reads upwards.
type label struct {
	x, y   float64
	text   string
	size   float64
	colour string
	anchor anchor
	bold   bool
	turned bool
}

func (p *picture) add(s ...shape) { p.shapes = append(p.shapes, s...) }

// palette holds the colours of a picture. They are independent of the explorer's themes, which are limited to what
// terminals can show.
type palette struct {
	ground, text, muted, axis, grid string
	alert, best                     string
	series                          []string
}

// A theorem has the hue that it has on the screen; dashes tell the curves apart for those who do not see it.
var lightInk = palette{
	ground: "#ffffff", text: "#1f2328", muted: "#59636e", axis: "#59636e", grid: "#e6e9ed",
	alert: "#b3261e", best: "#1a7f37",
	series: []string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#8a6500", "#0b7d86", "#bf3989", "#555555"},
}

var darkInk = palette{
	ground: "#14161a", text: "#e6edf3", muted: "#9da7b3", axis: "#9da7b3", grid: "#2b3038",
	alert: "#ff7b72", best: "#4fd65f",
	series: []string{"#58a6ff", "#f08c3a", "#4fd65f", "#c9a0ff", "#e3b341", "#39c5cf", "#ff8fc7", "#c8c8c8"},
}

// dashes tell the curves apart in a grey print.
var dashes = [][]float64{nil, {9, 4}, {2, 3}, {9, 3, 2, 3}, {5, 3}, {12, 3, 2, 3, 2, 3}, {1.5, 4}, {7, 2}}

func (k palette) colour(i int) string { return k.series[i%len(k.series)] }
