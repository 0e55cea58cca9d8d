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

// Mode is the amount of the explorer that is on the screen at once.
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

// Want is the user's choice of what to see.
type Want struct {
	Focus   Slot // the pane with the keys
	Chart   bool // the chart, where it shares its place with the bounds
	Full    bool // the chart alone
	Single  bool // a screen of one pane: the whole body is its slot Bounds
	Notice  int  // lines of a notice above the footer
	Entries int  // lines of the stack, so that a short one takes little room
	Bare    bool // one pane and nothing else, for a projector
}

// Layout holds the rectangles of everything on the screen.
type Layout struct {
	Mode                 Mode
	Header, Tabs, Footer Rect
	Review               Rect // a line below the header, on the first screen
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
	top, foot := 0, 0
	if !want.Bare {
		l.Header, l.Footer = Rect{0, 0, w, 1}, Rect{0, h - 1, w, 1}
		top, foot = 1, 1
		if !want.Single {
			l.Review = Rect{0, top, w, 1}
			top++
		}
		if l.Mode <= Column && !want.Single { // the digits are keys of the first screen
			l.Tabs = Rect{0, top, w, 1}
			top++
		}
	}
	l.Notice = Rect{0, h - foot - want.Notice, w, want.Notice}
	l.Body = Rect{0, top, w, h - foot - top - want.Notice}
	switch {
	case want.Single:
		l.Slots[Bounds] = l.Body
	case want.Bare && (want.Full || want.Chart):
		l.Slots[Chart] = l.Body
	case want.Full: // with the knobs, which keys turn here too
		l.Slots[Chart] = l.strip()
	case want.Bare:
		l.Slots[Bounds] = l.Body
	case l.Mode == Single:
		l.single(want)
	case l.Mode == Column:
		l.column(want)
	case l.Mode == Two:
		l.two(want)
	default:
		l.three()
	}
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
	pane := l.strip()
	switch {
	case want.Focus == Stack:
		l.Slots[Stack] = pane
	case want.Chart || want.Focus == Chart:
		l.Slots[Chart] = pane
	default:
		l.Slots[Bounds] = pane
	}
}

// strip sets the knobs below the rest of the body, which it returns.
func (l *Layout) strip() (rest Rect) {
	l.Strip = true
	rest, l.Slots[Knobs] = l.Body.splitRows(l.Body.H - 2)
	return rest
}

// column stands bounds (or the chart), stack and a strip of knobs below each
// other; a tall terminal shows bounds and chart both.
func (l *Layout) column(want Want) {
	rest := l.strip()
	top, stack := rest.splitRows(rest.H - min(max(want.Entries, 2)+2, rest.H/3))
	l.Slots[Stack] = stack
	switch {
	case top.H >= 32:
		l.Slots[Bounds], l.Slots[Chart] = top.splitRows(18)
	case want.Chart:
		l.Slots[Chart] = top
	default:
		l.Slots[Bounds] = top
	}
}

// two puts the causes left and the effects right, and the chart under both.
func (l *Layout) two(want Want) {
	upper := l.Body
	if upper.H >= 28 {
		upper, l.Slots[Chart] = upper.splitRows(min(max(upper.H*3/5, 20), 27))
	}
	left, right := upper.splitColumns(upper.W * 47 / 100)
	l.stackAndKnobs(left)
	if want.Chart && !l.Slots[Chart].Visible() {
		l.Slots[Chart] = right
	} else {
		l.Slots[Bounds] = right
	}
}

// three adds a column for the selected mechanism, as high as the body.
func (l *Layout) three() {
	main, detail := l.Body.splitColumns(l.Body.W * 72 / 100)
	upper, lower := main.splitRows(min(max(main.H*45/100, 20), 27))
	left, right := upper.splitColumns(upper.W * 47 / 100)
	l.stackAndKnobs(left)
	l.Slots[Bounds], l.Slots[Chart], l.Slots[Detail] = right, lower, detail
}

// knobRows is the height of the knobs with their border.
const knobRows = 10

func (l *Layout) stackAndKnobs(r Rect) {
	l.Slots[Stack], l.Slots[Knobs] = r.splitRows(r.H - min(knobRows, r.H/2))
}

// splitRows divides a rectangle into its first h lines and the rest.
func (r Rect) splitRows(h int) (upper, lower Rect) {
	return Rect{r.X, r.Y, r.W, h}, Rect{r.X, r.Y + h, r.W, r.H - h}
}

// splitColumns divides a rectangle into its first w columns and the rest.
func (r Rect) splitColumns(w int) (left, right Rect) {
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}
