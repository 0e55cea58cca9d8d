package dialogs

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Prompt asks for one line of text and checks it while it is typed.
type Prompt struct {
	*kit.Shell
	Title string
	Help  string
	Verb  string // what enter does; "" for apply
	input textinput.Model
	// check says what is wrong with the text, or what it means; done uses it.
	Check func(string) (meaning string, err error)
	Done  func(string) (tea.Cmd, error)
	err   error
}

// Open puts the question up, with a text to begin with.
func (q Prompt) Open(s *kit.Shell, text string) tea.Cmd {
	q.Shell, q.input = s, kit.NewInput(text)
	s.Push(&q)
	return nil
}

// AskNumber asks for a number that a parameter allows.
func AskNumber(s *kit.Shell, title, help string, p param.Param, done func(x float64) tea.Cmd) tea.Cmd {
	return Prompt{Title: title, Help: help,
		Check: func(s string) (string, error) {
			if strings.TrimSpace(s) == "" {
				return "", nil
			}
			return Meaning(p, s)
		},
		Done: func(s string) (tea.Cmd, error) {
			if _, err := Meaning(p, s); err != nil {
				return nil, err
			}
			x, err := numeral.Parse(s)
			return done(x), err
		},
	}.Open(s, "")
}

func (q *Prompt) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		q.Pop()
		return nil
	case "enter":
		q.Pop()
		cmd, err := q.Done(q.input.Value())
		if err != nil { // stay, with the reason
			q.err = err
			q.Push(q)
		}
		return cmd
	}
	q.err = nil
	var cmd tea.Cmd
	q.input, cmd = q.input.Update(kit.CleanKey(msg))
	return cmd
}

func (q *Prompt) View(w, h int) []string {
	p := q.Pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	lines := append(kit.Wrapped(p, p.Muted, q.Help, inner), kit.Field(p.Line(inner), p, q.input, inner, true, false).String())
	note, ink := "", p.Muted
	if q.Check != nil {
		meaning, err := q.Check(q.input.Value())
		note = meaning
		if err != nil {
			note, ink = err.Error(), p.Over
		}
	}
	if q.err != nil {
		note, ink = q.err.Error(), p.Over
	}
	notes := kit.Wrapped(p, ink, note, inner)
	lines = append(lines, notes[:min(3, len(notes))]...)
	return q.Boxed(q.Title, lines, "enter "+cmp.Or(q.Verb, "apply")+"   esc cancel", w, min(h, len(lines)+3))
}
