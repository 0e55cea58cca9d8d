package tui

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/home"
	"epsiloscope/tui/store"
)

// script does a user's task with the real accountants and counts the keys.
type script struct {
	t    *testing.T
	a    *App
	keys int
}

// newScript opens a bundled scenario, with charts that need no accountant.
func newScript(t *testing.T, bundled string) *script {
	t.Helper()
	return newChartScript(t, bundled, fakeCharts())
}

// newChartScript is for tasks that end at a chart.
func newChartScript(t *testing.T, bundled string, charts []home.ChartKind) *script {
	t.Helper()
	gauge.Sequential(t)
	s := scenarios.New()
	if bundled != "" {
		var err error
		if s, err = scenarios.LoadBundled(bundled); err != nil {
			t.Fatal(err)
		}
	}
	return &script{t: t, a: start(t, 120, 36, setup{scenario: s, accountant: accountants(), charts: charts})}
}

func (s *script) press(keys ...string) *script {
	press(s.a, keys...)
	s.keys += len(keys)
	return s
}

func (s *script) typing(text string) *script {
	s.keys += typed(s.a, text)
	return s
}

// within holds the task to the keystrokes it may take.
func (s *script) within(limit int) *script {
	s.t.Helper()
	if s.keys > limit {
		s.t.Errorf("took %d keys, %d allowed", s.keys, limit)
	}
	return s
}

// sees fails unless every text stands on the screen.
func (s *script) sees(texts ...string) *script {
	s.t.Helper()
	view := strings.Join(strings.Fields(ansi.Strip(s.a.View())), " ")
	for _, want := range texts {
		if !strings.Contains(view, want) {
			s.t.Errorf("%q is not on the screen:\n%s", want, ansi.Strip(s.a.View()))
		}
	}
	return s
}

// reads fails unless every text stands on the screen, perhaps after scrolling.
func (s *script) reads(texts ...string) *script {
	s.t.Helper()
	s.a.View() // writes what has arrived
	all := strings.Join(strings.Fields(s.a.subject().Text), " ")
	for _, want := range texts {
		if !strings.Contains(all, want) {
			s.t.Errorf("%q is not in the text of the screen:\n%s", want, all)
		}
	}
	return s
}

// Persona A, a student.

func TestTaskA1IsTheHairBoundTight(t *testing.T) {
	// #1: others at 400 each lose with probability 0.019813; the theorem says 0.026952.
	newChartScript(t, "", rememberedCharts()).press("open").typing("hair").press("enter", "chart.5").within(7).
		sees("dark", "brown", "0.9802", "0.01981", "0.02696")
}

func TestTaskA2MoveEpsilonTo012(t *testing.T) {
	s := newChartScript(t, "hair-colour", rememberedCharts()).press("chart.5").sees("0.02696") // where A1 ended
	s.keys = 0
	s.press("knob.up", "knob.up").within(2)
	row, _ := s.a.Doc.SelectedRow()
	if got := row.Entry.Values["epsilon"].Number; got != 0.12 {
		t.Errorf("ε = %v after two steps from 0.1", got)
	}
	s.sees("0.007381 exactly, at most 0.009916 by the theorem") // it has crossed 1 %
}

func TestTaskA3Bob(t *testing.T) {
	newScript(t, "").press("open").typing("bob").press("enter", "screen.why").within(7).
		reads("1/10000", "1/812.4", "1/715.9", "1/800", "ε = 1.016", "over the budget of 1")
}

func TestTaskA4WhenDoesAdvancedWin(t *testing.T) {
	s := newChartScript(t, "adv-vs-basic-small", rememberedCharts())
	s.a.Doc.Change("δ", func(s *scenarios.Scenario) { s.Budget.Delta = 1e-5 })
	s.press("chart.1", "knob.next", "knob.ten-times").within(3).sees("×100")
	chart, _, _ := s.a.home.NewestChart()
	if notes := strings.Join(chart.Notes, " "); !strings.Contains(notes, "advanced beats basic from K = 29 on") {
		t.Errorf("the chart does not say when advanced wins: %s", notes)
	}
	never := newChartScript(t, "eps-one-never", rememberedCharts()).press("chart.1")
	chart, _, _ = never.a.home.NewestChart()
	if notes := strings.Join(chart.Notes, " "); strings.Contains(notes, "advanced beats basic from") {
		t.Errorf("for ε = 1 advanced never wins, but: %s", notes)
	}
}

func TestTaskA5WhyDeltaPrimeCannotBeZero(t *testing.T) {
	newScript(t, "adv-vs-basic-large").press("knob.delta", "screen.why").within(2).sees("Why these bounds differ", "Every row is a theorem about the same stack").
		press("tab", "tab").within(4).sees("advanced", "Why can δ′ not be 0", "basic composition")
}

func TestTaskA6MissingSquare(t *testing.T) {
	s := newScript(t, "").press("open").typing("gz").press("enter")
	if got := s.a.Doc.Bundle; got != "gaussian-zcdp" {
		t.Fatalf("gz opened %q", got)
	}
	before, _ := s.a.Result.Bound("zcdp")
	s.press("knob.next", "knob.next", "knob.up", "screen.why").within(8).reads("squared")
	row, _ := s.a.Doc.SelectedRow()
	if got := row.Entry.Values["sensitivity"].Number; got != 2 {
		t.Fatalf("Δ = %v, want 2", got)
	}
	after, _ := s.a.Result.Bound("zcdp")
	if r := input(after.Inputs, "ρ") / input(before.Inputs, "ρ"); r < 3.999 || r > 4.001 {
		t.Errorf("ρ grew %v-fold as Δ doubled; inputs %v", r, after.Inputs)
	}
}

func TestTaskA7CompareOrders(t *testing.T) {
	s := newChartScript(t, "adv-vs-basic-large", rememberedCharts()).press("chart.2").within(2)
	s.sees("ε(α)", "best α")
}

// Persona B, a data steward.

func TestTaskB1Target(t *testing.T) {
	s := newScript(t, "").press("target.edit", "1", "tab").typing("1e-6").press("tab", " ", "enter").within(10)
	sc := s.a.Doc.Scenario()
	if sc.Budget.Epsilon != 1 || sc.Budget.Delta != 1e-6 || sc.Adjacency != mechanisms.Replace {
		t.Errorf("target %+v, %s", sc.Budget, sc.Adjacency)
	}
	s.sees("replace one record", "What it costs at δ = 1e-6")
}

func TestTaskB2AddAHundredCounts(t *testing.T) {
	s := newScript(t, "").press("target.edit", "1", "tab").typing("1e-6").press("enter")
	s.keys = 0
	s.press("stack.add").typing("c100").press("enter").within(6)
	row, ok := s.a.Doc.SelectedRow()
	if !ok || row.Entry.Mechanism != "laplace" || row.Entry.Count != 100 {
		t.Fatalf("added %+v", row.Entry)
	}
	// The noise is solved for, so the stack fits, and not by much.
	best := s.a.Result.Bounds[s.a.Result.Best]
	if best.Epsilon > 1 || best.Epsilon < 0.99 {
		t.Errorf("the hundred counts cost %v of a budget of 1", best.Epsilon)
	}
	s.sees("fits the budget of 1", "at 95 %")
}

func TestTaskB3HowManyMore(t *testing.T) {
	s := newScript(t, "adv-vs-basic-small")
	s.press("target.edit", "3", "enter")
	s.keys = 0
	s.within(0).sees("more fit")
	// 30 and 46 in all, of which 10 are spent.
	for m, want := range map[accounting.Method]float64{accounting.Basic: 20, accounting.Optimal: 36} {
		if n, _, ok := s.a.home.LeftOf(m); !ok || n != want {
			t.Errorf("queries left at ε₀ = 0.1 in a budget of 3 with 10 spent, by %s: %v", m, n)
		}
	}
}

func TestTaskB4PartitionByRegion(t *testing.T) {
	s := newScript(t, "")
	for range 2 {
		s.press("stack.add").typing("laplace").press("enter")
	}
	s.press("up")
	before := s.a.Result.Bounds[0].Epsilon
	s.keys = 0
	s.press(" ", " ", "stack.group").within(3).sees("Parallel", "2 branches")
	if after := s.a.Result.Bounds[0].Epsilon; after != before/2 {
		t.Errorf("two equal branches cost %v, one after the other %v", after, before)
	}
}

func TestTaskB5LockTwoAndGiveTheRestAway(t *testing.T) {
	s := newScript(t, welcome).press("screen.plan", "tab").sees("95 % errors equal in multiples of")
	s.keys = 0
	before := s.a.Doc.Scenario()
	s.press(" ", " ", "enter").within(3).sees("ε = 3.000", "locked")
	after := s.a.Doc.Scenario()
	for i := range 2 {
		if !after.Stack[i].Equal(before.Stack[i]) {
			t.Errorf("entry %d was locked, but changed", i+1)
		}
	}
	if after.Stack[2].Values["epsilon"].Number <= before.Stack[2].Values["epsilon"].Number {
		t.Error("what was left of the budget did not go to the third entry")
	}
}

func TestTaskB8NextYear(t *testing.T) {
	folder := t.TempDir()
	st := store.Open(store.Locate(func(k string) string {
		return map[string]string{"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}[k]
	}))
	for i, epsilon := range []float64{1, 2} { // last year's and the one before
		year := scenarios.New()
		year.Name, year.Unit = "Counts", "visitor-month"
		year.Budget = scenarios.Budget{Epsilon: 4, Delta: 1e-6}
		values := param.Values{"epsilon": param.NumberValue(epsilon)}
		year.Stack = []scenarios.Entry{{Mechanism: "laplace", Count: 1, Sampling: 1, Values: values}}
		path := filepath.Join(folder, []string{"2024.yaml", "2025.yaml"}[i])
		if err := year.Save(path); err != nil {
			t.Fatal(err)
		}
		if err := st.Remember(path); err != nil {
			t.Fatal(err)
		}
	}
	s := &script{t: t, a: start(t, 120, 36, setup{
		scenario: scenarios.New(), accountant: accountants(), charts: fakeCharts(), store: st,
	})}
	// The newest file is the first of the list; once it is open, the one before it is.
	s.press("open", "enter", "screen.versus", "versus.choose", "enter").within(5).
		sees("Compared with 2024.yaml", "ε = 1.000 → 2.000")
}

func input(list []accounting.Quantity, symbol string) float64 {
	for _, q := range list {
		if q.Symbol == symbol {
			return q.Value
		}
	}
	return 0
}

// Under replace the meaning of Δ is asked first and the noise fitted after: what was fitted with Δ = 1 is over with Δ =
// 2. Keys that are typed on when the question comes up are no answer to it.
func TestAddingUnderReplaceAsksBeforeItFits(t *testing.T) {
	for keys, want := range map[string]float64{"down": 2, "down down": 1} {
		s := newScript(t, "").press("target.edit", "1", "tab").typing("1e-6").press("tab", " ", "enter")
		s.press("stack.add").typing("c100").press("enter").sees("What does Δ mean under replace?")
		s.press("1", "2", "enter", "knob.up").sees("What does Δ mean under replace?")
		if n := len(s.a.Doc.Rows()); n != 0 {
			t.Fatalf("%d entries before the answer", n)
		}
		s.press(strings.Fields(keys)...).press("enter").sees("fits the budget of 1")
		row, ok := s.a.Doc.SelectedRow()
		if !ok || row.Entry.Values["sensitivity"].Number != want || row.Entry.Count != 100 {
			t.Fatalf("%s added %+v", keys, row.Entry)
		}
		if best := s.a.Result.Bounds[s.a.Result.Best]; s.a.Status.Bad || best.Epsilon > 1 || best.Epsilon < 0.99 {
			t.Errorf("Δ = %v: it costs %v of a budget of 1: %q", want, best.Epsilon, s.a.Status.Text)
		}
		if s.press("undo", "undo"); len(s.a.Doc.Rows()) != 0 {
			t.Errorf("undo leaves %d entries", len(s.a.Doc.Rows()))
		}
	}
}
