package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// fits are the values of the selected entry's main parameter with which the stack
// meets its budget, by theorem.
type fits struct {
	version int
	entry   string // the entry's label or mechanism
	field   string
	symbol  string
	now     float64
	rows    []fitRow
	serial  int
}

type fitRow struct {
	method   string
	value    float64
	feasible bool
}

// worse reports whether what is set now costs more than the value given: a larger
// ε, or a smaller σ.
func (f fits) worse(value float64) bool {
	if f.field == "sigma" {
		return f.now < value*(1-1e-9)
	}
	return f.now > value*(1+1e-9)
}

// fitsMsg carries them.
type fitsMsg struct{ fits }

// fitMethods are the closed theorems worth setting side by side.
var fitMethods = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.RDP, accounting.ZCDP, accounting.GDP, accounting.Optimal,
}

// solveFits solves for the main parameter under every theorem, if there is a budget.
func (a *App) solveFits() tea.Cmd {
	row, ok := a.doc.Selected()
	s := a.doc.Scenario()
	if !ok || row.Block() || row.Depth() > 0 || s.Budget.Epsilon <= 0 || a.fitted == s {
		return nil
	}
	a.fitted = s
	f := fits{version: a.doc.Version(), entry: row.Entry.Label}
	for _, k := range entryKnobs(row) {
		if k.name == "epsilon" || k.name == "sigma" {
			f.field, f.symbol, f.now = k.name, k.symbol, k.value
			break
		}
	}
	if f.field == "" {
		return nil
	}
	if f.entry == "" {
		f.entry, _ = entryTitle(row)
	}
	var applies []accounting.Method
	if a.result != nil {
		for _, b := range a.result.Bounds {
			if b.Finite() {
				applies = append(applies, b.Method)
			}
		}
	}
	entry, account := row.Top()+1, a.account
	return a.pool.start(&a.fitsJob, 0, func(ctx context.Context, emit func(tea.Msg)) {
		for _, m := range fitMethods {
			if !slices.Contains(applies, m) {
				continue // the theorem does not cover the stack; its own section says why
			}
			r, err := account.Plan(ctx, s, scenarios.PlanRequest{Solve: f.field, Entry: entry, Method: m})
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				continue
			}
			f.rows = append(f.rows, fitRow{methodName(accounting.Bound{Method: m}), r.Value, r.Feasible})
			sent := f
			sent.rows = append([]fitRow(nil), f.rows...)
			emit(fitsMsg{sent})
		}
	})
}
