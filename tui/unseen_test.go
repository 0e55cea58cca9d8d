package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
)

// Where the window is too small for a screen, no key acts on one: a dialog stays as it was,
// nothing is dropped or saved, and unsaved changes are not left.
func TestKeysActOnWhatIsSeen(t *testing.T) {
	small, large := tea.WindowSizeMsg{Width: 20, Height: 5}, tea.WindowSizeMsg{Width: 120, Height: 36}
	a := start(t, 120, 36, setup{})
	before := a.Doc.Version()
	send(a, small)
	press(a, "x", "t", "a", "s", "ctrl+n", "delete", ":")
	if a.Doc.Version() != before || len(a.Dialogs) > 0 {
		t.Errorf("version %d became %d, %d dialogs", before, a.Doc.Version(), len(a.Dialogs))
	}
	send(a, large)
	press(a, "stack.add")
	typed(a, "gauss")
	was := a.View()
	send(a, small)
	press(a, "enter", "esc", "q", "ctrl+c")
	if send(a, large); a.View() != was {
		t.Errorf("another screen than before:\n%s", ansi.Strip(a.View()))
	}
	press(a, "esc", "knob.up")
	send(a, small)
	if view := ansi.Strip(a.View()); !strings.Contains(view, "unsaved changes") {
		t.Errorf("it does not say that there are changes:\n%s", view)
	}
	if press(a, "q", "ctrl+c", "d"); a.quiet {
		t.Error("it left with unsaved changes")
	}
	send(a, large)
	press(a, "undo")
	send(a, small)
	if press(a, "q"); !a.quiet {
		t.Error("it did not leave, with nothing to lose")
	}
}

// The catalogue is searched by the names of the scenario file too, and enter on nothing adds
// nothing: the keys after it are no commands.
func TestAddByTheNameInTheFile(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "stack.add")
	typed(a, "select")
	if view := ansi.Strip(a.View()); !strings.Contains(view, "Best of runs") {
		t.Errorf("select does not find it:\n%s", view)
	}
	version := a.Doc.Version()
	typed(a, "zzz")
	if press(a, "enter", "x"); a.Doc.Version() != version || len(a.Dialogs) != 1 {
		t.Errorf("version %d became %d, %d dialogs", version, a.Doc.Version(), len(a.Dialogs))
	}
	press(a, "esc", "commands")
	typed(a, "zzz")
	if press(a, "enter", "x"); a.Doc.Version() != version || len(a.Dialogs) != 1 {
		t.Errorf("commands: version %d became %d, %d dialogs", version, a.Doc.Version(), len(a.Dialogs))
	}
}

// The arrows at the foot of a chart act in the chart that a digit showed.
func TestArrowsActInTheChartShown(t *testing.T) {
	for _, size := range [][2]int{{60, 18}, {80, 24}, {120, 36}, {200, 55}} {
		a := start(t, size[0], size[1], setup{})
		press(a, "chart.1")
		version, before := a.Doc.Version(), plainView(a)
		if !strings.Contains(before, "←→ crosshair") {
			t.Errorf("%v: no crosshair is offered:\n%s", size, before)
		}
		if press(a, "right", "right", "left"); a.Doc.Version() != version || plainView(a) == before {
			t.Errorf("%v: the arrows did not move the crosshair:\n%s", size, plainView(a))
		}
	}
}

// On a chart alone no key changes what is not seen: the strip names the entry that x drops, and what
// needs the stack says so. On a projector, where nothing names an entry, entries stay as they are, and
// a knob that is turned is named.
func TestFullChartChangesNothingUnseen(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "chart.full", "down")
	version := a.Doc.Version()
	for _, key := range []string{" ", "g", "J", "K"} {
		if press(a, key); a.Doc.Version() != version || a.Doc.Marks() > 0 || !strings.Contains(a.Status.Text, "not on the screen") {
			t.Errorf("%q: version %d became %d, %q", key, version, a.Doc.Version(), a.Status.Text)
		}
	}
	if foot := plainView(a); strings.Contains(foot, "space mark") || !strings.Contains(foot, "weekly totals:") {
		t.Errorf("the strip has\n%s", foot)
	}
	if press(a, "stack.drop"); !strings.Contains(a.Status.Text, "dropped “weekly totals”") || len(a.Doc.Rows()) != 2 {
		t.Errorf("x left %d entries and said %q", len(a.Doc.Rows()), a.Status.Text)
	}
	press(a, "undo", "chart.full", "home", " ", "chart.full", "stack.drop")
	if len(a.Doc.Rows()) != 3 || !strings.Contains(a.Status.Text, "marked entries are not on the screen") {
		t.Errorf("x left %d entries and said %q", len(a.Doc.Rows()), a.Status.Text)
	}
	a = start(t, 120, 36, setup{})
	press(a, "projector", "chart.1")
	version = a.Doc.Version()
	for _, key := range []string{"x", "c", "i", "J", " "} {
		if press(a, key); a.Doc.Version() != version || !strings.Contains(plainView(a), "not on the screen, so nothing was changed: P") {
			t.Errorf("%q changed what a projector does not show:\n%s", key, plainView(a))
		}
	}
	if press(a, "down"); !strings.Contains(plainView(a), "selected: weekly totals") {
		t.Errorf("the selection moved unseen: %q", a.Status.Text)
	}
	if press(a, "knob.up"); !strings.Contains(plainView(a), "σ 26 of weekly totals") {
		t.Errorf("a knob was turned unseen: %q", a.Status.Text)
	}
}

// A change to a library scenario is set aside when a link opens another, and o brings it back; quitting
// asks about it.
func TestChangesToTheLibraryAreSetAside(t *testing.T) {
	s := newScript(t, welcome)
	s.a.Doc.Bundle = welcome
	s.press("knob.up")
	changed := s.a.Doc.Scenario()
	drain(s.a, s.a.Follow("scenario:hair-colour", ""))
	if len(s.a.Dialogs) > 0 || s.a.Doc.Bundle != "hair-colour" || !strings.Contains(s.a.Status.Text, "your changes to “Welcome: the price of a release” are kept: o lists them first") {
		t.Fatalf("%d dialogs, %q, %q", len(s.a.Dialogs), s.a.Doc.Bundle, s.a.Status.Text)
	}
	s.press("quit").sees("were set aside and are").press("o").sees("changed, not saved").press("enter")
	if s.a.Doc.Scenario() != changed || !s.a.Doc.Dirty() {
		t.Errorf("%q came back", s.a.Doc.Scenario().Name)
	}
	if s.press("undo"); s.a.Doc.Dirty() {
		t.Error("undo does not reach what was set aside")
	}
	if s.press("quit"); !s.a.quiet {
		t.Error("it asks about changes that came back and were undone")
	}
}

// Leaving a new plan of several releases asks, and its answers are there when it is opened again.
func TestGuidedStartKeepsItsAnswers(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "new", "tab")
	typed(a, "52")
	press(a, "ctrl+a", "t", "ctrl+a", "m", "esc")
	if !onScreen(a, "3 releases were described") {
		t.Fatalf("it did not ask:\n%s", plainView(a))
	}
	if press(a, "esc"); !onScreen(a, "counts, 52 times") {
		t.Fatalf("it did not go on:\n%s", plainView(a))
	}
	if press(a, "esc", "y"); len(a.Dialogs) > 0 {
		t.Fatal("it did not leave")
	}
	if press(a, "new"); !onScreen(a, "counts, 52 times") || !onScreen(a, "How many epochs?") {
		t.Errorf("the answers are gone:\n%s", plainView(a))
	}
	press(a, "ctrl+x", "ctrl+x", "ctrl+x")
	if onScreen(a, "52 times") || !onScreen(a, "How often?") {
		t.Errorf("they are not cleared:\n%s", plainView(a))
	}
	if press(a, "esc"); len(a.Dialogs) > 0 || a.Status.Text != "" {
		t.Errorf("%d dialogs, %q", len(a.Dialogs), a.Status.Text)
	}
}

// Choosing shuffled batches offers the adjacency under which they have a price: at home, in the form
// and in the guided start.
func TestShuffledOffersItsAdjacency(t *testing.T) {
	s := newScript(t, "dpsgd-tfprivacy").press("enter")
	for !onScreen(s.a, "▸     batches") {
		s.press("tab")
	}
	for !strings.Contains(plainView(s.a), "← shuffled →") {
		s.press("right")
	}
	s.sees("enter offers the adjacency with it").press("enter").sees("Change the adjacency with it?", "r with the adjacency replace", "z with the adjacency zero-out")
	if view := plainView(s.a); strings.Contains(view, "stack[1]") || s.a.Doc.Dirty() {
		t.Errorf("it speaks of the file:\n%s", view)
	}
	s.press("z", "enter").sees("blank one record")
	if sc := s.a.Doc.Scenario(); sc.Adjacency != "zero-out" || sc.Stack[0].Values["batches"].Text != "shuffled" || len(s.a.Dialogs) > 0 {
		t.Errorf("%s, %v, %d dialogs", sc.Adjacency, sc.Stack[0].Values, len(s.a.Dialogs))
	}
	s.press("new", "m", "tab").numbers("2", "500").press("tab", "s").sees("← shuffled →", "no, blank at most", "Shuffled batches are not supported if people")
	s.press("p").sees("May people come and go? yes")
}

// A count that is none adds nothing: the dialog stays and says which counts there are, and a better one goes through.
func TestAddRefusesACountThatIsNone(t *testing.T) {
	for _, count := range []string{"0", "00", "0.5", "1.5", "1e13", "-3"} {
		a := start(t, 120, 36, setup{})
		version, rows := a.Doc.Version(), len(a.Doc.Rows())
		press(a, "stack.add")
		typed(a, "counts "+count)
		said := count == "-3" || strings.Contains(plainView(a), "whole number from 1")
		if press(a, "enter"); a.Doc.Version() != version || len(a.Dialogs) != 1 || !said {
			t.Errorf("counts %s: %d dialogs, version %d became %d:\n%s", count, len(a.Dialogs), version, a.Doc.Version(), plainView(a))
		}
		if count != "-3" && !(a.Status.Bad && strings.Contains(a.Status.Text, "whole number from 1 to 1e12")) {
			t.Errorf("counts %s: it says %q", count, a.Status.Text)
		}
		for range len(count) {
			press(a, "backspace")
		}
		typed(a, "3")
		if press(a, "enter"); len(a.Doc.Rows()) != rows+1 {
			t.Errorf("counts 3 after %s: %d entries", count, len(a.Doc.Rows()))
		}
	}
}

// While nothing is released, no key of a screen that would have nothing to say stands at the foot of the bounds.
func TestEmptyStackOffersNoOtherScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 55}} {
		a := start(t, size[0], size[1], setup{scenario: scenarios.New()})
		for _, words := range []string{"why these differ", "p plan", "what it means", "E statement"} {
			if view := plainView(a); strings.Contains(view, words) {
				t.Errorf("%v: %q stands on an empty home:\n%s", size, words, view)
			}
		}
		a = start(t, size[0], size[1], setup{})
		if size[0] > 80 && !strings.Contains(plainView(a), "p plan") {
			t.Errorf("%v: no other screen is offered with a stack", size)
		}
	}
}
