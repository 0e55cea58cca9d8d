package reading

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// Why explains every bound: the theorem, the formula with the numbers put in,
// which conditions the stack meets, where lectures print something else.
type Why struct {
	kit.Base
	came     func() accounting.Method
	view     viewport.Model
	sections map[accounting.Method]int // line each bound starts at
	goal     accounting.Method         // section the user came for
	placed   int                       // where that was scrolled to
	content  kit.Cached[whyLook]

	found  fits
	fitted *scenarios.Scenario // what the newest start was for
	job    jobs.Job
}

type whyLook struct {
	kit.Look
	pending, busy bool
	fits          int
}

// NewWhy makes the screen; came is the theorem the user looked at before, if any.
func NewWhy(s *kit.Shell, came func() accounting.Method) *Why {
	return &Why{Base: kit.Base{Shell: s}, came: came, view: viewport.New(0, 0)}
}

func (w *Why) Keys() kit.Table { return kit.NewTable("Why screen", scrollKeys(&w.view)...) }

func (w *Why) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return kit.Dispatch(msg, w.Keys()) }

func (w *Why) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { return wheel(&w.view, m) }

// knobTheorems are the theorems that have most to say about a knob: the one that
// spends δ, the one with an order, the one where the sensitivity is squared.
var knobTheorems = map[string]accounting.Method{
	document.KnobDelta: accounting.Advanced, document.KnobAlpha: accounting.RDP, "sensitivity": accounting.ZCDP,
}

// Shown scrolls to what the user came from: a selected theorem, or the active knob.
func (w *Why) Shown() tea.Cmd {
	if w.goal = w.came(); w.goal == "" {
		w.goal = knobTheorems[w.Knob]
	}
	w.fill()
	w.view.GotoTop()
	w.place()
	return nil
}

// place scrolls to the section the user came for.
func (w *Why) place() {
	w.view.SetYOffset(w.sections[w.goal])
	w.placed = w.view.YOffset
}

// Refresh keeps the values that would fit up to date.
func (w *Why) Refresh() tea.Cmd { return w.solveFits() }

func (w *Why) View(focused bool) []string {
	p := w.Pen
	w.fill()
	inner, h := draw.Inner(w.W, w.H)
	at := ""
	if w.view.TotalLineCount() > w.view.Height {
		at = fmt.Sprintf("%d %%", int(math.Round(100*w.view.ScrollPercent())))
	}
	lines := kit.PagesIn(inner, h-1).Set(strings.Split(w.view.View(), "\n"), inner, at == "")
	foot := p.Line(inner).Raw(w.Hints(inner, kit.Hint("↑↓", "scroll"), kit.Hint("+ -", "turn the knob"), kit.Hint("esc", "back")))
	lines = append(lines, foot.To(inner-text.Width(at)).Put(p.Muted, at).String())
	return p.Frame(draw.Frame{Title: "Why these bounds differ", Focus: focused}, lines, w.W, w.H)
}

// fill writes the text anew when what it says or its size has changed.
func (w *Why) fill() {
	inner, h := draw.Inner(w.W, w.H)
	pages := kit.PagesIn(inner, h-1)
	w.view.Width, w.view.Height = pages.W, pages.Lines()
	fresh := false
	lines := w.content.Get(whyLook{w.Look(true), w.Pending, w.job.Busy, w.found.serial}, func() []string {
		fresh = true
		return w.write(pages.W)
	})
	if fresh {
		stayed := w.goal != "" && w.view.YOffset == w.placed
		w.view.SetContent(strings.Join(lines, "\n"))
		if stayed { // what is solved later comes in above
			w.place()
		}
	}
}
