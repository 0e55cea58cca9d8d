package lecturesview

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/teach/lectures"
)

func open(t *testing.T, w, h int) (*stand.Stand, *Screen) {
	sh := stand.Shell(t, scenarios.New())
	l := New(sh)
	l.load()
	return stand.New(t, sh, l, w, h), l
}

func TestLecturesFilter(t *testing.T) {
	on, l := open(t, 80, 22)
	on.Press("lectures.filter")
	on.Type("renyi div")
	if topic := l.selectedTopic(); topic == nil || !strings.Contains(topic.Slides+topic.Concept, "Rényi") {
		t.Errorf("found %v", topic)
	}
	all := len(l.pick.Found)
	on.Press("q") // a letter, not the key that quits
	if len(on.Left) > 0 || len(l.pick.Found) > all {
		t.Errorf("%d found after another letter, left to the explorer: %q", len(l.pick.Found), on.Left)
	}
	on.Type("zzz")
	if view := on.View(); len(l.pick.Found) > 0 || strings.Contains(view, "enter open") {
		t.Errorf("%d found, and it can be opened:\n%s", len(l.pick.Found), view)
	}
	on.Press("esc")
	if len(on.Left) > 0 || len(l.pick.Found) != len(l.topics) {
		t.Error("esc did not clear the filter first")
	}
	on.Press("esc")
	if !slices.Contains(on.Left, "esc") {
		t.Error("esc did not go back")
	}
}

func TestLecturesWalk(t *testing.T) {
	on, l := open(t, 120, 34)
	on.Press("right") // its heading comes to the top, so that its topics are in sight
	if view := on.View(); !strings.Contains(view, "Ashwin Machanavajjhala") || !strings.Contains(view, "20 ") || strings.Contains(view, "Reminder: differential privacy") {
		t.Errorf("the topics of the next lecture are out of sight:\n%s", view)
	}
	on.Press("home")
	on.Size(80, 22)
	on.Press("right", "right", "down", "left")
	if got := l.selectedTopic(); got.deck != 2 || got.number != 1 {
		t.Errorf("deck %d, topic %d", got.deck, got.number)
	}
	on.Press("end", "pgup", "end", "down")
	if l.pick.At != len(l.topics)-1 {
		t.Errorf("the end is topic %d", l.pick.At)
	}
	for _, size := range [][2]int{{60, 16}, {80, 22}, {99, 28}, {100, 22}, {120, 34}, {200, 53}} {
		on.Size(size[0], size[1])
		for _, at := range []int{0, 30, len(l.topics) - 1} {
			l.pick.At = at
			if topic := l.selectedTopic(); !strings.Contains(on.View(), topic.Slides[:min(10, len(topic.Slides))]) {
				t.Errorf("topic %d is not in sight at %v", at, size)
			}
		}
	}
	l.HandleMouse(5, 5, tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	if l.pick.At != len(l.topics)-4 {
		t.Errorf("the wheel went to topic %d", l.pick.At)
	}
}

// A topic whose slide slips says which kind of slip it is, with the right statement.
func TestLecturesShowTags(t *testing.T) {
	on, l := open(t, 200, 53)
	for tag, label := range map[lectures.Tag]string{
		lectures.Corrected: "Corrected:", lectures.Completed: "Completed:", lectures.Transcript: "Transcript:",
	} {
		l.pick.At = slices.IndexFunc(l.topics, func(x topic) bool { return x.Tag == tag })
		view := on.View()
		if right, slip := strings.Index(view, label), strings.Index(view, "The slide:"); right > slip {
			t.Errorf("%s: the slide's mistake stands before what is right:\n%s", tag, view)
		}
		if !strings.Contains(view, "The slide:") || !strings.Contains(view, label) || !strings.Contains(view, string(tag)) {
			t.Errorf("the tag %s is not on the screen", tag)
		}
	}
}

// A slash starts anew.
func TestLecturesFilterAnew(t *testing.T) {
	on, l := open(t, 80, 22)
	on.Press("lectures.filter")
	on.Type("renyi")
	on.Press("/") // a letter while typing
	l.typing = false
	on.Press("lectures.filter")
	if l.pick.Input.Value() != "" || len(l.pick.Found) != len(l.topics) {
		t.Errorf("the filter is still %q", l.pick.Input.Value())
	}
}

// The closing page of a deck is whole on one screen: its text and its links.
func TestClosingPagesFitOneScreen(t *testing.T) {
	on, l := open(t, 120, 34)
	for i, topic := range l.topics {
		if topic.Number != "" || i+1 < len(l.topics) && l.topics[i+1].deck == topic.deck {
			continue
		}
		l.pick.At = i
		view := on.View()
		for _, word := range strings.Fields(topic.Concept + " " + topic.Correction) {
			if !strings.Contains(view, word) {
				t.Errorf("deck %d: %q is not on the screen", topic.deck, word)
			}
		}
		for _, link := range topic.See {
			if !strings.Contains(view, link.Name()) {
				t.Errorf("deck %d: the link %s is not on the screen", topic.deck, link)
			}
		}
	}
}

// A filtered list mixes the decks: every row says whose it is, beside its tag too.
func TestFilteredTopicsKeepTheLecturer(t *testing.T) {
	for _, w := range []int{80, 120, 200} {
		on, l := open(t, w, 53)
		on.Press("lectures.filter")
		on.Type("zcdp")
		lines := strings.Split(on.View(), "\n")
		for i, found := range l.pick.Found {
			topic := l.topics[found]
			row, author := lines[2+i], surname(lectures.Decks()[topic.deck])
			if i < l.H/4 && !strings.Contains(row, author) || !strings.Contains(row, string(topic.Tag)) {
				t.Errorf("%d columns: %q is by nobody: %s", w, topic.Slides, row)
			}
		}
	}
}

// No title of a topic is cut within a word, however narrow the list is.
func TestTopicsEndAfterAWord(t *testing.T) {
	for _, w := range []int{60, 80, 100, 120, 200} {
		on, l := open(t, w, 400)
		for range 20 {
			lines := l.listBox(w, 400)
			for _, row := range lines {
				if before, _, cut := strings.Cut(ansi.Strip(row), "…"); cut && !strings.HasSuffix(before, " ") {
					t.Errorf("%d columns: %s", w, ansi.Strip(row))
				}
			}
			on.Press("right")
		}
	}
}
