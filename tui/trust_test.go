package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/layout"
)

// setTo types a value for a knob of the selected entry, as it stands on the screen.
func setTo(t *testing.T, a *App, field, text string) {
	t.Helper()
	press(a, "0")
	a.Knob = field
	press(a, "knob.type")
	typed(a, text)
	press(a, "enter")
	if len(a.Dialogs) > 0 {
		t.Fatalf("%s = %s is refused:\n%s", field, text, ansi.Strip(a.View()))
	}
}

// methodNamed returns the theorem a row of the screen names.
func methodNamed(t *testing.T, name string) accounting.Method {
	t.Helper()
	for _, m := range accounting.Methods() {
		if m.Method.Name() == strings.TrimSpace(name) {
			return m.Method
		}
	}
	t.Fatalf("no theorem is called %q", name)
	return ""
}

// offerRow is a line of the Plan and Why screens: theorem, answer, what it costs.
var (
	planRow = regexp.MustCompile(`[┃│] [▸ ] [★ ] ([A-Za-z][A-Za-z ]+?) {2,}([0-9.e-]+)(?: +or (1/[0-9.e]+))? +([0-9.]+) `)
	whyRow  = regexp.MustCompile(`[┃│] {5}([A-Za-z][A-Za-z ]+?) {2,}([εσ]) = ([0-9.e-]+)(?: +(1/[0-9.e]+))?`)
)

// Every value that Why and Plan offer, typed in as it is written, costs what the screen said
// and meets the budget. The quick form types every second of them.
func TestOfferedValuesKeepTheirWord(t *testing.T) {
	for _, c := range []struct {
		open   string
		fields []string // what Plan solves for, in the order of →
	}{
		{"welcome", []string{"epsilon", "count"}},
		{"bob-10000", []string{"epsilon", "count"}},
		{"steward-100-counts", []string{"sigma", "count"}},
	} {
		t.Run(c.open, func(t *testing.T) {
			s := newScript(t, c.open)
			s.a.w, s.a.h = 120, 60
			send(s.a, tea.WindowSizeMsg{Width: 120, Height: 60})
			budget := s.a.Doc.Scenario().Budget.Epsilon
			check := func(field, value string, m accounting.Method, said string) {
				t.Helper()
				setTo(t, s.a, field, value)
				b, _ := s.a.Full.Bound(m)
				if !b.Finite() || b.Epsilon > accounting.BudgetLimit(budget) ||
					said != "" && report.Upper(b.Epsilon) != said {
					t.Errorf("%s = %s by %s: the screen says %s, typed in it costs %s of %g", field, value, m, said, report.Upper(b.Epsilon), budget)
				}
				press(s.a, "undo")
			}
			s.press("screen.why")
			offers := whyRow.FindAllStringSubmatch(ansi.Strip(s.a.View()), -1)
			if len(offers) < 2 {
				t.Fatalf("%d offers on Why:\n%s", len(offers), ansi.Strip(s.a.View()))
			}
			for _, o := range gauge.Some(3, offers) {
				field := map[string]string{"ε": "epsilon", "σ": "sigma"}[o[2]]
				for _, value := range slices.DeleteFunc(o[3:], func(s string) bool { return s == "" }) {
					check(field, value, methodNamed(t, o[1]), "")
				}
			}
			for i, field := range c.fields {
				press(s.a, "chart.none", "screen.plan")
				for range i {
					press(s.a, "right")
				}
				view := ansi.Strip(s.a.View())
				offers := planRow.FindAllStringSubmatch(view, -1)
				if len(offers) < 3 {
					t.Fatalf("%d offers on Plan for %s:\n%s", len(offers), field, view)
				}
				for _, o := range gauge.Some(3, offers) {
					check(field, o[2], methodNamed(t, o[1]), o[4])
					if o[3] != "" {
						check(field, o[3], methodNamed(t, o[1]), "")
					}
				}
			}
		})
	}
}

// moreRow is a line of the bounds: theorem, ε, and how many more copies would fit.
var moreRow = regexp.MustCompile(`[│┃] [▸ ]?[★ ] ([A-Za-z][A-Za-z ]+?)(?: α=[0-9.]+)? {2,}[0-9.]+ +[·─┊●★→]+ +([0-9]+) [✓✗]`)

// As many more copies of the selected entry as home offers fit by that theorem, and one more
// does not.
func TestMoreFitKeepsItsWord(t *testing.T) {
	for _, open := range []string{"welcome", "steward-100-counts"} {
		s := newScript(t, open)
		entry, budget := s.a.Doc.Scenario().Stack[0], s.a.Doc.Scenario().Budget.Epsilon
		offers := moreRow.FindAllStringSubmatch(ansi.Strip(s.a.View()), -1)
		if len(offers) < 4 {
			t.Fatalf("%s: %d offers:\n%s", open, len(offers), ansi.Strip(s.a.View()))
		}
		for _, o := range offers {
			more, err := strconv.ParseFloat(o[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			m := methodNamed(t, o[1])
			b, _ := s.a.Full.Bound(m)
			over := !report.Fits(b, budget) // and there is nothing to add to
			for add, want := range map[float64]bool{more: !over, more + 1: false} {
				setTo(t, s.a, "count", numeral.Format(entry.Count+add))
				b, _ := s.a.Full.Bound(m)
				if fits := report.Fits(b, budget); fits != want {
					t.Errorf("%s: %g more by %s, though %s are offered: ε = %v fits %v: %t", open, add, m, o[2], b.Epsilon, budget, fits)
				}
				press(s.a, "undo")
			}
		}
	}
}

// A division written down from the screen, number by number, costs what it says, by every
// theorem it can go by.
func TestDivisionKeepsItsWord(t *testing.T) {
	s := newScript(t, "welcome").press("screen.plan", "tab")
	cost := regexp.MustCompile(`ε = ([0-9.]+) by`)
	then := regexp.MustCompile(`→ ([εσ]) ([0-9.e-]+)`)
	names := map[string]string{"ε": "epsilon", "σ": "sigma"}
	for range 7 { // once round
		view := ansi.Strip(s.a.View())
		said, after := cost.FindStringSubmatch(view), then.FindAllStringSubmatch(view, -1)
		if strings.Contains(view, "not Gaussian noise") { // GDP
			if strings.Contains(view, "locked entries leave") {
				t.Errorf("locked entries are blamed where none is:\n%s", view)
			}
			press(s.a, "right")
			continue
		}
		if said == nil || len(after) != 3 {
			t.Fatalf("no division:\n%s", view)
		}
		c := s.a.Doc.Scenario().Clone()
		for i, x := range after {
			if err := c.Set(fmt.Sprintf("%d.%s", i+1, names[x[1]]), x[2]); err != nil {
				t.Fatal(err)
			}
		}
		r, err := scenarios.Evaluate(t.Context(), c, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		costs := map[string]bool{}
		for _, b := range r.Bounds {
			costs[report.Upper(b.Epsilon)] = b.Finite() && b.Epsilon <= accounting.BudgetLimit(3)
		}
		if !costs[said[1]] {
			t.Errorf("the division says ε = %s; written down it costs %v", said[1], costs)
		}
		press(s.a, "right")
	}
	s.press("tab").sees("the whole ε = " + report.Upper(s.a.Full.Bounds[s.a.Full.Best].Epsilon) + " by the numerical accountant")
}

// Where no value of the unknown meets the budget, every change that Plan offers does, made
// by enter.
func TestWaysOutKeepTheirWord(t *testing.T) {
	stuck := func() *script {
		return newScript(t, "welcome").press("target.edit").typing("1").press("enter", "screen.plan").
			sees("no ε of “counts by district” meets the budget", "times the noise in every entry", "a budget of ε = ", " instead of 1")
	}
	for row := range 2 {
		s := stuck()
		for range row {
			s.press("down")
		}
		s.press("enter")
		r, target := s.a.Full, s.a.Doc.Scenario().Budget.Epsilon
		if !report.Fits(r.Bounds[r.Best], target) {
			t.Errorf("%q leaves ε = %v of %v", s.a.Status.Text, r.Bounds[r.Best].Epsilon, target)
		}
		if onScreen(s.a, "would make the scenario fit") {
			t.Error("ways out are offered where there is an answer")
		}
	}
}

// Nothing solved for is written with more digits than are shown.
func TestSolvedNumbersAreShort(t *testing.T) {
	for _, keys := range [][]string{{"p", "enter"}, {"p", "tab", "enter"}, {"p", "left", "left", "left", "enter"}} {
		last := len(keys) - 1
		s := newScript(t, "welcome").press(keys[:last]...)
		hit(s.a, keys[last]) // what it costs now is not in question
		if !s.a.Doc.Dirty() {
			t.Fatalf("%v changed nothing: %s", keys, s.a.Status.Text)
		}
		for i, e := range s.a.Doc.Scenario().Stack {
			for name, v := range e.Values {
				if x := v.Number; numeral.Round(x, 4) != x {
					t.Errorf("%v: entry %d has %s = %v", keys, i+1, name, x)
				}
			}
		}
	}
}

// Keys act on what is visible: the knobs turn where they, or a text that follows them, can
// be seen.
func TestKnobsTurnOnlyInSight(t *testing.T) {
	a := start(t, 120, 36, setup{scenario: weak()})
	for i, s := range a.screens {
		a.Dialogs, a.trail = nil, nil
		a.put(i)
		before := a.Doc.Version()
		press(a, "+", "-", "]", "[", "+")
		if seen := s.name == "home" || s.name == "why"; (a.Doc.Version() != before) != seen {
			t.Errorf("%s: the scenario was changed: %t", s.name, !seen)
		}
	}
	press(a, "0", "screen.labs")
	was := ansi.Strip(a.View())
	press(a, "labs.turn-up")
	if got := ansi.Strip(a.View()); got == was {
		t.Error("+ does not turn the parameter of the lab")
	}
}

func (a *App) screenName() string { return a.screens[a.screen].name }

// esc retraces the steps, from everywhere, to the place one came from.
func TestEscRetracesTheSteps(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "chart.3", "screen.why", "screen.plan", "screen.lectures", "screen.labs")
	for _, want := range []string{"lectures", "plan", "why", "home"} {
		press(a, "esc")
		if a.screenName() != want {
			t.Fatalf("esc went to %s, not to %s", a.screenName(), want)
		}
	}
	if a.home.Charting() != "3" {
		t.Error("the chart that was shown is gone")
	}
	press(a, "esc")
	if a.home.Charting() != "" {
		t.Error("esc on home does not put the chart away")
	}
	press(a, "screen.why", "screen.why")
	if a.screenName() != "home" {
		t.Error("a screen's own key does not go back")
	}
	press(a, "screen.why", "screen.plan", "0", "esc")
	if a.screenName() != "home" || len(a.trail) != 0 {
		t.Error("0 does not end the way back")
	}
	press(a, "screen.lectures", "enter") // opens a scenario, and a chart of it
	if a.screenName() == "lectures" {
		t.Fatal("enter opened nothing")
	}
	press(a, "esc")
	if a.screenName() != "lectures" {
		t.Errorf("from what a topic opened, esc went to %s", a.screenName())
	}
	drain(a, a.Follow("lab:exponential", ""))
	send(a, nil)
	press(a, "esc")
	if a.screenName() != "lectures" {
		t.Errorf("from a lab, esc went to %s", a.screenName())
	}
}

// While a filter stands, a digit follows a link of the topic found, and / starts anew.
func TestLectureFilterAndLinks(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "screen.lectures", "lectures.filter")
	typed(a, "differencing")
	press(a, "enter")
	if a.screenName() != "lectures" || len(a.Dialogs) > 0 {
		t.Fatal("enter on a filter left the screen")
	}
	press(a, "lectures.filter")
	if onScreen(a, "/ differencing") {
		t.Error("the next filter goes on from the last one")
	}
	typed(a, "exponential")
	press(a, "enter", "1")
	if a.screenName() == "lectures" {
		t.Error("a digit did not follow the link of the topic found")
	}
	press(a, "esc")
	if a.screenName() != "lectures" || !onScreen(a, "exponential") {
		t.Error("esc did not come back to the filtered list")
	}
}

// What the form says the stack would cost is what the screen says after it; what costs
// nothing is not priced.
func TestFormPreviewIsWhatFollows(t *testing.T) {
	s := newScript(t, "welcome").press("enter")
	said := func() string {
		_, after, _ := strings.Cut(ansi.Strip(s.a.View()), "the stack would cost ")
		line, _, _ := strings.Cut(after, ", certified")
		return line
	}
	for !strings.Contains(ansi.Strip(s.a.View()), "▸     label") && s.keys < 30 {
		s.press("down")
	}
	s.typing("another name")
	if said() != "" {
		t.Errorf("a name costs %q", said())
	}
	s.press("esc", "enter").typing("0.13")
	want := said()
	s.press("enter")
	if r := s.a.Full; want == "" || !strings.HasPrefix(report.Answer(r), want+", certified") {
		t.Errorf("the form said %q, the screen says %q", want, report.Answer(r))
	}
}

// The one keystroke that the column of an entry names states the claim, and sampling helps
// then; randomized response cannot make it.
func TestVouchForAbsence(t *testing.T) {
	sampled := func(mechanism string) *App {
		s := scenarios.New()
		s.Adjacency, s.Budget = mechanisms.Replace, scenarios.Budget{Epsilon: 3, Delta: 1e-6}
		e, err := scenarios.NewEntry(mechanism)
		if err != nil {
			t.Fatal(err)
		}
		e.Sampling = 0.1
		s.Stack = []scenarios.Entry{e}
		return start(t, 200, 55, setup{scenario: s, accountant: accountants()})
	}
	a := sampled("pure")
	if !onScreen(a, "Sampling then hides only") || !onScreen(a, "C states also: add-remove") {
		t.Errorf("the column does not say why sampling does not help:\n%s", ansi.Strip(a.View()))
	}
	before := a.Full.Bounds[a.Full.Best].Epsilon
	press(a, "stack.claim")
	if after := a.Full.Bounds[a.Full.Best].Epsilon; !a.Doc.Scenario().Stack[0].Also.AddRemove || after >= before/2 {
		t.Errorf("stated, ε is %g; it was %g", after, before)
	}
	press(a, "stack.claim")
	if a.Doc.Scenario().Stack[0].Also.AddRemove {
		t.Error("C does not take the claim back")
	}
	press(a, "enter")
	if !onScreen(a, "also") || !onScreen(a, "add-remove") {
		t.Errorf("the form does not offer the claim:\n%s", ansi.Strip(a.View()))
	}
	press(a, "up", "up", "right", "enter")
	if !a.Doc.Scenario().Stack[0].Also.AddRemove {
		t.Errorf("the form did not state it:\n%s", ansi.Strip(a.View()))
	}
	rr := sampled("randomized-response")
	press(rr, "stack.claim")
	if rr.Doc.Scenario().Stack[0].Also.AddRemove || !rr.Status.Bad {
		t.Errorf("randomized response vouches for absence: %q", rr.Status.Text)
	}
	block := sampled("pure")
	press(block, "stack.copy", "home", " ", " ", "stack.group", "home", "stack.claim")
	if got := block.Doc.Scenario().Stack[0].Moves; got != "never" {
		t.Errorf("on a block C states moves %q: %s", got, block.Status.Text)
	}
	press(block, "enter")
	if !onScreen(block, "moves") {
		t.Error("the form of a block does not offer moves")
	}
}

// In ASCII the letters of the field are words, the verdict is one, and x multiplies.
func TestASCIISpeaksInWords(t *testing.T) {
	a := start(t, 120, 36, setup{ascii: true, noColor: true})
	view := a.View()
	for _, want := range []string{"eps 0.1", "delta = 1e-6", "alpha", "OVER the budget"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
	for i, r := range view {
		if r >= 0x80 {
			t.Fatalf("%q is not ASCII, at %q", r, view[max(0, i-10):i])
		}
	}
	if strings.Contains(view, "  x\n") || strings.Contains(view, " x |") {
		t.Errorf("x is still a verdict:\n%s", view)
	}
	press(a, "target.edit")
	typed(a, "100")
	press(a, "enter")
	if !strings.Contains(a.View(), "OK fits the budget") {
		t.Errorf("no verdict in words:\n%s", a.View())
	}
}

// The knob that + turns is in sight at 80×24, whichever it is.
func TestTheActiveKnobIsSeen(t *testing.T) {
	s := scenarios.New()
	for _, name := range []string{"dp-sgd", "sparse-vector"} {
		e, err := scenarios.NewEntry(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Stack = append(s.Stack, e)
	}
	for _, ascii := range []bool{false, true} {
		a := start(t, 80, 24, setup{scenario: s, ascii: ascii, noColor: true})
		mark := a.Pen.Glyphs.Select + " "
		for range 2 {
			for _, k := range a.Doc.Knobs(12) {
				a.Knob = k.Name
				send(a, nil)
				lines := strings.Split(a.View(), "\n")
				strip := lines[a.home.Lay.Slots[layout.Knobs].Y]
				want := mark + a.Pen.Spell(k.Symbol)
				if !strings.Contains(strip, want) && !strings.Contains(strip, mark) {
					t.Errorf("%s is not in sight: %q", k.Name, strip)
				}
			}
			press(a, "down")
		}
	}
}

// Own files come before the library, which stands in groups.
func TestOpenShowsOwnFilesFirst(t *testing.T) {
	a, path := onDisk(t)
	t.Chdir(t.TempDir())
	if err := a.Store.Remember(path); err != nil {
		t.Fatal(err)
	}
	press(a, "open")
	view := ansi.Strip(a.View())
	recent, library := strings.Index(view, "recent files"), strings.Index(view, "library: lectures")
	if recent < 0 || library < recent {
		t.Errorf("recent at %d, library at %d:\n%s", recent, library, view)
	}
	exact(t, a, "open")
	typed(a, "wel")
	if onScreen(a, "library: lectures") {
		t.Error("a search still has headings")
	}
}
