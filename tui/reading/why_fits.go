package reading

import (
	"context"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
)

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

// Refresh solves for the main parameter under every theorem, if there is a budget.
func (w *Why) Refresh() tea.Cmd {
	row, ok := w.Doc.Selected()
	s := w.Doc.Scenario()
	if !ok || row.Block() || row.Depth() > 0 || s.Budget.Epsilon <= 0 || w.Result == nil {
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
	// What does not cover the stack is left out: its own section says why. So are the
	// classic forms, which are never the better ones.
	covers := map[accounting.Method]bool{accounting.Numerical: true}
	for _, b := range w.Result.Bounds {
		covers[b.Method] = b.Finite() || b.Method == accounting.Numerical
	}
	covers[accounting.RDPClassic], covers[accounting.ZCDPClassic] = false, false
	request, account := plan.Request{Solve: f.field, Entry: row.Top() + 1, Digits: report.PlanDigits}, w.Accountant
	return w.fits.Ask(w.Jobs, 0, fitsWant{s, w.Doc.Cursor()}, func(ctx context.Context, tell func(fits)) {
		// The last one is the numerical accountant, who takes longest.
		_ = plan.Each(ctx, account, s, request, func(r plan.Result) bool {
			if covers[r.Method] && (r.Feasible || r.Method != accounting.Numerical) && ctx.Err() == nil {
				f.rows = append(slices.Clip(f.rows), r)
				tell(f)
			}
			return ctx.Err() == nil
		})
	})
}
