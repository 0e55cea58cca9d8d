package lectures

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/lectures"
)

// open shows the topic in the way that suits it best.
func (l *Screen) open() tea.Cmd {
	t := l.selected()
	if t == nil {
		return nil
	}
	return l.Explorer.Follow(t.Main(), t.Scenario())
}

func (l *Screen) followLink(i int) tea.Cmd {
	t := l.selected()
	if t == nil || i < 0 || i >= len(t.See) {
		return nil
	}
	return l.Explorer.Follow(t.See[i], t.Scenario())
}

// Here is the topic selected in a few letters: "Bellet 3/22".
func (l *Screen) Here() string {
	t := l.selected()
	if t == nil {
		return ""
	}
	deck := lectures.Decks()[t.deck]
	name := deck.Author[strings.LastIndexByte(deck.Author, ' ')+1:]
	return fmt.Sprintf("%s %d/%d", name, t.number, len(deck.Topics))
}

// Walk goes to the next topic, or the one before, and opens it.
func (l *Screen) Walk(by int) tea.Cmd {
	l.load()
	was := l.pick.At
	if l.pick.Move(by); l.pick.At == was {
		return l.Say("there is no other topic that way")
	}
	return l.open()
}

// author is who gave a deck; a name that is no deck of ours stands for itself.
func author(deck string) string {
	for _, d := range lectures.Decks() {
		if d.Key == deck {
			return d.Author
		}
	}
	return deck
}
