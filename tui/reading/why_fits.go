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

// fitMethods are the closed theorems worth setting side by side.
var fitMethods = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.RDP, accounting.ZCDP, accounting.GDP, accounting.Optimal,
}

// solveFits solves for the main parameter under every theorem, if there is a budget.
func (w *Why) solveFits() tea.Cmd {
	row, ok := w.Doc.Selected()
	s := w.Doc.Scenario()
	if !ok || row.Block() || row.Depth() > 0 || s.Budget.Epsilon <= 0 || w.fitted == s {
		return nil
	}
	w.fitted = s
	f := fits{doc: w.Doc, version: w.Doc.Version(), entry: kit.EntryName(row.Entry)}
	for _, k := range w.Doc.Knobs(math.NaN()) {
		if k.Name == "epsilon" || k.Name == "sigma" {
			f.field, f.symbol, f.now = k.Name, k.Symbol, k.Value
			break
		}
	}
	if f.field == "" {
		return nil
	}
	var applies []accounting.Method
	if w.Result != nil {
		for _, b := range w.Result.Bounds {
			if b.Finite() {
				applies = append(applies, b.Method)
			}
		}
	}
	entry, account := row.Top()+1, w.Accountant
	return w.Jobs.Start(&w.job, 0, func(ctx context.Context, tell func(func())) {
		for _, m := range fitMethods {
			if !slices.Contains(applies, m) {
				continue // the theorem does not cover the stack; its own section says why
			}
			r, err := account.Plan(ctx, s, plan.Request{Solve: f.field, Entry: entry, Method: m, Digits: report.PlanDigits})
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				continue
			}
			f.rows = append(f.rows, r)
			sent := f
			sent.rows = append([]plan.Result(nil), f.rows...)
			tell(func() {
				sent.serial = w.found.serial + 1
				w.found = sent
			})
		}
	})
}
