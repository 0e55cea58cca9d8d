package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
)

// View returns the whole screen: exactly as many lines as the terminal has, each exactly
// as wide. A view one line too tall would lose its top line.
func (a *App) View() string {
	if a.quiet || a.w <= 0 || a.h <= 0 {
		return ""
	}
	if a.home.Lay.Mode == layout.TooSmall {
		return strings.Join(a.tooSmall(), "\n")
	}
	lines := make([]string, 0, a.h)
	if !a.Projector {
		lines = append(lines, a.header())
	}
	if a.home.Lay.Review.Visible() {
		lines = append(lines, a.home.ReviewLine(a.w))
	}
	if a.home.Lay.Tabs.Visible() {
		lines = append(lines, a.home.Tabs(a.w))
	}
	lines = append(lines, a.screens[a.screen].pane.View(true)...)
	lines = append(lines, a.tourStrip()...)
	if !a.Projector {
		lines = append(lines, a.footer())
	}
	a.sayOver(lines)
	for _, d := range a.Dialogs {
		lines = a.overlay(lines, d)
	}
	return strings.Join(lines, "\n")
}

func (a *App) footer() string {
	p := a.Pen
	l := p.Line(a.w).Skip(1)
	right, ink := a.statusText()
	switch {
	case right == "":
		right, ink = a.state()
	case draw.Width(right)+2 > a.w/2: // an error is worth more than a reminder of the keys
		return l.Put(ink, right).String()
	}
	room := a.w - 2 - draw.Width(right) - 2
	if at := a.topic(); at != "" && room > 50 {
		l.Put(p.Title, at).Skip(1).Put(p.Key, ">").Put(p.Muted, " next topic").Skip(2)
	}
	l.Raw(a.hints(room-l.Column(), a.tables()))
	return l.FillTo(a.w-1-draw.Width(right)).Put(ink, right).String()
}

// topic returns the topic of the lectures from which this screen was opened; "" if none.
func (a *App) topic() string {
	n := len(a.trail)
	if n == 0 {
		return ""
	}
	if l, ok := a.screens[a.trail[n-1].screen].pane.(interface{ TopicLabel() string }); ok {
		return l.TopicLabel()
	}
	return ""
}

// statusText returns the status in words; an error has a mark, as colour may be off.
func (a *App) statusText() (string, draw.Ink) {
	if a.Status.Bad {
		return a.Pen.Glyphs.Cross + " " + a.Status.Text, a.Pen.Over
	}
	return a.Status.Text, a.Pen.Good
}

// sayOver writes what there is to say, and what the footer has no room for, over the last lines. A frame that ends
// there stays closed: for a projector, which has no footer, a short message stands in its lower edge; above a long one
// the edge moves up.
func (a *App) sayOver(lines []string) {
	foot := 1 // lines below the pane
	if a.Projector {
		foot = 0
	}
	words, ink := a.statusText()
	edge, long := lines[len(lines)-1-foot], a.message()
	framed := a.lowerEdge(edge)
	from := len(lines) - len(long)
	switch {
	case long != nil && framed && len(long) > foot:
		lines[from-1] = edge
		fallthrough
	case long != nil:
		copy(lines[from:], long)
	case !a.Projector || words == "":
	case framed:
		words = " " + words + " "
		lines[len(lines)-1] = splice(edge, ink.Render(words), 2, 2+draw.Width(words), a.w)
	default:
		lines[len(lines)-1] = a.Pen.Line(a.w).Skip(1).Put(ink, words).String()
	}
}

// lowerEdge reports whether a line is the lower edge of a frame.
func (a *App) lowerEdge(line string) bool {
	line = ansi.Strip(line)
	for _, b := range []lipgloss.Border{a.Pen.Glyphs.Border, a.Pen.Glyphs.BorderFocus} {
		if strings.HasPrefix(line, b.BottomLeft+b.Bottom+b.Bottom) {
			return true
		}
	}
	return false
}

// message returns what there is to say where one line is too short for it: the end of an
// error is often what helps, so it takes the lines above the last, too.
func (a *App) message() []string {
	said, ink := a.statusText()
	room := a.w - 2
	if a.Projector { // between the corners of a frame, with a blank on either side
		room -= 4
	}
	if draw.Width(said) <= room {
		return nil
	}
	lines := kit.FirstLines(a.Pen.Wrap(said, a.w-2), 3, a.w-2)
	for i, words := range lines {
		lines[i] = a.Pen.Line(a.w).Skip(1).Put(ink, words).String()
	}
	return lines
}

// hints writes the keys that matter everywhere, as many as fit.
func (a *App) hints(room int, tables []kit.Table) (line string, width int) {
	if list := kit.TypingKeys(a.screens[a.screen].pane); list != nil {
		return a.Hints(room, list...)
	}
	var list []kit.Binding
	if a.screen == 0 {
		list = a.home.FocusedFeet()
	}
	for _, name := range []string{tableGeneral, "Panes"} {
		for _, t := range tables {
			if t.Name == name && a.screen == 0 {
				t = a.home.ActingBindings(t)
			}
			if t.Name == name {
				list = append(list, t.Bindings...)
			}
		}
	}
	return a.Hints(room, list...)
}

// state says how the numbers on the screen were computed; "" on a screen that is not about the scenario.
func (a *App) state() (string, draw.Ink) {
	_, other := a.screens[a.screen].pane.(heading)
	switch {
	case other:
	case a.Refusal != nil:
		return "cannot be evaluated", a.Pen.Over
	case a.Pending && a.evalJob.Busy:
		return "computing", a.Pen.Muted
	case a.evaluationTime != "":
		if b, ok := a.Full.Bound(accounting.Numerical); ok && b.Lower > 0 {
			return "certified in " + a.evaluationTime, a.Pen.Muted
		}
		return "computed in " + a.evaluationTime, a.Pen.Muted
	}
	return "", a.Pen.Muted
}

// tooSmall asks for room.
func (a *App) tooSmall() []string {
	p := a.Pen
	words := []string{
		"epsiloscope needs",
		fmt.Sprintf("%d×%d cells", layout.MinWidth, layout.MinHeight),
		fmt.Sprintf("this is %d×%d", a.w, a.h),
	}
	switch {
	case a.wouldLoseChanges():
		words = append(words, "unsaved changes")
	case len(a.Dialogs) == 0:
		words = append(words, "q quits")
	}
	out := make([]string, a.h)
	top := max(0, (a.h-len(words))/2)
	for i := range out {
		l := p.Line(a.w)
		if k := i - top; k >= 0 && k < len(words) {
			words := draw.Cut(words[k], a.w)
			l.Put(p.Text, draw.Space((a.w-draw.Width(words))/2)+words)
		}
		out[i] = l.String()
	}
	return out
}

// overlay sets a dialog into the middle of the screen. What stands there is dimmed as a whole and goes on at both
// sides, so that its frames are whole.
func (a *App) overlay(lines []string, d kit.Dialog) []string {
	box := d.View(a.w, a.h-1)
	if len(box) == 0 {
		return lines
	}
	w := draw.Width(box[0])
	x, y := max(0, (a.w-w)/2), max(0, (a.h-len(box))/2)
	out, faded := make([]string, len(lines)), a.Pen.Muted
	if a.Pen.Theme.Name == theme.Mono { // it has no paler colour than that of the dialog
		faded = a.Pen.Stale
	}
	for i, l := range lines {
		out[i] = a.Pen.Fade(l, faded)
		if k := i - y; k >= 0 && k < len(box) {
			out[i] = splice(out[i], box[k], x, x+w, a.w)
		}
	}
	return out
}

// splice replaces the cells of a line between two columns. A wide sign that would be cut leaves a blank.
func splice(line, with string, from, to, width int) string {
	left, right := ansi.Truncate(line, from, ""), ansi.TruncateLeft(line, to, "")
	return left + draw.Space(from-draw.Width(left)) + with + draw.Space(width-to-draw.Width(right)) + right
}
