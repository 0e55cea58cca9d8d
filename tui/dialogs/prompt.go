package dialogs

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// Prompt asks for one line of text and checks it while it is typed.
type Prompt struct {
	*kit.Shell
	Title string
	Help  string
	Input textinput.Model
	// check says what is wrong with the text, or what it means; done uses it.
	Check func(string) (meaning string, err error)
	Done  func(string) (tea.Cmd, error)
	err   error
}

func (q *Prompt) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		q.Pop()
		return nil
	case "enter":
		q.Pop()
		cmd, err := q.Done(q.Input.Value())
		if err != nil { // stay, with the reason
			q.err = err
			q.Push(q)
		}
		return cmd
	}
	q.err = nil
	var cmd tea.Cmd
	q.Input, cmd = q.Input.Update(kit.CleanKey(msg))
	return cmd
}

func (q *Prompt) View(w, h int) []string {
	p := q.Pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	lines := append(kit.Wrapped(p, p.Muted, q.Help, inner), kit.Field(p.Line(inner), p, q.Input, inner, true, false).String())
	note, ink := "", p.Muted
	if q.Check != nil {
		meaning, err := q.Check(q.Input.Value())
		note = meaning
		if err != nil {
			note, ink = err.Error(), p.Over
		}
	}
	if q.err != nil {
		note, ink = q.err.Error(), p.Over
	}
	for i, l := range text.Wrap(text.Clean(note), inner) {
		if i < 3 {
			lines = append(lines, p.Line(inner).Put(ink, l).String())
		}
	}
	return q.Boxed(q.Title, lines, "enter apply   esc cancel", w, min(h, len(lines)+3))
}
