package draw

// picture is a laid-out chart: what SVG and PNG both know how to draw, in pixels
// from the top left, painted in order.
type picture struct {
	w, h   float64
	title  string // for readers that do not see
	ground string // background colour
	shapes []shape
}

type point struct{ x, y float64 }

// shape is one of stroke, box, disc and label.
type shape interface{ isShape() }

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

// label is one line of text; y is its baseline. A turned one reads upwards.
type label struct {
	x, y   float64
	text   string
	size   float64
	colour string
	anchor anchor
	bold   bool
	turned bool
}

func (stroke) isShape() {}
func (box) isShape()    {}
func (disc) isShape()   {}
func (label) isShape()  {}

func (p *picture) add(s ...shape) { p.shapes = append(p.shapes, s...) }
