package lecturesview

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/teach/lectures"
)

// open shows the topic in the way that suits it best.
func (l *Screen) open() tea.Cmd {
	t := l.selectedTopic()
	if t == nil {
		return nil
	}
	return l.Explorer.Follow(string(t.MainLink()), t.Scenario(), t.Methods()...)
}

func (l *Screen) followLink(i int) tea.Cmd {
	t := l.selectedTopic()
	if t == nil || i < 0 || i >= len(t.See) {
		return nil
	}
	return l.Explorer.Follow(string(t.See[i]), t.Scenario(), t.Methods()...)
}

// TopicLabel returns the selected topic in a few letters: "Bellet 3/22".
func (l *Screen) TopicLabel() string {
	t := l.selectedTopic()
	if t == nil {
		return ""
	}
	deck := lectures.Decks()[t.deck]
	return fmt.Sprintf("%s %d/%d", surname(deck), t.number, len(deck.Topics))
}

// surname returns the last name of who gave a deck.
func surname(d lectures.Deck) string { return d.Author[strings.LastIndexByte(d.Author, ' ')+1:] }

// Walk goes to the next topic of the slides, or the one before, and opens it. A filter that found the present one goes:
// what it found next may be any deck's.
func (l *Screen) Walk(by int) tea.Cmd {
	l.load()
	if l.hasFilter() {
		l.typing = false
		l.setFilter("")
	}
	was := l.pick.At
	if l.pick.Move(by); l.pick.At == was {
		return l.Say("there is no other topic that way")
	}
	return l.open()
}

// author returns who gave a deck; a name that is no deck of ours stands for itself.
func author(deck string) string {
	for _, d := range lectures.Decks() {
		if d.Key == deck {
			return d.Author
		}
	}
	return deck
}
