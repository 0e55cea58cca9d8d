package tui

import (
	"context"
	"math"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
)

func click(a *App, x, y int, b tea.MouseButton) {
	send(a, tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
}

// The line of tabs takes clicks where the chart shares its place with the bounds.
func TestMouseOnTabs(t *testing.T) {
	a := start(t, 78, 24, setup{})
	line := []rune(strings.Split(ansi.Strip(a.View()), "\n")[a.home.Lay.Tabs.Y])
	for x, r := range line {
		if r < '1' || r > '9' {
			continue
		}
		for _, x := range []int{x, x + 2} { // the digit, the first letter of the name
			press(a, "chart.none")
			click(a, x, a.home.Lay.Tabs.Y, tea.MouseButtonLeft)
			if a.home.CurrentChart().Key != string(r) || !a.home.Lay.Slots[layout.Chart].Visible() {
				t.Errorf("a click at %d shows %s instead of %c", x, a.home.CurrentChart().Key, r)
			}
		}
	}
	click(a, 1, a.home.Lay.Tabs.Y, tea.MouseButtonLeft)
	if a.home.Lay.Slots[layout.Chart].Visible() {
		t.Error("the first does not bring the bounds back")
	}
}

func TestMouse(t *testing.T) {
	a := start(t, 120, 36, setup{})
	r := a.home.Lay.Slots[layout.Stack]
	press(a, "undo")
	for _, row := range []int{4, 2} { // a message goes with clicks, as with keys
		click(a, r.X+5, r.Y+row, tea.MouseButtonLeft)
	}
	if onScreen(a, "nothing to undo") {
		t.Error("a message stays for whoever uses the mouse alone")
	}
	click(a, r.X+5, r.Y+3, tea.MouseButtonLeft)
	if a.Doc.Cursor() != 1 || a.home.FocusedPane() != a.home.Pane(layout.Stack) {
		t.Errorf("a click on the second entry selects %d", a.Doc.Cursor())
	}
	k := a.home.Lay.Slots[layout.Knobs]
	before := a.Doc.Scenario().Stack[1].Values["sigma"].Number
	click(a, k.X+5, k.Y+1, tea.MouseButtonWheelUp)
	if got := a.Doc.Scenario().Stack[1].Values["sigma"].Number; got <= before {
		t.Errorf("the wheel over σ gave %v", got)
	}
	c := a.home.Lay.Slots[layout.Chart]
	a.View() // a plot knows its axes once it was drawn
	click(a, c.X+40, c.Y+5, tea.MouseButtonLeft)
	at := a.View()
	click(a, c.X+60, c.Y+5, tea.MouseButtonLeft)
	if a.View() == at || a.home.FocusedPane() != a.home.Pane(layout.Chart) {
		t.Error("a click in the chart sets no crosshair")
	}
	for x := range 120 { // no cell of the upper edge does harm; the tabs are there
		click(a, x, c.Y, tea.MouseButtonLeft)
		exact(t, a, "clicking tabs")
	}
	if a.home.CurrentChart().Key == "1" {
		t.Error("clicking every tab shows the first")
	}
	press(a, "mouse")
	cursor := a.Doc.Cursor()
	click(a, r.X+5, r.Y+2, tea.MouseButtonLeft)
	if a.Doc.Cursor() != cursor {
		t.Error("the mouse works although it is off")
	}
}

// "Queries left" is searched for; here it is looked up: with that many more of the
// entry the stack fits its budget by what compare prints, with one more it does not.
// The numerical bound counts by the upper end of its interval.
func TestQueriesLeftAreTheLastThatFit(t *testing.T) {
	account := accountants()
	for _, c := range []struct {
		open  string
		entry int
	}{{welcome, 1}, {welcome, 2}, {welcome, 3}, {"adv-vs-basic-large", 1}, {"gaussian-zcdp", 1}} {
		s, err := scenarios.LoadBundled(c.open)
		if err != nil {
			t.Fatal(err)
		}
		a := start(t, 120, 36, setup{scenario: s, accountant: account, charts: rememberedCharts()})
		for range c.entry - 1 {
			press(a, "down")
		}
		counted := 0
		for _, now := range a.Result.Bounds {
			m := now.Method
			left, stale, ok := a.home.LeftOf(m)
			if !ok || stale || left == 0 || math.IsInf(left, 1) {
				continue // over already, or without end: there is no last one
			}
			counted++
			with := func(more float64) accounting.Bound {
				then := s.Clone()
				then.Stack[c.entry-1].Count += more
				r, err := account.Evaluate(context.Background(), then, scenarios.Options{})
				if err != nil {
					t.Fatal(err)
				}
				b, _ := r.Bound(m)
				return b
			}
			if b := with(left); !report.Fits(b, s.Budget.Epsilon) {
				t.Errorf("%s, entry %d, %s: %v more are said to fit, but cost %v of %v", c.open, c.entry, m, left, b.Epsilon, s.Budget.Epsilon)
			}
			if b := with(left + 1); report.Fits(b, s.Budget.Epsilon) {
				t.Errorf("%s, entry %d, %s: %v more would fit, too: they cost %v of %v", c.open, c.entry, m, left+1, b.Epsilon, s.Budget.Epsilon)
			}
		}
		if n, _, ok := a.home.LeftOf(accounting.Numerical); !ok || counted < 3 || n == 0 {
			t.Errorf("%s, entry %d: only %d counts were looked at, the numerical one is %v", c.open, c.entry, counted, n)
		}
	}
}

// The labels of the scenario a newcomer meets stand whole at every usual size.
func TestStackShowsLabelsWhole(t *testing.T) {
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		view := ansi.Strip(start(t, size[0], size[1], setup{scenario: s}).View())
		for _, e := range s.Stack {
			if !strings.Contains(view, " "+e.Label+" ") {
				t.Errorf("%d×%d: %q is cut:\n%s", size[0], size[1], e.Label, view)
			}
		}
	}
}

// However often an entry is released, a gap stands before the count: no figure runs into another.
func TestStackSetsTheCountApart(t *testing.T) {
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	s.Stack = s.Stack[:1]
	s.Stack[0].Label = "counts of all that was counted in the year, by district and by the hour of the day"
	for _, count := range []float64{1, 9999, 10_000, 99_999, 100_000, 123_456_789, 1e12} {
		s.Stack[0].Count = count
		for _, size := range sizes {
			view := ansi.Strip(start(t, size[0], size[1], setup{scenario: s}).View())
			if !strings.Contains(view, "ε 0.1 ") || strings.Contains(view, "0.1×") {
				t.Errorf("%d×%d: ×%g has no gap:\n%s", size[0], size[1], count, view)
			}
		}
	}
}

// An entry does not cost more alone than all entries together, and an approximation below the
// certified lower end is not said to be as large.
func TestOneAloneCostsNoMoreThanAll(t *testing.T) {
	s, err := scenarios.LoadBundled("dpsgd-abadi")
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 200, 55, setup{scenario: s, accountant: accountants()})
	view := plainView(a)
	view += readSlack(a)
	for _, want := range []string{"certified 0.9468 – 0.9469", "one alone costs  ε 0.9469 at δ 1e-5 by numerical", "0.99×"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
}

// α starts from the best order, which is not known at once. A key pressed too early
// says so, rather than that there is none.
func TestTurningAlphaBeforeTheBoundsAreThere(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.Result, a.Pending, a.Knob = nil, true, document.KnobAlpha
	hit(a, "knob.up")
	if !strings.Contains(a.Status.Text, "still being computed") {
		t.Errorf("while computing: %q", a.Status.Text)
	}
	a.Pending = false
	hit(a, "knob.up")
	if !strings.Contains(a.Status.Text, "no Rényi bound applies") {
		t.Errorf("without any: %q", a.Status.Text)
	}
}

// What a newcomer is told fits the terminal most people have, and each key does what it says.
func TestNewcomer(t *testing.T) {
	a := start(t, 80, 24, setup{})
	a.Say(newcomer)
	if line := strings.TrimSpace(strings.Split(plainView(a), "\n")[23]); line != newcomer || draw.Width(line) > 78 {
		t.Errorf("the last line says %q", line)
	}
	for _, c := range []struct{ says, keys, sees string }{
		{"ctrl+n starts a scenario", "ctrl+n", "What will be released?"},
		{":tour shows the ideas", ": t o u r enter", "Tour 1/10"},
		{"? the keys", "?", "Keys, lines 1"},
	} {
		a := start(t, 80, 24, setup{})
		press(a, strings.Fields(c.keys)...)
		if !strings.Contains(newcomer, c.says) || !strings.Contains(plainView(a), c.sees) {
			t.Errorf("%s shows\n%s", c.keys, plainView(a))
		}
	}
	if press(a, "quit"); !strings.Contains(newcomer, "q quits") || !a.quiet {
		t.Error("q does not quit")
	}
}

// What is counted for an entry of a branch is the block around it, which may run many times
// for one of its copies: nothing is said of how many of the entry would fit.
func TestMoreOfTheBlock(t *testing.T) {
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\nbudget: {epsilon: 2, delta: 1e-6}\nstack:\n  - count: 10\n    parallel:\n      - [{mechanism: pure, epsilon: 0.1, label: ages}]\n      - [{mechanism: pure, epsilon: 0.1}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 160, 40, setup{scenario: s, accountant: accountants()})
	press(a, "down")
	view := a.View()
	if strings.Contains(view, "of “ages” would fit") || !strings.Contains(view, "more of the whole block would fit") {
		t.Errorf("more of an entry that stands in a block:\n%s", view)
	}
}

// The wheel moves in a list that is searched.
func TestWheelInAList(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "commands")
	before := a.View()
	click(a, 20, 10, tea.MouseButtonWheelDown)
	if a.View() == before {
		t.Error("the wheel moves nothing")
	}
	click(a, 20, 10, tea.MouseButtonWheelUp)
	if a.View() != before {
		t.Error("the wheel does not come back")
	}
}

// The chart folds the forms of theorems that the table folds, and B brings them back in both.
func TestChartFoldsAsTheTableDoes(t *testing.T) {
	a := start(t, 120, 36, setup{accountant: accountants(), charts: rememberedCharts()})
	names := func() (list string) {
		for _, s := range a.home.Pane(layout.Chart).(interface{ DrawnChart() chart.Chart }).DrawnChart().Series {
			list += s.Name + "; "
		}
		return list
	}
	if got := names(); !strings.Contains(got, "advanced; ") || strings.Contains(got, "KOV") || strings.Contains(got, "classic") {
		t.Errorf("folded: %s", got)
	}
	if press(a, "home.forms"); !strings.Contains(names(), "advanced KOV; ") {
		t.Errorf("unfolded: %s", names())
	}
	if press(a, "home.forms"); strings.Contains(names(), "advanced KOV") {
		t.Errorf("folded again: %s", names())
	}
}
