package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/layout"
)

// Every figure of the table is the one that compare prints for the same scenario:
// the explorer computes nothing of its own.
func TestFiguresAreThoseOfCompare(t *testing.T) {
	for _, name := range []string{"welcome", "bob-10000", "gaussian-zcdp", "hair-colour", "coin-survey", "regions-in-parallel"} {
		t.Run(name, func(t *testing.T) {
			s, err := scenarios.LoadBundled(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := start(t, 200, 55, setup{scenario: s, accountant: scenarios.NewEvaluator()})
			compareScreen(t, a, want)
			press(a, "+") // and after a change
			changed, err := scenarios.Evaluate(context.Background(), a.doc.Scenario(), scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareScreen(t, a, changed)
		})
	}
}

func compareScreen(t *testing.T, a *App, want *scenarios.Result) {
	t.Helper()
	rows := map[string]string{}
	for _, l := range a.panes[layout.Bounds].View(false) {
		cells := []rune(ansi.Strip(l)) // border, space, marker 2, then 13 cells of name
		name, rest := strings.TrimSpace(string(cells[4:17])), string(cells[17:])
		for _, b := range want.Bounds {
			if name == methodName(b) {
				rows[string(b.Method)] = rest
			}
		}
	}
	for i, b := range want.Bounds {
		row := rows[string(b.Method)]
		switch {
		case row == "":
			t.Errorf("no row for %s", b.Method)
		case b.Finite() && !strings.Contains(row, " "+report.Upper(b.Epsilon)+" "):
			t.Errorf("%s is %s, but the row says %q", b.Method, report.Upper(b.Epsilon), row)
		case !b.Finite() && !strings.Contains(row, "n/a") && !strings.Contains(row, "∞"):
			t.Errorf("%s has no figure, but the row says %q", b.Method, row)
		}
		if i == want.Best && !strings.Contains(ansi.Strip(a.View()), "★ "+methodName(b)) {
			t.Errorf("%s is best and has no star", b.Method)
		}
	}
	if b := want.Bounds[want.Best]; b.Method == accounting.Numerical && b.Lower > 0 &&
		!strings.Contains(ansi.Strip(a.View()), report.Lower(b.Lower)+" – "+report.Upper(b.Epsilon)) {
		t.Errorf("the certified interval is not on the screen")
	}
}
