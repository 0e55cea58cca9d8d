package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
)

func harmScenario(t *testing.T, budget string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("", []byte("version: 1\nbudget: {"+budget+", delta: 1e-6}\nstack:\n  - {mechanism: gaussian, sigma: 10}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A budget in terms of harm is the answer of home: one Gaussian release with Δ/σ = 0.1 has the advantage 2Φ(0.05) − 1 = 0.0399, whatever
// its ε is.
func TestHomeShowsTheHarmThatIsLimited(t *testing.T) {
	for budget, want := range map[string][2]string{
		"advantage: 0.2":       {"membership advantage, at most", "✓ fits the budget of 0.2"},
		"advantage: 0.03":      {"membership advantage, at most", "over the budget of 0.03"},
		"tpr: 0.05, fpr: 0.01": {"TPR at FPR 0.01, at most", "✓ fits the budget of 0.05"},
	} {
		a := start(t, 120, 36, setup{scenario: harmScenario(t, budget), accountant: accountants()})
		if view := ansi.Strip(a.View()); !strings.Contains(view, want[0]) || !strings.Contains(view, want[1]) || strings.Contains(view, "no budget set") {
			t.Errorf("%s: %q is missing:\n%s", budget, want, view)
		}
	}
}

// Attacker: a steward who changes δ in the target dialog, and loses the limit that the dialog does not show.
func TestTargetKeepsTheHarmThatIsLimited(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: harmScenario(t, "tpr: 0.05, fpr: 0.01"), accountant: accountants()})
	before := a.Doc.Scenario().Budget.Harm
	press(a, "t", "down", "ctrl+u")
	typed(a, "1e-7")
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Harm != before || b.Delta != 1e-7 {
		t.Errorf("the budget is %+v", b)
	}
	press(a, "t", "down", "down", "down", "down", "down", "down", "down", "ctrl+u")
	typed(a, "0.1")
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Harm != (scenarios.HarmLimit{Advantage: 0.1}) || b.Epsilon != 0 {
		t.Errorf("the budget is %+v", b)
	}
	press(a, "t", "ctrl+u")
	typed(a, "2")
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Epsilon != 0 || !onScreen(a, "not as both") {
		t.Errorf("two budgets were taken: %+v\n%s", b, ansi.Strip(a.View()))
	}
}
