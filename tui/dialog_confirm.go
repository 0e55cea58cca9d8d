package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// confirm asks one question with a few answers, each on its own key.
type confirm struct {
	*Shell
	title    string
	question string
	answers  []answer
}

type answer struct {
	key, text string
	do        func() tea.Cmd
}

// reply is an answer: its key, what it says, and what follows; nil for nothing.
func reply(key, text string, do func() tea.Cmd) answer { return answer{key, text, do} }

// ask puts a question up.
func ask(s *Shell, title, question string, answers ...answer) {
	s.push(&confirm{s, title, question, answers})
}

func (c *confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	for _, x := range c.answers {
		if msg.String() == x.key {
			c.pop()
			if x.do == nil {
				return nil
			}
			return x.do()
		}
	}
	if msg.String() == "esc" {
		c.pop()
	}
	return nil
}

func (c *confirm) View(w, h int) []string {
	p := c.pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	out := newWriter(p, inner)
	out.prose(p.Text, c.question)
	out.gap()
	for _, x := range c.answers {
		out.add(p.Line(inner).Skip(1).Left(p.Key, keyName(x.key), 6).Put(p.Text, x.text))
	}
	out.add(p.Line(inner).Skip(1).Left(p.Key, "esc", 6).Put(p.Muted, "cancel"))
	h = min(h, len(out.lines)+2)
	return p.Frame(draw.Frame{Title: c.title, Focus: true}, text.Box(out.lines, inner, h-2), w, h)
}
