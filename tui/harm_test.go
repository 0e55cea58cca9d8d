package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
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

// A budget in terms of harm is the answer of home: one Gaussian release with Δ/σ = 0.1 has the advantage 2Φ(0.05) − 1 =
// 0.0399, whatever its ε is.
func TestHomeShowsTheHarmThatIsLimited(t *testing.T) {
	for budget, want := range map[string][2]string{
		"advantage: 0.2":       {"membership advantage, at most", "✓ fits the budget of 0.2"},
		"advantage: 0.03":      {"membership advantage, at most", "over the budget of 0.03"},
		"tpr: 0.05, fpr: 0.01": {"TPR at FPR 0.01, at most", "✓ fits the budget of 0.05"},
	} {
		a := start(t, 120, 36, setup{scenario: harmScenario(t, budget), accountant: accountants()})
		view := ansi.Strip(a.View())
		if !strings.Contains(view, want[0]) || !strings.Contains(view, want[1]) || strings.Contains(view, "no budget set") {
			t.Errorf("%s: %q is missing:\n%s", budget, want, view)
		}
	}
}

// Attacker: a steward who changes δ in the target dialog, and loses the limit that the dialog does not show.
func TestTargetKeepsTheHarmThatIsLimited(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: harmScenario(t, "tpr: 0.05, fpr: 0.01"), accountant: accountants()})
	before := a.Doc.Scenario().Budget.Harm
	fill(a, map[string]string{fieldDelta: "1e-7"})
	if b := a.Doc.Scenario().Budget; b.Harm != before || b.Delta != 1e-7 {
		t.Errorf("the budget is %+v", b)
	}
	chooseHarm(a, "membership advantage")
	fillOpen(a, map[string]string{fieldAdvantage: "0.1"})
	if b := a.Doc.Scenario().Budget; b.Harm != (scenarios.HarmLimit{Advantage: 0.1}) {
		t.Errorf("one harm in the place of another: %+v", b)
	}
	press(a, "target.edit")
	typed(a, "2") // ε
	if !onScreen(a, "The limit on the membership advantage is taken out") {
		t.Errorf("it does not say that the harm goes:\n%s", ansi.Strip(a.View()))
	}
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Epsilon != 2 || b.Harm != (scenarios.HarmLimit{}) {
		t.Errorf("ε in the place of a harm: %+v\n%s", b, ansi.Strip(a.View()))
	}
	chooseHarm(a, "reconstruction")
	if !onScreen(a, "ε = 2 is taken out") {
		t.Errorf("it does not say that ε goes:\n%s", ansi.Strip(a.View()))
	}
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Epsilon != 2 || !onScreen(a, "give the largest reconstruction") {
		t.Errorf("a budget without a number was taken: %+v", b)
	}
}

// chooseHarm opens the target and chooses the harm that the budget limits.
func chooseHarm(a *App, words string) {
	press(a, "target.edit")
	for range 30 {
		if onScreen(a, fieldHarm) {
			break
		}
		press(a, "down")
	}
	for range 5 {
		if onScreen(a, "← "+words+" →") {
			return
		}
		press(a, "right")
	}
}

// fill opens the target and types values into the fields with these helps; "" empties one.
func fill(a *App, values map[string]string) {
	press(a, "target.edit")
	fillOpen(a, values)
}

// fillOpen does so in the target that is open.
func fillOpen(a *App, values map[string]string) {
	for range 30 { // more than it has fields
		for help, text := range values {
			if onScreen(a, help) {
				press(a, "ctrl+u")
				typed(a, text)
			}
		}
		press(a, "down")
	}
	press(a, "enter")
}

// How the helps of fields of a target begin.
const (
	fieldHarm           = "a harm to stay within instead of ε"
	fieldBudget         = "the total ε to stay within"
	fieldDelta          = "the total δ every theorem may use"
	fieldAdvantage      = "instead of ε: the largest membership advantage"
	fieldTPR            = "instead of ε: the largest share of members"
	fieldFPR            = "the share of others accused at which"
	fieldReconstruction = "instead of ε: the largest success of guessing"
	fieldPrior          = "the success of the best guess"
)

// Every harm can be set in the target dialog, and a rate without its level is refused.
func TestTargetTakesEveryHarm(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: harmScenario(t, "epsilon: 1"), accountant: accountants()})
	chooseHarm(a, "true-positive rate")
	fillOpen(a, map[string]string{fieldTPR: "0.05"})
	if !onScreen(a, "give the false-positive rate too") || a.Doc.Scenario().Budget.Epsilon != 1 {
		t.Errorf("a TPR without an FPR was taken: %+v\n%s", a.Doc.Scenario().Budget, ansi.Strip(a.View()))
	}
	if press(a, "up"); !onScreen(a, "true-positive rate") || !onScreen(a, "false-positive rate") {
		t.Errorf("the rates have no names:\n%s", ansi.Strip(a.View()))
	}
	press(a, "esc")
	for _, c := range []struct {
		harm   string
		values map[string]string
		want   scenarios.HarmLimit
		shows  string
	}{
		{"true-positive rate", map[string]string{fieldTPR: "0.05", fieldFPR: "0.01"}, scenarios.HarmLimit{TPR: 0.05, FPR: 0.01}, "TPR at FPR 0.01, at most"},
		{"reconstruction", map[string]string{fieldReconstruction: "0.3", fieldPrior: "0.1"}, scenarios.HarmLimit{Reconstruction: 0.3, Prior: 0.1}, "reconstruction from prior 0.1"},
		{"membership advantage", map[string]string{fieldAdvantage: "0.2"}, scenarios.HarmLimit{Advantage: 0.2}, "membership advantage, at most"},
	} {
		chooseHarm(a, c.harm)
		fillOpen(a, c.values)
		if b := a.Doc.Scenario().Budget; b.Harm != c.want || b.Epsilon != 0 || !onScreen(a, c.shows) {
			t.Errorf("the budget is %+v, want %+v:\n%s", b, c.want, ansi.Strip(a.View()))
		}
	}
}

// The budget knob turns the harm that is limited, and never to where it means nothing.
func TestBudgetKnobTurnsTheHarm(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: harmScenario(t, "tpr: 0.02, fpr: 0.01"), accountant: accountants()})
	press(a, "knob.previous", "knob.type")
	typed(a, "0.04")
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Harm != (scenarios.HarmLimit{TPR: 0.04, FPR: 0.01}) || b.Epsilon != 0 {
		t.Errorf("the budget is %+v", b)
	}
	press(a, "knob.type")
	typed(a, "0.01")
	press(a, "enter")
	if b := a.Doc.Scenario().Budget; b.Harm.TPR != 0.04 {
		t.Errorf("a TPR no larger than its FPR was taken: %+v", b)
	}
}

// Rows of home say what harm each bound implies: a closed theorem through its own (ε, δ), the numerical one through its
// curve. One Gaussian release with Δ/σ = 0.1 has the advantage 2Φ(0.05) − 1 = 0.03988; its ε is 0.3969 at δ 10⁻⁶, which
// alone allows (e^ε − 1 + 2δ)/(e^ε + 1) = 0.1959.
func TestRowsSayWhatHarmABoundImplies(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		a := start(t, size[0], size[1], setup{scenario: harmScenario(t, "advantage: 0.1"), accountant: accountants()})
		rows := strings.Split(ansi.Strip(a.View()), "\n")
		for name, want := range map[string][]string{"basic": {"0.3969", "0.1959", "✗"}, "numerical": {"0.03988", "✓"}, "bound": {"advantage", "more fit"}} {
			found, whole := "", regexp.MustCompile(`[│┃][ ★▸]*`+name+`  `) // a label may contain another
			for _, row := range rows {
				if whole.MatchString(row) {
					found = row
				}
			}
			for _, w := range want {
				if !strings.Contains(found, w) {
					t.Errorf("%v, %s: %q is not in %q", size, name, w, found)
				}
			}
		}
	}
}

// The counts of an attack are entered in a form and held against the scenario: 199 of 200 guesses refute a claim of ε
// 2.255; 110 do not. Counts that cannot be are refused.
func TestAuditScreen(t *testing.T) {
	s := harmScenario(t, "epsilon: 1")
	s.Stack[0].Values["sigma"] = param.NumberValue(2) // a weaker guarantee is planned for in less time
	a := start(t, 120, 36, setup{scenario: s, accountant: accountants()})
	press(a, "screen.audit")
	for _, want := range []string{"proven, basic", "analysed mechanism", "To refute ε = 2.255 you need at least 31 guesses", "half the noise", "e enter counts"} {
		if !onScreen(a, want) && !onScreen(a, strings.ToUpper(want[:1])+want[1:]) {
			t.Errorf("%q is not on the screen:\n%s", want, ansi.Strip(a.View()))
		}
	}
	enter := func(counts ...string) {
		press(a, "audit.enter-counts")
		for _, n := range counts {
			press(a, "down", "ctrl+u")
			typed(a, n)
		}
		press(a, "enter")
	}
	enter("1000", "200", "201")
	if !onScreen(a, "more right guesses (201) than guesses (200)") {
		t.Errorf("the counts were taken:\n%s", ansi.Strip(a.View()))
	}
	press(a, "esc")
	enter("1000", "200", "199")
	for _, want := range []string{"The claim is refuted (p = ", "not what was analysed", "audit, 95 %", "proven, numerical", "no attack can show more than"} {
		if !onScreen(a, want) {
			t.Errorf("%q is not on the screen:\n%s", want, ansi.Strip(a.View()))
		}
	}
	enter("1000", "200", "110")
	if !onScreen(a, "The claim is not refuted; this says nothing about better attacks.") || onScreen(a, "confirmed") {
		t.Errorf("the verdict is missing:\n%s", ansi.Strip(a.View()))
	}
	if press(a, "audit.enter-counts"); !onScreen(a, "guesses") || onScreen(a, "false positives") {
		t.Errorf("the form of one run has other counts than those of one run:\n%s", ansi.Strip(a.View()))
	}
	if press(a, "right"); onScreen(a, "guesses") || !onScreen(a, "false positives") {
		t.Errorf("the form of independent runs has other counts than theirs:\n%s", ansi.Strip(a.View()))
	}
	for _, n := range []string{"500", "400", "500", "100"} {
		press(a, "down")
		typed(a, n)
	}
	if press(a, "enter"); !onScreen(a, "500 + 500 runs") || !onScreen(a, "The claim is refuted") {
		t.Errorf("400 of 500 against 100 of 500 do not refute ε = 2.255:\n%s", ansi.Strip(a.View()))
	}
}

// A steward who limits a harm plans for it: solves, applies, divides and prices entries by keys, and is told that harm.
// The quick form has the smaller screen, where texts are cut first, for each harm.
func TestPlanForAHarm(t *testing.T) {
	for budget, want := range map[string][4]string{
		"advantage: 0.3":                  {"Plan for membership advantage ≤ 0.3", "adv.", "membership advantage ≤ 0.3000 by ", "the whole membership advantage ≤ "},
		"tpr: 0.05, fpr: 0.01":            {"Plan for TPR at FPR 0.01 ≤ 0.05", "TPR", "TPR at FPR 0.01 ≤ 0.05000 by ", "the whole TPR at FPR 0.01 ≤ "},
		"reconstruction: 0.3, prior: 0.1": {"Plan for reconstruction from prior 0.1 ≤ 0.3", "success", "reconstruction from prior 0.1 ≤ 0.3000 by ", "the whole success ≤ |the whole reconstruction from prior 0.1 ≤ "},
	} {
		for _, size := range gauge.Some(2, [][2]int{{80, 24}, {120, 36}}) {
			a := start(t, size[0], size[1], setup{
				scenario: harmScenario(t, budget), accountant: accountants(), charts: rememberedCharts(),
			})
			press(a, "screen.plan")
			for _, text := range []string{want[0], want[1], "meets the budget", "theorem"} {
				if !onScreen(a, text) {
					t.Errorf("%s, %v: %q is not on the screen:\n%s", budget, size, text, ansi.Strip(a.View()))
				}
			}
			press(a, "tab")
			if !onScreen(a, want[2]) {
				t.Errorf("%s, %v: %q is not on the screen:\n%s", budget, size, want[2], ansi.Strip(a.View()))
			}
			press(a, "tab")
			seen := func(s string) bool { return onScreen(a, s) }
			if !slices.ContainsFunc(strings.Split(want[3], "|"), seen) || strings.Contains(ansi.Strip(a.View()), "…") {
				t.Errorf("%s, %v: %q is not on the screen:\n%s", budget, size, want[3], ansi.Strip(a.View()))
			}
			before := a.Doc.Scenario()
			press(a, "tab", "enter")
			if now := a.Doc.Scenario(); now == before {
				t.Errorf("%s, %v: the answer was not applied:\n%s", budget, size, ansi.Strip(a.View()))
			}
			r, err := scenarios.Evaluate(t.Context(), a.Doc.Scenario(), scenarios.Options{})
			if err != nil || r.Harm == nil || !r.Harm.Fits(r.Bounds) {
				t.Errorf("%s, %v: what was applied does not fit: %+v, %v", budget, size, r.Harm, err)
			}
		}
	}
}

// The key of the attack's chart shows its other views in turn.
func TestAttackChartsShareAKey(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: harmScenario(t, "tpr: 0.05, fpr: 0.01"), accountant: accountants()})
	for _, want := range []string{"Trade-off function", "TPR against FPR", "Right guesses against the prior", "Trade-off function"} {
		if press(a, "chart.6"); !onScreen(a, want) || !onScreen(a, "6 next view") {
			t.Errorf("%q is not on the screen:\n%s", want, ansi.Strip(a.View()))
		}
	}
	if press(a, "chart.1", "chart.6"); !onScreen(a, "Trade-off function") {
		t.Error("another chart and back does not start with the first view")
	}
}
