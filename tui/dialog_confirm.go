package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// confirm asks one question with a few answers, each on its own key.
type confirm struct {
	*kit.Shell
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
func ask(s *kit.Shell, title, question string, answers ...answer) {
	s.Push(&confirm{s, title, question, answers})
}

func (c *confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	for _, x := range c.answers {
		if msg.String() == x.key {
			c.Pop()
			if x.do == nil {
				return nil
			}
			return x.do()
		}
	}
	if msg.String() == "esc" {
		c.Pop()
	}
	return nil
}

func (c *confirm) View(w, h int) []string {
	p := c.Pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	out := kit.NewWriter(p, inner)
	out.Prose(p.Text, c.question)
	out.Gap()
	for _, x := range c.answers {
		out.Add(p.Line(inner).Skip(1).Left(p.Key, kit.KeyName(x.key), 6).Put(p.Text, x.text))
	}
	out.Add(p.Line(inner).Skip(1).Left(p.Key, "esc", 6).Put(p.Muted, "cancel"))
	h = min(h, len(out.Lines)+2)
	return p.Frame(draw.Frame{Title: c.title, Focus: true}, text.Box(out.Lines, inner, h-2), w, h)
}
