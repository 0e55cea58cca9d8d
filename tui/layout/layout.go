// Package layout decides where everything stands: a pure function from the size of
// the terminal to rectangles, so that one test can walk every size.
package layout

// Rect is a rectangle of cells; a Rect without area is not shown.
type Rect struct{ X, Y, W, H int }

// Visible reports whether the rectangle has any cell.
func (r Rect) Visible() bool { return r.W > 0 && r.H > 0 }

// Contains reports whether a cell lies inside.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// The smallest terminal in which the explorer shows anything but a request for room.
const (
	MinWidth  = 60
	MinHeight = 18
)

// Mode is how much of the explorer stands on the screen at once.
type Mode int

const (
	TooSmall Mode = iota // only a message
	Single               // one pane at a time
	Column               // everything below each other, the chart behind a tab
	Two                  // stack and knobs beside the bounds, the chart below
	Three                // and the selected mechanism in a third column
)

// Slot names a place a pane can stand in.
type Slot int

const (
	Stack Slot = iota
	Knobs
	Bounds
	Chart
	Detail
	Slots // how many there are
)

// Want is what the user asked to see.
type Want struct {
	Focus   Slot // the pane with the keys
	Chart   bool // the chart, where it shares its place with the bounds
	Full    bool // the chart alone
	Single  bool // a screen of one pane: the whole body is its slot Bounds
	Notice  int  // lines of a notice above the footer
	Entries int  // lines of the stack, so that a short one takes little room
	Bare    bool // one pane and nothing else, for a projector
}

// Layout is where everything stands.
type Layout struct {
	Mode                 Mode
	Header, Tabs, Footer Rect
	Notice               Rect
	Body                 Rect
	Slots                [Slots]Rect
	Strip                bool // the knobs are a strip without a border
}

// Arrange lays out a terminal of w×h cells.
func Arrange(w, h int, want Want) Layout {
	if w < MinWidth || h < MinHeight {
		return Layout{Mode: TooSmall, Body: Rect{0, 0, max(0, w), max(0, h)}}
	}
	l := Layout{Mode: mode(w, h)}
	if want.Bare {
		return l.bare(w, h, want)
	}
	l.Header = Rect{0, 0, w, 1}
	l.Footer = Rect{0, h - 1, w, 1}
	top := 1
	if l.Mode <= Column {
		l.Tabs = Rect{0, 1, w, 1}
		top = 2
	}
	l.Notice = Rect{0, h - 1 - want.Notice, w, want.Notice}
	l.Body = Rect{0, top, w, h - 1 - top - want.Notice}
	switch {
	case want.Single:
		l.Slots[Bounds] = l.Body
	case want.Full:
		l.Slots[Chart] = l.Body
	case l.Mode == Single:
		l.single(want)
	case l.Mode == Column:
		l.column(want)
	case l.Mode == Two:
		l.two(want)
	default:
		l.three(want)
	}
	return l
}

// bare gives the whole screen to one pane.
func (l Layout) bare(w, h int, want Want) Layout {
	l.Notice = Rect{0, h - want.Notice, w, want.Notice}
	l.Body = Rect{0, 0, w, h - want.Notice}
	slot := Bounds
	if !want.Single && (want.Chart || want.Full) {
		slot = Chart
	}
	l.Slots[slot] = l.Body
	return l
}

func mode(w, h int) Mode {
	switch {
	case w < 80 || h < 24:
		return Single
	case w < 110:
		return Column
	case w < 170 || h < 40:
		return Two
	}
	return Three
}

// single gives the body to the pane with the keys, above a strip of knobs.
func (l *Layout) single(want Want) {
	b := l.Body
	l.Strip = true
	l.Slots[Knobs] = Rect{b.X, b.Y + b.H - 2, b.W, 2}
	b.H -= 2
	switch {
	case want.Focus == Stack:
		l.Slots[Stack] = b
	case want.Chart || want.Focus == Chart:
		l.Slots[Chart] = b
	default:
		l.Slots[Bounds] = b
	}
}

// column stands bounds (or the chart), stack and a strip of knobs below each
// other; a tall terminal shows bounds and chart both.
func (l *Layout) column(want Want) {
	b := l.Body
	l.Strip = true
	l.Slots[Knobs] = Rect{b.X, b.Y + b.H - 2, b.W, 2}
	rest := b.H - 2
	stack := min(max(want.Entries, 2)+2, rest/3)
	l.Slots[Stack] = Rect{b.X, b.Y + rest - stack, b.W, stack}
	top := Rect{b.X, b.Y, b.W, rest - stack}
	switch {
	case top.H >= 32:
		l.Slots[Bounds] = Rect{top.X, top.Y, top.W, 18}
		l.Slots[Chart] = Rect{top.X, top.Y + 18, top.W, top.H - 18}
	case want.Chart:
		l.Slots[Chart] = top
	default:
		l.Slots[Bounds] = top
	}
}

// two puts the causes left and the effects right, and the chart under both.
func (l *Layout) two(want Want) {
	b := l.Body
	upper := b
	if b.H >= 28 {
		upper.H = min(max(b.H*3/5, 20), 27)
		l.Slots[Chart] = Rect{b.X, b.Y + upper.H, b.W, b.H - upper.H}
	}
	left, right := beside(upper, upper.W*99/200)
	l.stackAndKnobs(left)
	if want.Chart && !l.Slots[Chart].Visible() {
		l.Slots[Chart] = right
	} else {
		l.Slots[Bounds] = right
	}
}

// three adds a column for the selected mechanism, as high as the body.
func (l *Layout) three(want Want) {
	b := l.Body
	main, detail := beside(b, b.W*72/100)
	l.Slots[Detail] = detail
	upper := main
	upper.H = min(max(b.H*45/100, 20), 27)
	l.Slots[Chart] = Rect{main.X, main.Y + upper.H, main.W, main.H - upper.H}
	left, right := beside(upper, upper.W*46/100)
	l.stackAndKnobs(left)
	l.Slots[Bounds] = right
}

// knobRows is the height of the knobs with their border.
const knobRows = 10

func (l *Layout) stackAndKnobs(r Rect) {
	knobs := min(knobRows, r.H/2)
	l.Slots[Stack] = Rect{r.X, r.Y, r.W, r.H - knobs}
	l.Slots[Knobs] = Rect{r.X, r.Y + r.H - knobs, r.W, knobs}
}

func beside(r Rect, w int) (left, right Rect) {
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}
