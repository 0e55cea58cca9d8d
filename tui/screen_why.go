package tui

import (
	"fmt"
	"math"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// whyPane explains every bound: the theorem, the formula with the numbers put in,
// which conditions the stack meets, where lectures print something else.
type whyPane struct {
	base
	view     viewport.Model
	sections map[accounting.Method]int // line each bound starts at
	goal     accounting.Method         // section the user came for
	placed   int                       // where that was scrolled to
	content  cached[whyLook]
}

type whyLook struct {
	look
	pending bool
	fits    int
}

func newWhyPane(a *App) *whyPane { return &whyPane{base: base{a: a}, view: viewport.New(0, 0)} }

func (w *whyPane) Keys() Table {
	scroll := func(by int) func(*App) tea.Cmd {
		return just(func(*App) { w.view.SetYOffset(w.view.YOffset + by) })
	}
	return Table{"Why screen", []Binding{
		{[]string{"up", "k"}, "", "Scroll up", scroll(-1)},
		{[]string{"down", "j"}, "", "Scroll down", scroll(+1)},
		{[]string{"pgup"}, "", "Page up", just(func(*App) { w.view.PageUp() })},
		{[]string{"pgdown", " "}, "", "Page down", just(func(*App) { w.view.PageDown() })},
		{[]string{"home"}, "", "To the top", just(func(*App) { w.view.GotoTop() })},
		{[]string{"end"}, "", "To the end", just(func(*App) { w.view.GotoBottom() })},
	}}
}

func (w *whyPane) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return w.a.dispatch(msg, w.Keys()) }

func (w *whyPane) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		w.view.SetYOffset(w.view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		w.view.SetYOffset(w.view.YOffset + 3)
	}
	return nil
}

// knobTheorems are the theorems that have most to say about a knob: the one that
// spends δ, the one with an order, the one where the sensitivity is squared.
var knobTheorems = map[string]accounting.Method{
	knobDelta: accounting.Advanced, knobAlpha: accounting.RDP, "sensitivity": accounting.ZCDP,
}

// Shown scrolls to what the user came from: a selected theorem, or the active knob.
func (w *whyPane) Shown() tea.Cmd {
	w.goal = ""
	b := w.a.panes[layout.Bounds].(*boundsPane)
	switch r := w.a.result; {
	case w.a.focus == layout.Bounds && r != nil && b.row < len(r.Bounds):
		w.goal = r.Bounds[b.row].Method
	default:
		w.goal = knobTheorems[w.a.knob]
	}
	w.fill()
	w.view.GotoTop()
	w.place()
	return nil
}

// place scrolls to the section the user came for.
func (w *whyPane) place() {
	w.view.SetYOffset(w.sections[w.goal])
	w.placed = w.view.YOffset
}

// Refresh keeps the values that would fit up to date.
func (w *whyPane) Refresh() tea.Cmd { return w.a.solveFits() }

func (w *whyPane) View(focused bool) []string {
	p := w.a.pen
	w.fill()
	inner, h := draw.Inner(w.w, w.h)
	at := ""
	if w.view.TotalLineCount() > w.view.Height {
		at = fmt.Sprintf("%d %%", int(math.Round(100*w.view.ScrollPercent())))
	}
	lines := pagesIn(inner, h-1).set(splitLines(w.view.View()), inner)
	foot := p.Line(inner).Put(p.Key, "↑↓").Put(p.Muted, " scroll  ").Put(p.Key, "+ -").Put(p.Muted, " turn the knob  ").
		Put(p.Key, "esc").Put(p.Muted, " back")
	lines = append(lines, foot.To(inner-text.Width(at)).Put(p.Muted, at).String())
	return p.Frame(draw.Frame{Title: "Why these bounds differ", Focus: focused}, lines, w.w, w.h)
}

// fill writes the text anew when what it says or its size has changed.
func (w *whyPane) fill() {
	inner, h := draw.Inner(w.w, w.h)
	pages := pagesIn(inner, h-1)
	w.view.Width, w.view.Height = pages.w, pages.lines()
	fresh := false
	lines := w.content.get(whyLook{w.look(true), w.a.pending, w.a.fits.serial}, func() []string {
		fresh = true
		return w.write(pages.w)
	})
	if fresh {
		stayed := w.goal != "" && w.view.YOffset == w.placed
		w.view.SetContent(joinLines(lines))
		if stayed { // what is solved later comes in above
			w.place()
		}
	}
}
