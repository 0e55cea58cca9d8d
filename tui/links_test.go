package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/report/chart"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
	"epsiloscope/tui/home"
)

// sees is what a link must bring to the screen.
func sees(t *testing.T, a *App, topic lectures.Topic, to lectures.Link) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, %s: %s", topic.Slides, to, fmt.Sprintf(format, args...))
	}
	if a.Status.Bad {
		fail("%s", a.Status.Text)
	}
	scenario := topic.Scenario()
	if to.Kind() == "scenario" {
		scenario = to.Name()
	}
	name, view := a.screens[a.screen].name, plainView(a)
	switch kind := to.Kind(); {
	case to == "screen:library":
		if len(a.Dialogs) != 1 || !strings.Contains(view, "Open") {
			fail("the library is not open")
		}
		return
	case kind == "lab":
		lab, _ := labs.Lookup(to.Name())
		if name != "labs" || !strings.Contains(view, lab.Title) {
			fail("on the screen %s", name)
		}
		return
	case kind == "exercise":
		if name != "exercises" || !strings.Contains(view, "Exercise ") {
			fail("on the screen %s", name)
		}
		return
	case kind == "proof":
		proof, _ := proofs.Lookup(to.Name())
		if name != "proofs" || !strings.Contains(view, proof.Title) {
			fail("on the screen %s", name)
		}
	case kind == "chart":
		if c, fresh, err := a.home.NewestChart(); err != nil || !fresh || len(c.Series)+len(c.Bars) == 0 {
			fail("the chart is empty: %v", err)
		}
		if name != "home" || a.home.CurrentChart().Of.Name != to.Name() {
			fail("on the screen %s, chart %s", name, a.home.CurrentChart().Name)
		}
	case kind == "scenario":
		if name != "home" {
			fail("on the screen %s", name)
		}
	default:
		if name != to.Name() {
			fail("on the screen %s", name)
		}
	}
	if a.Doc.Bundle != scenario {
		fail("it is about %q, not %q", a.Doc.Bundle, scenario)
	}
}

// Every link of every topic opens what it names, about the topic's own scenario, and esc
// comes back to the topic. Nothing of it is computed by a stand-in but the bounds and the
// runs of the labs.
func TestEveryLinkOfEveryTopic(t *testing.T) {
	charts := slices.Clone(rememberedCharts())
	for i := range charts { // what the numerical accountant adds is not in question
		charts[i].Of.Tight = false
	}
	a := start(t, 120, 36, setup{charts: charts})
	press(a, "screen.lectures")
	at := a.screen
	for _, deck := range lectures.Decks() {
		for n, topic := range deck.Topics {
			for i, to := range topic.See {
				if n%gauge.Cases(10, 1) != 0 {
					break
				}
				if to.Kind() == "lab" { // shown, not run: each is run in its own tests
					a.Jobs.Eager = false
				}
				_, cmd := a.Update(stand.Key(string(rune('1' + i))))
				if to.Kind() != "lab" {
					drain(a, cmd)
				}
				a.Jobs.Eager = true
				sees(t, a, topic, to)
				if len(a.Dialogs) > 0 {
					press(a, "esc")
				} else if press(a, "esc"); to.Kind() == "lab" && a.screen != at {
					press(a, "esc") // the first stops the run
				}
				if a.screen != at {
					t.Fatalf("%s, %s: esc led to the screen %s", topic.Slides, to, a.screens[a.screen].name)
				}
			}
			if !strings.Contains(plainView(a), topic.Slides[:min(20, len(topic.Slides))]) {
				t.Fatalf("%s: esc did not come back to the topic", topic.Slides)
			}
			press(a, "down")
		}
	}
}

// Enter opens the main link; > walks on from wherever it led.
func TestWalkThroughADeck(t *testing.T) {
	a := start(t, 120, 36, setup{charts: rememberedCharts()})
	press(a, "screen.lectures", "enter")
	topics := lectures.Decks()[0].Topics
	sees(t, a, topics[0], topics[0].MainLink())
	for _, topic := range topics[1:4] {
		press(a, "next-topic")
		sees(t, a, topic, topic.MainLink())
	}
	press(a, "previous-topic")
	sees(t, a, topics[2], topics[2].MainLink())
	press(a, "esc")
	if view := plainView(a); !strings.Contains(view, "topic 3 of") {
		t.Errorf("esc did not come back to the third topic:\n%s", view)
	}
	press(a, "esc")
	if a.screen != 0 {
		t.Error("a second esc did not go home")
	}
}

// The whole course can be walked with one key, in the terminal most people have: every
// topic opens its main link, the footer says which topic it is, and the last key goes no
// further.
func TestWalkTheWholeCourse(t *testing.T) {
	a := start(t, 80, 24, setup{charts: fakeCharts()})
	press(a, "screen.lectures", "enter")
	first := true
	for _, deck := range lectures.Decks() {
		for i, topic := range deck.Topics {
			if !first {
				a.Jobs.Eager = topic.MainLink().Kind() != "lab" // shown, not run: each is run in its own tests
				_, cmd := a.Update(stand.Key(">"))
				if a.Jobs.Eager {
					drain(a, cmd)
				}
				a.Jobs.Eager = true
			}
			first = false
			where := fmt.Sprintf("%s %d/%d", deck.Author[strings.LastIndexByte(deck.Author, ' ')+1:], i+1, len(deck.Topics))
			if a.topic() != where {
				t.Fatalf("%s, %s: the footer says %q", deck.Key, topic.Slides, a.topic())
			}
			lines := strings.Split(plainView(a), "\n")
			if len(lines) != 24 {
				t.Fatalf("%s, %s: %d lines", deck.Key, topic.Slides, len(lines))
			}
			if len(a.Dialogs) > 0 { // the library stands over the screen
				press(a, "esc")
			}
		}
	}
	press(a, "next-topic")
	if !strings.Contains(a.Status.Text, "no other topic") {
		t.Errorf("after the last topic: %q", a.Status.Text)
	}
}

// Every chart of home can be linked to by the name of its kind.
func TestChartStems(t *testing.T) {
	for _, c := range home.ChartKinds() {
		if _, err := chart.FindKind(c.Of.Name); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestLecturesAskBeforeLosingChanges(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "knob.up", "screen.lectures", "enter")
	if len(a.Dialogs) != 1 || a.Doc.Bundle != "" {
		t.Fatal("unsaved changes were not asked about")
	}
	press(a, "d")
	if a.Doc.Bundle == "" || a.screen != 0 || a.home.CurrentChart().Name != "noise" {
		t.Errorf("opened %q, chart %s", a.Doc.Bundle, a.home.CurrentChart().Name)
	}
}

// A link of a lecture shows its lab and runs it; a digit reaches it while a filter is typed.
func TestLinksOpenLabs(t *testing.T) {
	a := start(t, 120, 36, looks["no-color"])
	press(a, "screen.lectures", "lectures.filter")
	typed(a, "renyi div")
	press(a, "1")
	if a.Doc.Bundle != "renyi-order" {
		t.Errorf("1 opened %q", a.Doc.Bundle)
	}
	drain(a, a.Follow("lab:exponential", ""))
	send(a, nil)
	if view := plainView(a); a.screens[a.screen].name != "labs" || !strings.Contains(view, "Exponential (") {
		t.Errorf("the link did not open and run its lab:\n%s", view)
	}
}

func TestGoldenLabs(t *testing.T) {
	for _, size := range sizes[:2] {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			a := start(t, size[0], size[1], looks["no-color"])
			press(a, "screen.labs", "tab", "down", "down", "labs.type")
			typed(a, "100") // repeats: quick
			press(a, "enter", "up", "up", "tab", "enter")
			golden.RequireEqual(t, []byte(a.View()))
		})
	}
}

// From a topic that was searched for, > opens that of the next slide, as the footer says ("Bellet 14/23 > next topic"),
// and not whatever else was found.
func TestNextTopicOfAFoundOne(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "screen.lectures", "lectures.filter")
	typed(a, "hair")
	press(a, "enter", "enter")
	for _, s := range []struct{ key, topic string }{{"", "Bellet 14/23"}, {">", "Bellet 15/23"}, {"<", "Bellet 14/23"}, {"<", "Bellet 13/23"}} {
		if s.key != "" {
			press(a, s.key)
		}
		if a.topic() != s.topic || a.screens[a.screen].name == "lectures" {
			t.Errorf("%q: at %q on %s, not %q", s.key, a.topic(), a.screens[a.screen].name, s.topic)
		}
	}
}
