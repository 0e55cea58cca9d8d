package reading

import (
	"context"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// fits are the values of the selected entry's main parameter with which the stack
// meets its budget, by theorem.
type fits struct {
	doc     *document.Document
	version int
	entry   string // the entry's label or mechanism
	field   string
	symbol  string
	now     float64
	rows    []plan.Result
	serial  int
}

// solveFits solves for the main parameter under every theorem, if there is a budget.
func (w *Why) solveFits() tea.Cmd {
	row, ok := w.Doc.Selected()
	s := w.Doc.Scenario()
	if !ok || row.Block() || row.Depth() > 0 || s.Budget.Epsilon <= 0 || w.Result == nil || w.fitted == s {
		return nil
	}
	w.fitted = s
	f := fits{doc: w.Doc, version: w.Doc.Version(), entry: kit.EntryName(row.Entry)}
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
	entry, account := row.Top()+1, w.Accountant
	return w.Jobs.Start(&w.job, 0, func(ctx context.Context, tell func(func())) {
		// The last one is the numerical accountant, who takes longest.
		_ = plan.Each(ctx, account, s, plan.Request{Solve: f.field, Entry: entry, Digits: report.PlanDigits}, func(r plan.Result) bool {
			if ctx.Err() != nil || !covers[r.Method] || r.Method == accounting.Numerical && !r.Feasible {
				return ctx.Err() == nil
			}
			f.rows = append(f.rows, r)
			sent := f
			sent.rows = slices.Clone(f.rows)
			tell(func() {
				sent.serial = w.found.serial + 1
				w.found = sent
			})
			return true
		})
	})
}
