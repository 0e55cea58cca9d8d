package tui

import (
	"fmt"
	"math"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// whyPane explains every bound: the theorem, the formula with the numbers put in,
// which conditions the stack meets, where lectures print something else.
type whyPane struct {
	base
	came     func() accounting.Method
	view     viewport.Model
	sections map[accounting.Method]int // line each bound starts at
	goal     accounting.Method         // section the user came for
	placed   int                       // where that was scrolled to
	content  cached[whyLook]

	found  fits
	fitted *scenarios.Scenario // what the newest start was for
	job    job
}

type whyLook struct {
	look
	pending bool
	fits    int
}

// newWhyPane makes the screen; came is the theorem the user looked at before, if any.
func newWhyPane(s *Shell, came func() accounting.Method) *whyPane {
	return &whyPane{base: base{Shell: s}, came: came, view: viewport.New(0, 0)}
}

func (w *whyPane) Keys() Table {
	scroll := func(by int) func() tea.Cmd {
		return just(func() { w.view.SetYOffset(w.view.YOffset + by) })
	}
	return newTable("Why screen",
		bind("up k", "", "Scroll up", scroll(-1)),
		bind("down j", "", "Scroll down", scroll(+1)),
		bind("pgup", "", "Page up", just(func() { w.view.PageUp() })),
		bind("pgdown space", "", "Page down", just(func() { w.view.PageDown() })),
		bind("home", "", "To the top", just(func() { w.view.GotoTop() })),
		bind("end", "", "To the end", just(func() { w.view.GotoBottom() })),
	)
}

func (w *whyPane) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return dispatch(msg, w.Keys()) }

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
	document.KnobDelta: accounting.Advanced, document.KnobAlpha: accounting.RDP, "sensitivity": accounting.ZCDP,
}

// Shown scrolls to what the user came from: a selected theorem, or the active knob.
func (w *whyPane) Shown() tea.Cmd {
	if w.goal = w.came(); w.goal == "" {
		w.goal = knobTheorems[w.knob]
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
func (w *whyPane) Refresh() tea.Cmd { return w.solveFits() }

func (w *whyPane) View(focused bool) []string {
	p := w.pen
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
	lines := w.content.get(whyLook{w.look(true), w.pending, w.found.serial}, func() []string {
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
