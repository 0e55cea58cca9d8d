package home

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

const head = "version: 1\nname: counts\nunit: person\n"

// shown returns home about a scenario in a terminal of a size, with what it costs.
func shown(t *testing.T, text string, w, h int) *Home {
	t.Helper()
	s, err := scenarios.Parse("counts.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	home := New(stand.Shell(t, s), ChartKinds())
	evaluate(t, home)
	home.Arrange(w, h, 0, false)
	home.SetSize(w, h)
	return home
}

func evaluate(t *testing.T, h *Home) {
	t.Helper()
	r, err := scenarios.Evaluate(t.Context(), h.Doc.Scenario(), scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.Result, h.Full = r, r
}

// pane returns a pane without colours; it must be exactly its rectangle.
func (h *Home) pane(slot layout.Slot) string {
	return ansi.Strip(strings.Join(h.Pane(slot).View(h.focus == slot), "\n"))
}

// do runs an action by its name.
func do(t *testing.T, h *Home, id string) {
	t.Helper()
	for _, table := range append(h.Tables(), h.KnobKeys, h.TargetKeys) {
		for _, b := range table.Bindings {
			if b.ID == id {
				b.Do()
				return
			}
		}
	}
	t.Fatalf("there is no action %s", id)
}

// The pane of the bounds says what it costs and whether that fits, or why nothing can be said; a tick stands only where
// something fits.
func TestBoundsPane(t *testing.T) {
	laplace := "stack:\n  - {mechanism: laplace, epsilon: 0.1, count: 4}\n"
	for _, c := range []struct {
		name, text, says string
		tick             bool
	}{
		{"fits", head + "budget: {epsilon: 1, delta: 1e-6}\n" + laplace, "✓ fits the budget of 1", true},
		{"over", head + "budget: {epsilon: 0.3, delta: 1e-6}\n" + laplace, "✗ over ", false},
		{"no budget", head + laplace, "no budget set: t sets one", false},
		{"open", head + "adjacency: replace\nbudget: {epsilon: 1, delta: 1e-6}\n" + laplace, "t answers", false},
		{"empty", head + "budget: {epsilon: 1, delta: 1e-6}\nstack: []\n", "nothing is released yet", false},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 55}} {
			view := shown(t, c.text, size[0], size[1]).pane(layout.Bounds)
			if !strings.Contains(view, c.says) || strings.Contains(view, "✓") != c.tick {
				t.Errorf("%s at %v: not %q, or a tick where nothing fits:\n%s", c.name, size, c.says, view)
			}
		}
	}
}

// A scenario that cannot be evaluated has its reason where the answer would be, and no number.
func TestRefusalInThePane(t *testing.T) {
	h := shown(t, head+"stack:\n  - {mechanism: laplace, epsilon: 0.1}\n", 120, 36)
	h.Result, h.Full, h.Refusal = nil, nil, errors.New("entry 1: sigma must be above 0")
	if view := h.pane(layout.Bounds); !strings.Contains(view, "sigma must be above 0") || strings.Contains(view, "ε = ") {
		t.Errorf("%s", view)
	}
}

// A theorem that says the same as the best, to the digits that are written, has its dot below the star and gives
// nothing away.
func TestEqualBoundsStandAtTheStar(t *testing.T) {
	view := shown(t, head+"budget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1}\n", 120, 36).pane(layout.Bounds)
	star, equal := -1, 0
	for line := range strings.Lines(view) {
		cells := []rune(line)
		at := strings.LastIndex(string(cells), "★")
		if strings.Contains(line, "★ basic") {
			star = len([]rune(line[:at]))
		}
	}
	for line := range strings.Lines(view) {
		if at := strings.Index(line, "●"); at >= 0 && strings.Contains(line, "0.1000") {
			if column := len([]rune(line[:at])); column != star || strings.Contains(line[at:], "●─") {
				t.Errorf("the dot is in column %d, the star in %d:\n%s", column, star, line)
			}
			equal++
		}
	}
	if star < 0 || equal < 2 {
		t.Fatalf("%d theorems of the same ε:\n%s", equal, view)
	}
}

// The stack and the knobs show what the actions do to them.
func TestActionsOfHome(t *testing.T) {
	text := head + "budget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, label: districts, epsilon: 0.1}\n  - {mechanism: gaussian, label: hours, sigma: 40}\n"
	for _, c := range []struct {
		ids    []string
		stack  string // on the pane of the stack
		absent string
	}{
		{nil, "districts", ""},
		{[]string{"stack.drop"}, "hours", "districts"},
		{[]string{"stack.mark"}, "1 marked", ""},
		{[]string{"stack.on-off"}, "off", ""},
		{[]string{"home.down", "stack.drop"}, "districts", "hours"},
		{[]string{"home.last", "home.first", "stack.drop"}, "hours", "districts"},
		{[]string{"knob.up"}, "ε 0.11", "ε 0.1 "},
		{[]string{"knob.ten-times"}, "ε 1 ", "ε 0.1 "},
		{[]string{"knob.up", "knob.down"}, "ε 0.1 ", "ε 0.11"},
	} {
		h := shown(t, text, 120, 36)
		for _, id := range c.ids {
			do(t, h, id)
		}
		evaluate(t, h)
		view := h.pane(layout.Stack) + "\n"
		if !strings.Contains(view, c.stack) || c.absent != "" && strings.Contains(view, c.absent) {
			t.Errorf("%v: not %q, or %q:\n%s", c.ids, c.stack, c.absent, view)
		}
	}
	h := shown(t, text, 120, 36)
	for _, knob := range []string{"ε", "K", "δ", "α", "budget"} {
		if view := h.pane(layout.Knobs); !strings.Contains(view, " "+knob+" ") {
			t.Errorf("there is no knob %s:\n%s", knob, view)
		}
	}
	before := h.Knob
	if do(t, h, "knob.delta"); h.Knob == before || !strings.Contains(h.pane(layout.Knobs), "▸ δ") {
		t.Errorf("the δ knob is not selected:\n%s", h.pane(layout.Knobs))
	}
}

// Every pane draws exactly its rectangle, in every layout, for a stack, a long one and none.
func TestPanesKeepTheirRectangles(t *testing.T) {
	for _, stack := range []string{"stack: []\n", "stack:\n  - {mechanism: laplace, epsilon: 0.1}\n", "stack:\n" + strings.Repeat("  - {mechanism: laplace, epsilon: 0.1}\n", 60)} {
		for _, size := range [][2]int{{60, 18}, {80, 24}, {100, 30}, {120, 36}, {200, 55}} {
			h := shown(t, head+"budget: {epsilon: 1, delta: 1e-6}\n"+stack, size[0], size[1])
			for slot := range layout.Slots {
				at := h.Lay.Slots[slot]
				if at.W < 4 || at.H < 2 {
					continue
				}
				stand.New(t, h.Shell, pane{h.Pane(slot)}, at.W, at.H).View()
			}
		}
	}
}

// pane hides what a stand does not need.
type pane struct{ kit.Pane }

// The pane of an entry names the theorem of the comparison for what one release costs; what the release itself states
// is named basic, unless that number is another theorem's conversion.
func TestCostOfOneReleaseNamesItsTheorem(t *testing.T) {
	for text, want := range map[string]accounting.Method{
		"{mechanism: laplace, epsilon: 0.1}":                accounting.Basic,
		"{mechanism: approximate, epsilon: 1, delta: 1e-9}": accounting.Basic,
		"{mechanism: zcdp, rho: 4.96}":                      accounting.ZCDP,
		"{mechanism: gaussian, sigma: 3}":                   accounting.GDP,
	} {
		s, err := scenarios.Parse("one", []byte(head+"budget: {epsilon: 30, delta: 1e-8}\nstack: ["+text+"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := plainest(r).Method; got != want {
			t.Errorf("%s costs what %s says, want %s", text, got, want)
		}
	}
}
