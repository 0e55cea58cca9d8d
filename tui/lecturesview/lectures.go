// Package lecturesview is the index of the lecture decks on the screen: topics, corrections, and
// links to what shows each.
package lecturesview

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/teach/lectures"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Screen is the index of the lecture decks: topics on one side, on the other
// what the selected one teaches, what is right where its slide slips, and the
// scenarios, labs, charts, proofs and screens that show it.
type Screen struct {
	kit.Base
	topics []topic
	pick   *dialogs.Picker // filters the topics and holds the selection
	typing bool
	text   kit.Scroll
}

// topic is a topic and where it belongs.
type topic struct {
	lectures.Topic
	deck   int
	number int // within its deck, from 1
}

// New returns the screen of the decks and their topics.
func New(s *kit.Shell) *Screen { return &Screen{Base: kit.Base{Shell: s}} }

// OnShow reads the index the first time.
func (l *Screen) OnShow() tea.Cmd { l.load(); return nil }

func (l *Screen) load() {
	if l.pick != nil {
		return
	}
	var items []dialogs.Item
	for d, deck := range lectures.Decks() {
		for i, t := range deck.Topics {
			l.topics = append(l.topics, topic{t, d, i + 1})
			items = append(items, dialogs.Item{
				Head: deck.Key, Name: accents.Replace(t.Slides),
				Title: accents.Replace(t.Concept + " " + t.Correction + " " + deck.Author),
			})
		}
	}
	l.pick = dialogs.NewPicker(l.Shell, items)
	l.pick.Query = accents.Replace
}

// accents are taken off, for those who type Renyi.
var accents = strings.NewReplacer("é", "e", "É", "E", "è", "e", "ö", "o", "ü", "u", "’", "'")

func (l *Screen) Keys() kit.Table {
	move := func(by int) func() tea.Cmd { return kit.NoCmd(func() { l.pick.Move(by) }) }
	return kit.NewTable("Lectures screen",
		kit.Action("lectures.open", "enter", "open", "Open what shows the topic: its lab, chart, proof or screen, with its scenario", l.open),
		kit.Action("lectures.filter", "/", "filter", "Filter the topics", kit.NoCmd(func() { l.setFilter(""); l.typing = true })),
		kit.Action("lectures.up", "up k", "", "Topic above", move(-1)),
		kit.Action("lectures.down", "down j", "", "Topic below", move(+1)),
		kit.Action("lectures.ten-up", "pgup", "", "Ten topics up", move(-10)),
		kit.Action("lectures.ten-down", "pgdown", "", "Ten topics down", move(+10)),
		kit.Action("lectures.first", "home", "", "First topic", move(-1<<20)),
		kit.Action("lectures.last", "end", "", "Last topic", move(+1<<20)),
		kit.Action("lectures.next-deck", "right l", "", "Next lecture", kit.NoCmd(func() { l.deckBy(+1) })),
		kit.Action("lectures.previous-deck", "left h", "", "Previous lecture", kit.NoCmd(func() { l.deckBy(-1) })),
		kit.Action("lectures.scroll-down", "J shift+down", "", "Scroll the text down", l.text.ScrollBy(+1)),
		kit.Action("lectures.scroll-up", "K shift+up", "", "Scroll the text up", l.text.ScrollBy(-1)),
		kit.Action("lectures.link", "1 2 3 4 5 6 7 8 9", "", "Open that link of the topic", func() tea.Cmd { return l.followLink(0) }),
	)
}

func (l *Screen) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	key := msg.String()
	digit := len(key) == 1 && key >= "1" && key <= "9"
	switch {
	case digit && (!l.typing || l.hasFilter()):
		return l.followLink(int(key[0] - '1')), true
	case key == "esc" && (l.typing || l.hasFilter()): // the filter goes before the screen does
		l.typing = false
		l.setFilter("")
	case key == "enter" && l.typing: // keeps what was found: the next opens, a digit follows a link
		l.typing = false
	case l.typing:
		l.pick.Handle(msg)
	default:
		return nil, false
	}
	return nil, true
}

// TypingKeys returns the keys that are no letters of the filter while it is typed.
func (l *Screen) TypingKeys() []kit.Binding {
	if !l.typing {
		return nil
	}
	return []kit.Binding{kit.Hint("enter", "keep the filter"), kit.Hint("↑↓", "topic"), kit.Hint("esc", "show all")}
}

func (l *Screen) hasFilter() bool { return l.pick != nil && l.pick.Input.Value() != "" }

// setFilter searches anew and stays on the topic that was selected.
func (l *Screen) setFilter(s string) {
	was := l.selectedTopic()
	l.pick.Input.SetValue(s)
	l.pick.Search()
	l.pick.At = max(0, slices.IndexFunc(l.pick.Found, func(i int) bool { return &l.topics[i] == was }))
}

// deckBy goes to the first topic of the next lecture, or to that of this one and
// then of the one before.
func (l *Screen) deckBy(by int) {
	t := l.selectedTopic()
	if t == nil || l.hasFilter() {
		return
	}
	goal := t.deck + by
	if by < 0 && t.number > 1 {
		goal = t.deck
	}
	if i := slices.IndexFunc(l.topics, func(x topic) bool { return x.deck == goal }); i >= 0 {
		l.pick.SelectHead(i)
	}
}

// selectedTopic returns the topic at the cursor; nil if there is none.
func (l *Screen) selectedTopic() *topic {
	if l.pick == nil || l.pick.At >= len(l.pick.Found) {
		return nil
	}
	return &l.topics[l.pick.Found[l.pick.At]]
}

func (l *Screen) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	list, beside := l.split()
	switch {
	case l.Projector || beside && x >= list || !beside && y >= list:
		l.text.Wheel(m)
	case kit.Wheel(m) != 0:
		l.pick.Move(3 * kit.Wheel(m))
	case kit.Click(m):
		if beside {
			list = l.H
		}
		if shown := l.pick.VisibleRows(list - 3); y >= 2 && y-2 < len(shown) && shown[y-2] >= 0 {
			l.pick.At = shown[y-2]
		}
	}
	return nil
}

// measure is the widest line of the text about a topic.
const measure = 96

// split returns the width of the list beside the text, or its height above it.
func (l *Screen) split() (list int, beside bool) {
	if l.W >= 100 {
		return max(min(l.W*45/100, 80), min(l.W-measure-4, 104)), true // the text leaves the rest free
	}
	return max(7, l.H*32/100), false
}

func (l *Screen) View(bool) []string {
	l.load()
	if l.Projector {
		return l.textBox(l.W, l.H)
	}
	n, beside := l.split()
	if !beside {
		return append(l.listBox(l.W, n), l.textBox(l.W, l.H-n)...)
	}
	return kit.JoinColumns(l.listBox(n, l.H), l.textBox(l.W-n, l.H))
}

func (l *Screen) textBox(w, h int) []string {
	inner, rows := draw.Inner(w, h)
	t := l.selectedTopic()
	if l.text.Fill([...]any{w, h, l.Themes, t}, inner, rows-1, func() []string { return l.write(inner) }) {
		l.text.GotoTop()
	}
	title := "Topic"
	var hints []kit.Binding
	if t != nil {
		switch {
		case !l.typing:
			hints = []kit.Binding{kit.Hint("enter", "open"), kit.Hint("1-9", "link"), kit.Hint(">", "next topic")}
		case l.hasFilter():
			hints = []kit.Binding{kit.Hint("1-9", "link")}
		}
		deck := lectures.Decks()[t.deck]
		title = fmt.Sprintf("%s, topic %d of %d", deck.Author, t.number, len(deck.Topics))
		if t.Number != "" {
			title += ", " + t.Place()
		}
	}
	if l.text.Longer() && !l.typing {
		hints = append(hints, kit.Hint("J K", "scroll"))
	}
	if !l.typing && !l.hasFilter() {
		hints = append(hints, kit.Hint("esc", "back"))
	}
	return l.Pen.Frame(draw.Frame{Title: title}, l.text.Lines(), w, h, l.Foot(inner, hints...))
}
