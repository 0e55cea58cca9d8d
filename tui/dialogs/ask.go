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

	interrupts bool // it came up while something else was being done
	at         int  // of a question that interrupts, the answer that is selected; -1 for none yet
}

// Ask puts a question up. Esc cancels it, unless an answer has that key.
func Ask(s *kit.Shell, title, question string, answers ...kit.Binding) tea.Cmd {
	s.Push(newConfirm(s, title, question, answers))
	return nil
}

// Interrupt puts up a question that nobody pressed a key for. What is typed next was meant for something else, so no
// single key but esc answers it: arrows or a letter select an answer, and only then does enter take it.
func Interrupt(s *kit.Shell, title, question string, answers ...kit.Binding) tea.Cmd {
	c := newConfirm(s, title, question, answers)
	c.interrupts, c.at = true, -1
	s.Push(c)
	return nil
}

func newConfirm(s *kit.Shell, title, question string, answers []kit.Binding) *Confirm {
	if !slices.ContainsFunc(answers, isEscape) {
		answers = append(answers, kit.Bind("esc", "", "cancel", kit.NoCmd(func() {})))
	}
	return &Confirm{Shell: s, Title: title, question: question, answers: answers}
}

func isEscape(x kit.Binding) bool { return x.Label() == "esc" }

func (c *Confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	n := len(c.answers)
	if c.interrupts {
		switch msg.String() {
		case "up", "shift+tab":
			c.at = (max(c.at, 0) - 1 + n) % n
			return nil
		case "down", "tab":
			c.at = (c.at + 1) % n
			return nil
		case "enter":
			if c.at < 0 {
				return nil
			}
			c.Pop()
			return c.answers[c.at].Do()
		}
	}
	for i, x := range c.answers {
		switch {
		case !key.Matches(msg, x.Binding):
		case c.interrupts && !isEscape(x):
			c.at = i
			return nil
		default:
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
	for i, x := range c.answers {
		ink, selected := p.Text, c.interrupts && i == c.at
		switch {
		case selected:
			ink = p.Accent
		case isEscape(x):
			ink = p.Muted
		}
		out.Hang(7, ink, x.Name, func(l *draw.Line) {
			if selected {
				l.Put(p.Accent, p.Glyphs.Select)
			}
			l.FillTo(map[bool]int{false: 1, true: 2}[c.interrupts]).Left(p.Key, x.Label(), 5)
		})
	}
	if !c.interrupts {
		return p.Frame(draw.Frame{Title: c.Title, Focus: true}, out.Lines, w, min(h, len(out.Lines)+2))
	}
	keys := []kit.Binding{kit.Hint("↑↓", "choose")}
	if c.at >= 0 {
		keys = append(keys, kit.Hint("enter", "answer"))
	}
	return c.DrawBox(c.Title, append(out.Lines, ""), w, min(h, len(out.Lines)+4), "", keys...)
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
	field := kit.Field(p.Line(inner), p, q.input.Input, inner, true, q.input.Fresh)
	lines := append(kit.WrapText(p, p.Muted, q.Help, inner), field.String())
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
