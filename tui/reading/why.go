package reading

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/share"
)

// Why explains every bound: the theorem, the formula with the numbers put in,
// which conditions the stack meets, where lectures print something else.
type Why struct {
	kit.Reader
	came     func() accounting.Method
	sections map[accounting.Method]int // line each bound starts at
	goal     accounting.Method         // section the user came for
	placed   int                       // where that was scrolled to
	fits     jobs.Query[fitsWant, fits]
}

// NewWhy makes the screen; came is the theorem the user looked at before, if any.
func NewWhy(s *kit.Shell, came func() accounting.Method) *Why {
	return &Why{Reader: kit.Reader{Base: kit.Base{Shell: s}}, came: came}
}

func (w *Why) Keys() kit.Table { return kit.NewTable("Why screen", w.Text.Keys()...) }

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
	w.Text.GotoTop()
	w.place()
	return nil
}

// place scrolls to the section the user came for.
func (w *Why) place() {
	w.Text.SetYOffset(w.sections[w.goal])
	w.placed = w.Text.YOffset
}

func (w *Why) View(focused bool) []string {
	w.fill()
	return w.Text.Pages(w.Shell, draw.Frame{Title: "Why these bounds differ", Focus: focused}, w.W, w.H, "",
		kit.Hint("↑↓", "scroll"), kit.Hint("+ -", "turn the knob"), kit.Hint("esc", "back"))
}

// Share gives the whole text, not only what is in sight.
func (w *Why) Share() share.Subject { return whole(&w.Text) }

// fill writes the text anew when what it says or its size has changed.
func (w *Why) fill() {
	stayed := w.goal != "" && w.Text.YOffset == w.placed
	if w.Text.FillPages(w.Shell, w.Look(true, w.Pending, w.fits.Busy, w.fits.Serial), w.W, w.H, w.write) && stayed {
		w.place() // what is solved later comes in above
	}
}
