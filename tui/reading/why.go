package reading

import (
	"context"
	"maps"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Why explains every bound: the theorem, the formula with the numbers put in,
// which conditions the stack meets, where lectures print something else.
type Why struct {
	kit.Reader
	startMethod func() accounting.Method
	review      func() (*review.Review, bool)
	sections    map[accounting.Method]int // line each bound starts at
	goal        accounting.Method         // the section to scroll to
	goalOffset  int                       // where that was scrolled to
	fits        jobs.Query[fitsWant, fits]
}

// NewWhy makes the screen; came is the theorem the user looked at before, if any, and found the review of the scenario,
// if it is known.
func NewWhy(s *kit.Shell, came func() accounting.Method, found func() (*review.Review, bool)) *Why {
	return &Why{Reader: kit.Reader{Base: kit.Base{Shell: s}}, startMethod: came, review: found}
}

func (w *Why) Keys() kit.Table {
	return kit.NewTable("Why screen", append([]kit.Binding{
		kit.Action("why.next", "tab", "next theorem", "Next theorem", kit.NoCmd(func() { w.jump(+1) })),
		kit.Action("why.previous", "shift+tab", "", "Previous theorem, or the summary", kit.NoCmd(func() { w.jump(-1) })),
	}, w.Text.Keys()...)...)
}

// jump scrolls to the theorem after or before the line at the top; before the first it is the summary, after the last
// it begins again.
func (w *Why) jump(by int) {
	at, lines := w.Text.YOffset, append([]int{0}, slices.Sorted(maps.Values(w.sections))...)
	to := 0
	for _, l := range lines {
		if by > 0 && l > at && !w.Text.AtBottom() {
			to = l
			break
		}
		if by < 0 && l < at {
			to = l
		}
	}
	w.goal = ""
	for m, l := range w.sections {
		if l == to {
			w.goal = m
		}
	}
	w.Text.SetYOffset(to)
	w.goalOffset = w.Text.YOffset
}

// OnShow shows the summary, or the theorem that was selected in the table.
func (w *Why) OnShow() tea.Cmd {
	w.goal = w.startMethod()
	w.fill()
	w.Text.GotoTop()
	w.scrollToGoal()
	return nil
}

// scrollToGoal scrolls to the section the user came for.
func (w *Why) scrollToGoal() {
	w.Text.SetYOffset(w.sections[w.goal])
	w.goalOffset = w.Text.YOffset
}

func (w *Why) View(focused bool) []string {
	w.fill()
	return w.Text.Pages(w.Shell, draw.Frame{Title: "Why these bounds differ", Focus: focused}, w.W, w.H, false,
		kit.Hint("↑↓", "scroll"), kit.Hint("tab", "next theorem"), kit.Hint("+ -", "turn the knob"), kit.Hint("esc", "back"))
}

// Share gives the whole text, not only what is in sight.
func (w *Why) Share() export.Subject { return export.Subject{Text: kit.Plain(w.Text.All())} }

// fill writes the text anew when what it says or its size has changed.
func (w *Why) fill() {
	stayed := w.goal != "" && w.Text.YOffset == w.goalOffset
	found, _ := w.review()
	if w.Text.FillPages(w.Shell, w.Look(w.Pending, w.fits.Busy, w.fits.Serial, found), w.W, w.H, w.write) && stayed {
		w.scrollToGoal() // what is solved later comes in above
	}
}

// fits are the values of the selected entry's main parameter with which the stack
// meets its budget, by theorem.
type fits struct {
	entry  string // the entry's label or mechanism
	field  string
	symbol string
	now    float64
	rows   []plan.Result
}

// fitsWant names the entry that is solved for.
type fitsWant struct {
	scenario *scenarios.Scenario
	row      int
}

// coveredMethods returns the theorems to solve for. One without a valid bound is left out: its own section says why. So
// is a form of a theorem, such as a classic conversion, that gives no less than the theorem itself.
func coveredMethods(bounds []accounting.Bound) map[accounting.Method]bool {
	valid := map[accounting.Method]accounting.Bound{}
	for _, b := range bounds {
		if b.Status == accounting.Valid {
			valid[b.Method] = b
		}
	}
	covers := map[accounting.Method]bool{accounting.Numerical: true}
	for m, b := range valid {
		t, _ := accounting.TheoremOf(m)
		of, ok := valid[t.FormOf]
		covers[m] = !ok || b.Epsilon < of.Epsilon || m == accounting.Numerical
	}
	return covers
}

// Refresh solves for the main parameter under every theorem, if there is a budget.
func (w *Why) Refresh() tea.Cmd {
	row, ok := w.Doc.SelectedRow()
	s := w.Doc.Scenario()
	if !ok || row.Block() || row.Depth() > 0 || !s.Budget.IsSet() || w.Result == nil {
		return nil
	}
	f := fits{entry: kit.EntryName(row.Entry)}
	for _, k := range w.Doc.Knobs(math.NaN()) {
		if k.Name == "epsilon" || k.Name == "sigma" || k.Name == "noise_multiplier" {
			f.field, f.symbol, f.now = k.Name, k.Symbol, k.Value
			break
		}
	}
	switch f.field {
	case "":
		return nil
	case "noise_multiplier": // plans call all noise σ
		f.field = "sigma"
	}
	covers := coveredMethods(w.Result.Bounds)
	request, account := plan.Request{Solve: f.field, Entry: row.Top() + 1, Digits: report.PlanDigits}, w.Accountant
	return w.fits.Ask(w.Jobs, 0, fitsWant{s, w.Doc.Cursor()}, func(ctx context.Context, tell func(fits, error)) {
		// The numerical method comes last: it takes longest.
		_ = plan.SolveEach(ctx, account, s, request, func(r plan.Result) bool {
			if covers[r.Method] && (r.Feasible || r.Method != accounting.Numerical) && ctx.Err() == nil {
				f.rows = append(slices.Clip(f.rows), r)
				tell(f, nil)
			}
			return ctx.Err() == nil
		})
	})
}
