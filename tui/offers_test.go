package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/teach/exercises"
)

// unwrapped returns the screen without its borders, every gap a blank.
func unwrapped(a *App) string {
	isBlank := func(r rune) bool { return strings.ContainsRune(" \n│┃", r) }
	return strings.Join(strings.FieldsFunc(ansi.Strip(a.View()), isBlank), " ")
}

// The answer that an exercise tells once it was found is right, typed as it is written.
func TestExerciseAnswersKeepTheirWord(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "screen.exercises")
	for i, e := range exercises.Library() {
		answer, err := e.Answer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := answer.Text()
		press(a, "enter")
		typed(a, told)
		press(a, "enter")
		if want := told + " is right: " + told; !strings.Contains(unwrapped(a), want) {
			t.Errorf("question %d: %q is not on the screen:\n%s", i+1, want, ansi.Strip(a.View()))
		}
		press(a, "right")
	}
}

// Every change that the guided start offers where the budget is missed makes it met, typed
// into the question it is about.
func TestGuidedStartKeepsItsWord(t *testing.T) {
	offers := []struct {
		says string
		tabs int // from the number of people to the question
	}{
		{`an error of ±([0-9.]+) instead`, -2}, {`a budget of ε = ([0-9.]+) instead`, +1}, {`([0-9.]+) releases instead`, -3},
	}
	// 52 tables at ±20 cost about 4 of 1.
	for _, wish := range [][]string{{"52", "20"}, {"300", "50"}} {
		built := func() *script {
			return newScript(t, "").press("new", "tab").numbers(wish[0], wish[1], "", "50000")
		}
		view, made := unwrapped(built().sees("Over the budget. Any one of these would fit:").a), 0
		for _, o := range offers {
			found := regexp.MustCompile(o.says).FindStringSubmatch(view)
			if found == nil {
				continue
			}
			made++
			s := built()
			for range max(o.tabs, -o.tabs) {
				s.press(map[bool]string{true: "tab", false: "shift+tab"}[o.tabs > 0])
			}
			s.numbers(found[1])
			if now := unwrapped(s.a); strings.Contains(now, "Over the budget") || !strings.Contains(now, "✓") {
				t.Errorf("%v: %q does not keep its word:\n%s", wish, found[0], ansi.Strip(s.a.View()))
			}
		}
		if made < 2 {
			t.Errorf("%v: %d offers:\n%s", wish, made, view)
		}
	}
}

// The budget that Plan names where the one set cannot be met, and the factor on the noise,
// typed as they are written, are enough.
func TestTypedWaysOutKeepTheirWord(t *testing.T) {
	s := newScript(t, "welcome").press("target.edit").typing("1").press("enter", "screen.plan")
	found := regexp.MustCompile(`([0-9.]+) times the noise in every entry a budget of ε = ([0-9.]+) instead of 1`).FindStringSubmatch(unwrapped(s.a))
	if found == nil {
		t.Fatalf("no offers:\n%s", ansi.Strip(s.a.View()))
	}
	fits := func(what string) {
		if r := s.a.Full; !report.Fits(r.Bounds[r.Best], s.a.Doc.Scenario().Budget.Epsilon) {
			t.Errorf("%s: ε = %v of %v", what, r.Bounds[r.Best].Epsilon, s.a.Doc.Scenario().Budget.Epsilon)
		}
	}
	s.press("0", "target.edit").typing(found[2]).press("enter")
	fits("a budget of " + found[2])
	s.press("undo", "home")
	for _, e := range s.a.Doc.Scenario().Stack {
		field, value := "epsilon", e.Values["epsilon"].Number/number(t, found[1])
		if v, ok := e.Values["sigma"]; ok {
			field, value = "sigma", v.Number*number(t, found[1])
		}
		setTo(t, s.a, field, numeral.Format(value))
		s.press("down")
	}
	fits(found[1] + " times the noise")
}

// Enter while the plan is still computed: it says that it waits, and opens the plan when that
// is there; whoever goes on takes it back.
func TestEnterWaitsForThePlan(t *testing.T) {
	for _, back := range []bool{false, true} {
		s := newScript(t, "").press("new", "tab", "tab", "tab", "tab")
		before := s.a.Doc
		_, computing := s.a.Update(stand.Key("5"))
		s.sees("computing …", "enter accept")
		s.a.Update(stand.Key("enter"))
		s.sees("It will be accepted when it is ready")
		if back {
			s.a.Update(stand.Key("tab"))
		}
		drain(s.a, computing)
		if opened := s.a.Doc != before; opened == back {
			t.Errorf("taken back %t, opened %t:\n%s", back, opened, ansi.Strip(s.a.View()))
		}
	}
}

// As many copies as a ledger says still fit do, and one more does not; so does the part of a
// request that is refused.
func TestLedgerOffersKeepTheirWord(t *testing.T) {
	granted := func(stack string) bool {
		set := mobility()
		s, err := scenarios.Parse("trips", fmt.Appendf(nil, "version: 1\nunit: person-day\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n  - %s\n", stack))
		if err != nil {
			t.Fatal(err)
		}
		set.scenario = s
		a := welcomed(t, 120, 36, set)
		press(a, "ledger.ask")
		view := unwrapped(a)
		if fits := strings.Contains(view, "It fits"); fits != strings.Contains(view, "It does not fit") {
			return fits
		}
		t.Fatalf("no answer:\n%s", ansi.Strip(a.View()))
		return false
	}
	fits := regexp.MustCompile(`([0-9]+) more (?:([0-9]+) × )?(Gaussian|Laplace) \((σ|ε) ([0-9.]+), Δ[₁₂] ([0-9.]+)\)`)
	offers := fits.FindAllStringSubmatch(unwrapped(welcomed(t, 120, 36, mobility())), -1)
	if len(offers) != 3 {
		t.Fatalf("%d offers", len(offers))
	}
	names := map[string]string{"σ": "sigma", "ε": "epsilon"}
	for _, o := range offers {
		for more := range 2 {
			copies, each := number(t, o[1])+float64(more), 1.0
			if o[2] != "" {
				each = number(t, o[2])
			}
			stack := fmt.Sprintf("{mechanism: %s, %s: %s, sensitivity: %s, count: %g}", strings.ToLower(o[3]), names[o[4]], o[5], o[6], copies*each)
			if granted(stack) != (more == 0) {
				t.Errorf("%s: %d beyond that: granted %t", o[0], more, more > 0)
			}
		}
	}
	a := welcomed(t, 120, 36, mobility())
	press(a, "ledger.ask")
	part := regexp.MustCompile(`The largest that fits: ([0-9]+) of its 12 releases`).FindStringSubmatch(unwrapped(a))
	if part == nil {
		t.Fatalf("no part is offered:\n%s", ansi.Strip(a.View()))
	}
	for more := range 2 {
		if n := number(t, part[1]) + float64(more); granted(fmt.Sprintf("{mechanism: gaussian, sigma: 4, count: %g}", n)) != (more == 0) {
			t.Errorf("%g releases, %s are offered: granted %t", n, part[1], more > 0)
		}
	}
}

// What Plan says an entry alone costs, one more adds and dropping it saves is what comes of it.
func TestMarginsKeepTheirWord(t *testing.T) {
	s := newScript(t, "welcome").press("screen.plan", "shift+tab")
	rows := regexp.MustCompile(`[0-9]+ +([0-9.]+) +([0-9.]+) +([0-9.]+) +[┃│]`).FindAllStringSubmatch(ansi.Strip(s.a.View()), -1)
	of := s.a.Doc.Scenario()
	if len(rows) != len(of.Stack) {
		t.Fatalf("%d rows:\n%s", len(rows), ansi.Strip(s.a.View()))
	}
	cost := func(change func(*scenarios.Scenario)) float64 {
		c := of.Clone()
		change(c)
		r, err := scenarios.Evaluate(t.Context(), c, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Bounds[r.Best].Epsilon
	}
	whole := cost(func(*scenarios.Scenario) {})
	for i, row := range rows {
		for k, now := range []float64{
			cost(func(c *scenarios.Scenario) { c.Stack = c.Stack[i : i+1] }),
			whole - cost(func(c *scenarios.Scenario) { c.Stack[i].Disabled = true }),
			cost(func(c *scenarios.Scenario) { c.Stack[i].Count++ }) - whole,
		} {
			// Every ε is the upper end of an interval a thousandth wide.
			if said := number(t, row[k+1]); now > said+1e-3*whole || now < said-1e-3*whole {
				t.Errorf("entry %d: the screen says %v, it comes to %v", i+1, said, now)
			}
		}
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := numeral.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
