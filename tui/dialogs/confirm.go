// Package dialogs is what stands over a screen and takes every key: questions, fields to type
// into, lists to search, forms made from the catalogue. A room calls the function that puts
// one up, with the shell it has.
package dialogs

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Confirm asks one question with a few answers, each on its own key.
type Confirm struct {
	*kit.Shell
	Title    string
	question string
	answers  []Answer
}

// Answer is one of them; see [Reply].
type Answer struct {
	key, text string
	do        func() tea.Cmd
}

// Reply is an answer: its key, what it says, and what follows; nil for nothing.
func Reply(key, text string, do func() tea.Cmd) Answer { return Answer{key, text, do} }

// Ask puts a question up. Esc cancels it, unless an answer has that key.
func Ask(s *kit.Shell, title, question string, answers ...Answer) {
	if !slices.ContainsFunc(answers, func(x Answer) bool { return x.key == "esc" }) {
		answers = append(answers, Reply("esc", "cancel", nil))
	}
	s.Push(&Confirm{s, title, question, answers})
}

func (c *Confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	for _, x := range c.answers {
		if msg.String() == x.key {
			c.Pop()
			if x.do == nil {
				return nil
			}
			return x.do()
		}
	}
	return nil
}

func (c *Confirm) View(w, h int) []string {
	p := c.Pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	out := kit.NewWriter(p, inner)
	out.Prose(p.Text, c.question)
	out.Gap()
	for _, x := range c.answers {
		ink := p.Text
		if x.key == "esc" {
			ink = p.Muted
		}
		out.Add(p.Line(inner).Skip(1).Left(p.Key, kit.KeyName(x.key), 6).Put(ink, x.text))
	}
	h = min(h, len(out.Lines)+2)
	return p.Frame(draw.Frame{Title: c.Title, Focus: true}, out.Lines, w, h)
}
