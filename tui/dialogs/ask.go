// Package dialogs is what stands over a screen and takes every key: questions, fields to type
// into, lists to search, forms made from the catalogue. A screen calls the function that puts
// one up, with the shell it has.
package dialogs

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Confirm asks one question with a few answers, each on its own key.
type Confirm struct {
	*kit.Shell
	Title    string
	question string
	answers  []kit.Binding
}

// Ask puts a question up. Esc cancels it, unless an answer has that key.
func Ask(s *kit.Shell, title, question string, answers ...kit.Binding) tea.Cmd {
	if !slices.ContainsFunc(answers, func(x kit.Binding) bool { return x.Label() == "esc" }) {
		answers = append(answers, kit.Bind("esc", "", "cancel", kit.NoCmd(func() {})))
	}
	s.Push(&Confirm{s, title, question, answers})
	return nil
}

func (c *Confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	for _, x := range c.answers {
		if key.Matches(msg, x.Binding) {
			c.Pop()
			return x.Do()
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
		if x.Label() == "esc" {
			ink = p.Muted
		}
		out.Hang(7, ink, x.Name, func(l *draw.Line) { l.Skip(1).Left(p.Key, x.Label(), 6) })
	}
	h = min(h, len(out.Lines)+2)
	return p.Frame(draw.Frame{Title: c.Title, Focus: true}, out.Lines, w, h)
}

// Prompt asks for one line of text and checks it while it is typed.
type Prompt struct {
	*kit.Shell
	Title string
	Help  string
	Verb  string // what enter does; "" for apply
	input kit.Blank
	// Check says what is wrong with a text, or what it means, while it is typed; Done uses one
	// with which nothing is wrong.
	Check func(string) (meaning string, err error)
	Done  func(string) (tea.Cmd, error)
	err   error
}

// Open puts the question up, with a text to begin with, which the first letter typed replaces.
func (q Prompt) Open(s *kit.Shell, text string) tea.Cmd {
	q.Shell, q.input = s, kit.Blank{Input: kit.NewInput(text), Fresh: text != ""}
	s.Push(&q)
	return nil
}

// AskValue asks for a value that a parameter allows.
func AskValue(s *kit.Shell, title, help string, p param.Param, done func(param.Value) tea.Cmd) tea.Cmd {
	parse := func(s string) (param.Value, error) {
		v, err := scenarios.ParseValue(p, s)
		if wrong := (*param.Error)(nil); errors.As(err, &wrong) { // in a sentence: "epsilon is not a number"
			err = errors.New(strings.TrimSpace(wrong.Param + " " + wrong.Problem))
		}
		return v, err
	}
	return Prompt{Title: title, Help: help,
		Check: func(s string) (string, error) {
			if _, err := numeral.Parse(s); err == nil && p.Type.Numeric() {
				return Meaning(p, s)
			}
			_, err := parse(s)
			return "", err
		},
		Done: func(s string) (tea.Cmd, error) {
			v, err := parse(s)
			if err != nil {
				return nil, err
			}
			return done(v), nil
		},
	}.Open(s, "")
}

func (q *Prompt) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		q.Pop()
		return nil
	case "enter":
		if q.Check != nil {
			if _, q.err = q.Check(q.input.Value()); q.err != nil {
				return nil
			}
		}
		q.Pop()
		cmd, err := q.Done(q.input.Value())
		if err != nil { // stay, with the reason
			q.err = err
			q.Push(q)
		}
		return cmd
	}
	q.err = nil
	q.input.Take(msg)
	return nil
}

func (q *Prompt) View(w, h int) []string {
	p := q.Pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	lines := append(kit.WrapText(p, p.Muted, q.Help, inner), kit.Field(p.Line(inner), p, q.input.Input, inner, true, q.input.Fresh).String())
	note, ink := "", p.Muted
	err := q.err
	if typed := q.input.Value(); q.Check != nil && err == nil && typed != "" { // nothing is not yet wrong
		note, err = q.Check(typed)
	}
	if err != nil {
		note, ink = err.Error(), p.Over
	}
	notes := kit.WrapText(p, ink, note, inner)
	lines = append(lines, notes[:min(3, len(notes))]...)
	keys := []kit.Binding{kit.Hint("enter", cmp.Or(q.Verb, "apply")), kit.Hint("esc", "cancel")}
	if err != nil { // what is wrong cannot be applied
		keys = keys[1:]
	}
	return q.DrawBox(q.Title, lines, w, min(h, len(lines)+3), "", keys...)
}
