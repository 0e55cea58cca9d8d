package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/scenarios/lectures"
)

// separate are screens that may be built without; a link to one that is not there
// says so, and enter passes it over.
var separate = []string{"plan", "person", "statement", "labs"}

// Every screen a topic links to is in the registry of the explorer, or a chart.
func TestLectureScreensExist(t *testing.T) {
	names := append(ScreenNames(), separate...)
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			for _, l := range topic.See {
				if l.Kind() == "screen" && !slices.Contains(names, l.Name()) {
					t.Errorf("%s, %s: no screen is called %q", d.Author, topic.Slides, l.Name())
				}
			}
		}
	}
}

// Enter on any topic opens one of its scenarios; every digit leads somewhere.
func TestLecturesOpenWhatTheyName(t *testing.T) {
	a := start(t, 120, 36, setup{})
	way := []string{"L"}
	for _, deck := range lectures.Decks() {
		for _, topic := range deck.Topics {
			scenario := slices.IndexFunc(topic.See, func(x lectures.Link) bool { return x.Kind() == "scenario" })
			press(a, append(way, "enter")...)
			if scenario >= 0 && a.Doc.Bundle != topic.See[scenario].Name() {
				t.Errorf("%s: enter opened %q", topic.Slides, a.Doc.Bundle)
			}
			if a.Status.Bad || strings.Contains(a.Status.Text, "no screen") {
				t.Errorf("%s: %s", topic.Slides, a.Status.Text)
			}
			a.Dialogs, a.screen, way = nil, 0, []string{"L", "down"}
		}
	}
}

func TestLecturesAskBeforeLosingChanges(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "+", "L", "enter")
	if len(a.Dialogs) != 1 || a.Doc.Bundle != "" {
		t.Fatal("unsaved changes were not asked about")
	}
	press(a, "d")
	if a.Doc.Bundle == "" || a.screens[a.screen].pane != nil || a.home.Shown().Name != "noise" {
		t.Errorf("opened %q, chart %s", a.Doc.Bundle, a.home.Shown().Name)
	}
}

func TestLectureLinksByDigit(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "L")
	topic := lectures.Decks()[0].Topics[0]
	at := slices.IndexFunc(topic.See, func(x lectures.Link) bool { return x == "screen:noise" })
	press(a, string(rune('1'+at)))
	if a.screen != 0 || a.home.Shown().Name != "noise" || a.Doc.Bundle != "" {
		t.Errorf("screen %d, chart %s, document %q", a.screen, a.home.Shown().Name, a.Doc.Bundle)
	}
	press(a, "L", "9") // there is no ninth
	if a.screen == 0 {
		t.Error("a link that is not there led somewhere")
	}
	press(a, "1")
	if a.Doc.Bundle != topic.See[0].Name() {
		t.Errorf("1 opened %q", a.Doc.Bundle)
	}
}

// A link of a lecture shows its lab and runs it.
func TestLinksOpenLabs(t *testing.T) {
	a := start(t, 120, 36, looks["no-color"])
	drain(a, host{a}.Lab("exponential"))
	send(a, nil)
	if view := plainView(a); a.screens[a.screen].name != "labs" || !strings.Contains(view, "exponential × ") {
		t.Errorf("the link did not open and run its lab:\n%s", view)
	}
}

func TestGoldenLabs(t *testing.T) {
	for _, size := range sizes[:2] {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			a := start(t, size[0], size[1], looks["no-color"])
			press(a, "b", "tab", "down", "down", "e")
			typed(a, "100") // repeats: quick
			press(a, "enter", "up", "up", "tab", "enter")
			golden.RequireEqual(t, []byte(a.View()))
		})
	}
}
