package tui

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
)

// plainView returns the screen without its colours.
func plainView(a *App) string { return ansi.Strip(a.View()) }

func TestTourWalk(t *testing.T) {
	if len(tourSteps) != 10 {
		t.Errorf("the tour has %d steps", len(tourSteps))
	}
	a := start(t, 120, 36, setup{})
	drain(a, a.startTour())
	for i, step := range tourSteps {
		if a.Doc.Bundle != step.Scenario || !strings.Contains(plainView(a), fmt.Sprintf("Tour %d/10", i+1)) {
			t.Fatalf("step %d shows %q", i+1, a.Doc.Bundle)
		}
		turned := func(k document.Knob) bool { return k.Name == step.Knob && k.Name == a.Knob }
		if !slices.ContainsFunc(a.Doc.Knobs(math.NaN()), turned) {
			t.Errorf("%s: the knob is %q, not %q", step.Title, a.Knob, step.Knob)
		}
		for _, size := range [][2]int{{60, 18}, {80, 24}, {120, 36}, {200, 55}, {40, 10}} {
			send(a, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			exact(t, a, step.Title)
			if size[0] >= 60 && !strings.Contains(plainView(a), fmt.Sprintf("Tour %d/10  %s", i+1, step.Title)) {
				t.Errorf("%s: the strip is missing at %v", step.Title, size)
			}
		}
		send(a, tea.WindowSizeMsg{Width: 80, Height: 24})
		if step.Chart != "" && a.home.CurrentChart().Key != step.Chart {
			t.Errorf("%s: chart %s is shown", step.Title, a.home.CurrentChart().Key)
		}
		press(a, "knob.up") // the scenario is live
		if !a.Doc.Dirty() {
			t.Errorf("%s: + changes nothing", step.Title)
		}
		press(a, "tour.next")
	}
	if a.tour != nil || a.Doc.Scenario().Name != city().Name || a.Doc.Dirty() {
		t.Errorf("after the last step: tour %v, document %q", a.tour, a.Doc.Scenario().Name)
	}
}

// In the smallest window of a usual terminal, too, the step that compares basic with advanced has both of them on the
// screen, and no empty pane in the place of a chart that has no room above the text.
func TestTourShowsWhatItCompares(t *testing.T) {
	a := start(t, 80, 24, setup{})
	drain(a, a.startTour())
	for tourSteps[a.tour.at].Title != "Advanced" {
		press(a, "tour.next")
	}
	for _, row := range []string{"   basic           10.00 ", "   advanced  ", "★ numerical "} {
		if !strings.Contains(plainView(a), row) {
			t.Errorf("%q is not on the screen:\n%s", row, plainView(a))
		}
	}
	if strings.Contains(plainView(a), "too small for the chart") {
		t.Error("a pane says that it is too small")
	}
}

// The plan is for what the step asks about, the knob that is selected.
func TestTourSolvesForTheKnob(t *testing.T) {
	a := start(t, 80, 24, setup{})
	drain(a, a.startTour())
	for !strings.Contains(tourSteps[a.tour.at].Idea, "How many may be asked?") {
		press(a, "tour.next")
	}
	press(a, "screen.plan")
	if view := plainView(a); !strings.Contains(view, "how many copies") {
		t.Errorf("p solves for\n%s", view)
	}
	press(a, "right", "esc", "screen.plan") // what was chosen there stays
	if view := plainView(a); strings.Contains(view, "how many copies") {
		t.Errorf("p solves again for\n%s", view)
	}
	press(a, "esc", "knob.delta", "screen.plan")
	if view := plainView(a); !strings.Contains(view, "the smallest δ") {
		t.Errorf("with the δ knob p solves for\n%s", view)
	}
}

// The figures the texts quote are those of the scenarios they stand beside.
func TestTourFiguresAreTrue(t *testing.T) {
	for scenario, figures := range map[string]map[string]string{
		"adv-vs-basic-small": {"basic": "1.000"},
		"adv-vs-basic-large": {"basic": "10.00", "advanced": "6.309"},
		"five-records-each":  {"basic": "5.000"},
	} {
		s, err := scenarios.LoadBundled(scenario)
		if err != nil {
			t.Fatal(err)
		}
		a := start(t, 120, 36, setup{scenario: s, accountant: accountants()})
		view := plainView(a)
		for row, figure := range figures {
			if !strings.Contains(strings.Join(strings.Fields(view), " "), row+" "+figure) {
				t.Errorf("%s: no row %s %s on the screen\n%s", scenario, row, figure, view)
			}
		}
	}
}

func TestTourRemembersAndRestores(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "knob.up", "chart.3", "tab")
	mine, version, place := a.Doc, a.Doc.Version(), a.home.Place
	press(a, "commands")
	typed(a, "tour")
	press(a, "enter")
	if a.tour != nil || len(a.Dialogs) != 1 {
		t.Fatal("unsaved changes were not mentioned")
	}
	press(a, "t", "knob.up", "tour.next", "tour.back")
	if !strings.Contains(plainView(a), "Tour 1/10") || !a.Doc.Dirty() {
		t.Errorf("going back lost the change:\n%s", plainView(a))
	}
	press(a, "tour.back") // before the first there is nothing
	press(a, "screen.why", "esc")
	if a.tour == nil || a.screen != 0 {
		t.Fatal("esc on another screen left the tour")
	}
	press(a, "esc")
	if a.tour != nil || a.Doc != mine || a.Doc.Version() != version || a.home.Place != place {
		t.Errorf("the document did not come back as it was: %+v", a.home.Place)
	}
	if !a.Doc.Dirty() {
		t.Error("the unsaved changes are gone")
	}
}

// Quitting or opening something from within the tour asks about the user's own
// changes, which are not on the screen.
func TestTourDoesNotLoseChanges(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "knob.up")
	mine := a.Doc
	drain(a, a.beginTour())
	press(a, "quit")
	if a.quiet || len(a.Dialogs) != 1 || a.Doc != mine {
		t.Fatalf("quit: quiet %t, %d dialogs", a.quiet, len(a.Dialogs))
	}
	press(a, "esc")
	drain(a, a.beginTour())
	press(a, "knob.up", "quit", "d") // what was tried in the tour goes
	if a.quiet || len(a.Dialogs) != 1 || a.Doc != mine {
		t.Fatalf("then: quiet %t, %d dialogs", a.quiet, len(a.Dialogs))
	}
	press(a, "d")
	if !a.quiet {
		t.Error("it does not quit")
	}
}

func TestTourText(t *testing.T) {
	out := TourText()
	for _, s := range tourSteps {
		if !strings.Contains(out, s.Idea) || !strings.Contains(out, "epsiloscope "+s.Scenario) {
			t.Errorf("the text lacks %s", s.Title)
		}
	}
	if readme, err := os.ReadFile("../README.md"); err != nil || len(tourSteps) != 10 || !strings.Contains(string(readme), "the ideas in ten steps") {
		t.Errorf("the tour has %d steps, and the README says otherwise: %v", len(tourSteps), err)
	}
}

// The texts are short enough for the strip to leave the screen its room, and every
// symbol they use has been explained at that step or before.
func TestTourTexts(t *testing.T) {
	a := bareApp()
	defer a.Jobs.Close()
	explained := ""
	for _, s := range tourSteps {
		if n := len(draw.Wrap(s.Idea, 56)); n > 2 {
			t.Errorf("%s: the idea takes %d lines of 56", s.Title, n)
		}
		if w := draw.Width(a.tryText(s)); w == 0 || w > 76 {
			t.Errorf("%s: what to press takes %d cells", s.Title, w)
		}
		explained += s.Idea + s.Try
		for _, symbol := range []string{"ε", "δ", "α", "ρ"} {
			if strings.Contains(s.Idea+s.Try, symbol) && !strings.Contains(explained, map[string]string{
				"ε": "ε is its price", "δ": "δ is the rare case that is left out", "α": "α says how much", "ρ": "one number for all α: ρ"}[symbol]) {
				t.Errorf("%s: %s has not been explained yet", s.Title, symbol)
			}
		}
	}
}

// Changes that wait for the tour to end are not lost in a window that is too small to ask.
func TestTourKeepsChangesInASmallWindow(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "knob.up")
	drain(a, a.beginTour())
	send(a, tea.WindowSizeMsg{Width: 40, Height: 10})
	if view := plainView(a); !strings.Contains(view, "unsaved changes") || strings.Contains(view, "q quits") {
		t.Errorf("it says\n%s", view)
	}
	press(a, "q")
	if a.quiet {
		t.Error("it was left, and the changes with it")
	}
}

// Arrows lead through the tour, whichever pane a step shows.
func TestArrowsLeadThroughTheTour(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.startTour()
	for i := 1; i < len(tourSteps); i++ {
		if press(a, "right"); a.tour == nil || a.tour.at != i {
			t.Fatalf("an arrow does not lead to step %d", i+1)
		}
	}
	if press(a, "left"); a.tour.at != len(tourSteps)-2 {
		t.Error("an arrow does not lead back")
	}
}
