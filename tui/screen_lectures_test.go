package tui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

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

func lecturesAt(t *testing.T, w, h int) (*App, *lecturesPane) {
	a := start(t, w, h, setup{})
	press(a, "L")
	l, ok := a.focused().(*lecturesPane)
	if !ok {
		t.Fatal("L does not show the lectures")
	}
	return a, l
}

// Enter on any topic opens one of its scenarios; every digit leads somewhere.
func TestLecturesOpenWhatTheyName(t *testing.T) {
	a, l := lecturesAt(t, 120, 36)
	for i, topic := range l.topics {
		a.screen, l.pick.At = slices.IndexFunc(a.screens, func(s screen) bool { return s.name == "lectures" }), i
		scenario := slices.IndexFunc(topic.See, func(x lectures.Link) bool { return x.Kind() == "scenario" })
		press(a, "enter")
		if scenario >= 0 && a.Doc.Bundle != topic.See[scenario].Name() {
			t.Errorf("%s: enter opened %q", topic.Slides, a.Doc.Bundle)
		}
		if a.Status.Bad || strings.Contains(a.Status.Text, "no screen") {
			t.Errorf("%s: %s", topic.Slides, a.Status.Text)
		}
		a.Dialogs = nil
	}
}

func TestLecturesAskBeforeLosingChanges(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "+", "L", "enter")
	if len(a.Dialogs) != 1 || a.Doc.Bundle != "" {
		t.Fatal("unsaved changes were not asked about")
	}
	press(a, "d")
	if a.Doc.Bundle == "" || a.screens[a.screen].pane != nil || a.home.charts[a.home.chart].name != "noise" {
		t.Errorf("opened %q, chart %s", a.Doc.Bundle, a.home.charts[a.home.chart].name)
	}
}

func TestLectureLinksByDigit(t *testing.T) {
	a, l := lecturesAt(t, 120, 36)
	topic, _ := l.topic()
	at := slices.IndexFunc(topic.See, func(x lectures.Link) bool { return x == "screen:noise" })
	press(a, string(rune('1'+at)))
	if a.screen != 0 || a.home.charts[a.home.chart].name != "noise" || a.Doc.Bundle != "" {
		t.Errorf("screen %d, chart %s, document %q", a.screen, a.home.charts[a.home.chart].name, a.Doc.Bundle)
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

func TestLecturesFilter(t *testing.T) {
	a, l := lecturesAt(t, 80, 24)
	press(a, "/")
	typed(a, "renyi div")
	topic, ok := l.topic()
	if !ok || !strings.Contains(topic.Slides+topic.Concept, "Rényi") {
		t.Errorf("found %q", topic.Slides)
	}
	all := len(l.pick.Found)
	press(a, "q") // a letter, not the key that quits
	if a.quiet || len(l.pick.Found) > all {
		t.Errorf("%d found after another letter, quiet %t", len(l.pick.Found), a.quiet)
	}
	exact(t, a, "filter")
	press(a, "esc")
	if a.screen == 0 || len(l.pick.Found) != len(l.topics) {
		t.Error("esc did not clear the filter first")
	}
	press(a, "esc")
	if a.screen != 0 {
		t.Error("esc did not go back")
	}
}

func TestLecturesWalk(t *testing.T) {
	a, l := lecturesAt(t, 80, 24)
	press(a, "right", "right", "down", "left")
	if got, _ := l.topic(); got.deck != 2 || got.number != 1 {
		t.Errorf("deck %d, topic %d", got.deck, got.number)
	}
	press(a, "end", "pgup", "end", "down")
	if l.pick.At != len(l.topics)-1 {
		t.Errorf("the end is topic %d", l.pick.At)
	}
	for _, size := range [][2]int{{60, 18}, {80, 24}, {99, 30}, {100, 24}, {120, 36}, {200, 55}} {
		send(a, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, at := range []int{0, 30, len(l.topics) - 1} {
			l.pick.At = at
			exact(t, a, "lectures")
			if topic, _ := l.topic(); !strings.Contains(plainView(a), topic.Slides[:min(10, len(topic.Slides))]) {
				t.Errorf("topic %d is not in sight at %v", at, size)
			}
		}
	}
	send(a, tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	if l.pick.At != len(l.topics)-4 {
		t.Errorf("the wheel went to topic %d", l.pick.At)
	}
}

// A topic whose slide slips says so, with the right statement.
func TestLecturesShowCorrections(t *testing.T) {
	a, l := lecturesAt(t, 200, 55)
	i := slices.IndexFunc(l.topics, func(x lectureTopic) bool { return x.Slip != "" })
	l.pick.At = i
	view := plainView(a)
	if !strings.Contains(view, "The slide:") || !strings.Contains(view, "Right:") || !strings.Contains(view, "corrected") {
		t.Error("the correction is not on the screen")
	}
}
