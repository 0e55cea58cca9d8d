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
	Column               // everything below each other
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
	Bounds  int  // lines of the table of bounds
	Empty   bool // the stack shows the first steps, and there is nothing to draw
	Bare    bool // the answer and the chart, or one pane, and nothing else: for a projector
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
		alone := want.Chart || want.Full
		if !want.Single && (l.Mode == Single || l.Mode == Column && alone) {
			l.Tabs = Rect{0, top, w, 1} // else the chart's frame has them
			top++
		}
	}
	l.Notice = Rect{0, h - foot - want.Notice, w, want.Notice}
	l.Body = Rect{0, top, w, h - foot - top - want.Notice}
	switch {
	case want.Single:
		l.Slots[Bounds] = l.Body
	case want.Bare && want.Full:
		l.Slots[Chart] = l.Body
	case want.Bare: // the answer above the chart
		l.Slots[Bounds], l.Slots[Chart] = l.Body.splitRows(min(answerRows, l.Body.H/3))
	case want.Full: // with the knobs, which keys turn here too
		l.Slots[Chart] = l.strip()
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
	rest, l.Slots[Knobs] = l.Body.splitRows(l.Body.H - l.stripRows())
	return rest
}

// stripRows returns the height of the strip of knobs: without the line of its keys where that is a row of the chart.
func (l *Layout) stripRows() int {
	if l.Mode == Column && l.Body.H < 24 && !l.Tabs.Visible() {
		return 1
	}
	return 2
}

// column stands bounds, chart, stack and a strip of knobs below each other. The digits give the chart the place of the
// bounds too.
func (l *Layout) column(want Want) {
	rest := l.strip()
	most := max(5, rest.H/4)
	if want.Empty {
		most = rest.H / 2
	}
	top, stack := rest.splitRows(rest.H - min(max(want.Entries, 2)+2, most))
	l.Slots[Stack] = stack
	switch {
	case want.Chart:
		l.Slots[Chart] = top
		return
	case top.H < FoldedBounds+minFoldedChart, want.Empty && top.H < FoldedBounds+minChart:
		l.Slots[Bounds] = top // a notice took the rows that a chart needs; the table has theorems to show in them
		return
	}
	l.Slots[Bounds], l.Slots[Chart] = top.splitRows(min(max(FoldedBounds, top.H*11/20), want.boundsRows()))
}

// minFoldedChart is the least height of a chart below folded bounds: under it there is no room for a curve.
const minFoldedChart = 6

// FoldedBounds is the least height of the bounds beside a chart: the answer, the axis and five theorems.
const FoldedBounds = 9

// boundsRows returns the height at which the bounds leave nothing out: a border, the large answer, a blank line, the
// head and the foot of the table, the folded forms, the keys.
func (w Want) boundsRows() int { return 10 + max(w.Bounds, 5) }

// upperRows returns the height of stack, knobs and bounds beside each other: what they need, the rest is the chart's.
func (w Want) upperRows(body int) int {
	return min(max(w.boundsRows(), stackRows(w.Entries)+knobRows), max(body*5/8, 17), 27)
}

// two puts the causes left and the effects right, and the chart under both.
func (l *Layout) two(want Want) {
	upper := l.Body
	if upper.H >= minUpper+minChart {
		upper, l.Slots[Chart] = upper.splitRows(min(want.upperRows(upper.H), upper.H-minChart))
	}
	left, right := upper.splitColumns(upper.W * 47 / 100)
	l.stackAndKnobs(left, want.Entries)
	switch {
	case l.Slots[Chart].Visible():
		l.Slots[Bounds] = right
	case want.Chart:
		l.Slots[Chart] = right
	default:
		l.Slots[Bounds], l.Slots[Chart] = right.splitRows(max(FoldedBounds, right.H/2))
	}
}

// The least height of stack, knobs and bounds above a chart of the full width, and that of the chart.
const minUpper, minChart = 14, 8

// three adds a column for the selected mechanism, as high as the body.
func (l *Layout) three(want Want) {
	main, detail := l.Body.splitColumns(l.Body.W * 72 / 100)
	upper, lower := main.splitRows(want.upperRows(main.H))
	left, right := upper.splitColumns(upper.W * 46 / 100)
	l.stackAndKnobs(left, want.Entries)
	l.Slots[Bounds], l.Slots[Chart], l.Slots[Detail] = right, lower, detail
}

// answerRows is the height of the answer on a projector: digits of twice the size, in a border.
const answerRows = 9

// knobRows is the height of six knobs with their border and their keys.
const knobRows = 9

func (l *Layout) stackAndKnobs(r Rect, entries int) {
	l.Slots[Stack], l.Slots[Knobs] = r.splitRows(r.H - max(min(knobRows, r.H/2), r.H-stackRows(entries)))
}

// stackRows returns the height of a stack with its border, its head, a blank line and its keys.
func stackRows(entries int) int { return max(entries, 2) + 5 }

// splitRows divides a rectangle into its first h lines and the rest.
func (r Rect) splitRows(h int) (upper, lower Rect) {
	return Rect{r.X, r.Y, r.W, h}, Rect{r.X, r.Y + h, r.W, r.H - h}
}

// splitColumns divides a rectangle into its first w columns and the rest.
func (r Rect) splitColumns(w int) (left, right Rect) {
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}
