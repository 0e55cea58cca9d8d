package tui

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// The table of bounds at every size, in colour and in ASCII: the dots stand in the order of the numbers in their rows,
// the budget is one rule through all of them, and a row is over the budget exactly if its dot is right of the rule.
// There is a stem from the best to every other dot. The quick form looks at the scenarios of
// [TestFiguresAreThoseOfCompare], whose numbers are then known.
func TestDotsOnTheScreen(t *testing.T) {
	for _, info := range gauge.Some(18, scenarios.LibraryInfos()) {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Stack) == 0 || s.Budget.Harm.Kind() != "" {
			continue
		}
		for _, ascii := range []bool{false, true} {
			a := start(t, 200, 55, setup{scenario: s, accountant: accountants(), ascii: ascii})
			if a.Result == nil {
				continue
			}
			for _, size := range sizes {
				send(a, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				checkDots(t, info.Name, a)
			}
		}
	}
}

// dotRow is a row of the table: its bound, the columns of its dot and of the rule, and the cells between.
type dotRow struct {
	bound     accounting.Bound
	dot, rule int
	cells     []rune
}

func checkDots(t *testing.T, name string, a *App) {
	t.Helper()
	g := a.Pen.Glyphs
	signs := g.SliderKnob + g.Star + g.Right + g.Near
	var rows []dotRow
	lines := a.home.Pane(layout.Bounds).View(false)
	for _, l := range lines {
		cells := []rune(ansi.Strip(l))
		for _, b := range a.Result.Bounds {
			names := 13 // columns
			if g.ASCII {
				names += 2
			}
			lead := 2 + 2 + names + 10 + 2
			if !b.Finite() || len(cells) < lead ||
				strings.TrimSpace(string(cells[3:4+names])) != a.Pen.Spell(kit.MethodName(b)) {
				continue
			}
			r := dotRow{bound: b, dot: -1, rule: -1, cells: cells}
			end := len(cells) - 4 - len(g.OverMark)
			for i := lead; i < end; i++ {
				if cells[i] == ' ' {
					break
				}
				if strings.ContainsRune(signs, cells[i]) && r.dot < 0 {
					r.dot = i
				}
				if cells[i] == g.RuleV {
					r.rule = i
				}
			}
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 && a.home.Lay.Slots[layout.Bounds].Visible() && a.Result.BestBound().Finite() {
		t.Fatalf("%s: no dots:\n%s", name, ansi.Strip(strings.Join(lines, "\n")))
	}
	checkRows(t, name+"\n"+ansi.Strip(strings.Join(lines, "\n")), a, rows)
}

func checkRows(t *testing.T, about string, a *App, rows []dotRow) {
	t.Helper()
	slices.SortFunc(rows, func(x, y dotRow) int { return cmp.Compare(x.bound.Epsilon, y.bound.Epsilon) })
	budget, best := a.Result.Target.Epsilon, -1
	for i, r := range rows {
		if r.bound.Method == a.Result.BestBound().Method {
			best = i
		}
		switch {
		case r.dot < 0:
			t.Fatalf("%s has no dot: %s", r.bound.Method, about)
		case r.rule != rows[0].rule:
			t.Fatalf("the rule of %s is in column %d, of %s in %d: %s", r.bound.Method, r.rule, rows[0].bound.Method, rows[0].rule, about)
		case i > 0 && r.dot < rows[i-1].dot:
			t.Fatalf("%s (%g) is left of %s (%g): %s", r.bound.Method, r.bound.Epsilon, rows[i-1].bound.Method, rows[i-1].bound.Epsilon, about)
		case r.rule >= 0 && (r.dot > r.rule) != (r.bound.Epsilon > accounting.BudgetLimit(budget)):
			t.Fatalf("%s (%g) and the budget of %g: %s", r.bound.Method, r.bound.Epsilon, budget, about)
		}
	}
	if best < 0 || a.Result.BestBound().Epsilon <= 0 {
		return
	}
	for _, r := range rows {
		for i := rows[best].dot; i < r.dot; i++ {
			if c := string(r.cells[i]); i != r.rule && c != a.Pen.Glyphs.SliderRest {
				t.Fatalf("the stem of %s is broken in column %d: %s", r.bound.Method, i, about)
			}
		}
	}
}
