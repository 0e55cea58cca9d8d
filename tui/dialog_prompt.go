package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// prompt asks for one line of text and checks it while it is typed.
type prompt struct {
	a     *App
	title string
	help  string
	input textinput.Model
	// check says what is wrong with the text, or what it means; done uses it.
	check func(string) (meaning string, err error)
	done  func(*App, string) (tea.Cmd, error)
	err   error
}

// newInput is a text field in the colours of the theme. It starts with a value
// that the first letter typed replaces.
func (a *App) newInput(value string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 400
	in.SetValue(text.Clean(value))
	in.CursorEnd()
	in.Focus()
	s := a.pen.Styles
	in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = s.Strong, s.Muted, s.Accent
	in.Cursor.SetMode(2) // hidden: drawn by field, so that it shows without colour too
	return in
}

// field draws an input of w cells with a cursor that is a glyph.
func field(l *draw.Line, p *draw.Pen, in textinput.Model, w int, focused, selected bool) *draw.Line {
	runes := []rune(in.Value())
	at := min(in.Position(), len(runes))
	if !focused {
		return l.Left(p.Text, string(runes), w)
	}
	if selected {
		return l.Left(p.Accent, string(runes)+"▏", w)
	}
	from := max(0, at-w+2)
	before, after := string(runes[from:at]), string(runes[at:])
	end := l.At() + w
	return l.Put(p.Strong, before).Put(p.Accent, "▏").Put(p.Strong, text.Cut(after, max(0, end-l.At()))).To(end)
}

func (q *prompt) HandleKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		q.a.pop()
		return nil
	case "enter":
		q.a.pop()
		cmd, err := q.done(q.a, q.input.Value())
		if err != nil { // stay, with the reason
			q.err = err
			q.a.push(q)
		}
		return cmd
	}
	q.err = nil
	var cmd tea.Cmd
	q.input, cmd = q.input.Update(cleanKey(msg))
	return cmd
}

// cleanKey takes control characters out of a paste.
func cleanKey(msg tea.KeyMsg) tea.KeyMsg {
	if msg.Paste {
		msg.Runes = []rune(text.Clean(string(msg.Runes)))
	}
	return msg
}

func (q *prompt) View(w, h int) []string {
	p := q.a.pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	lines := append(wrapped(p, p.Muted, q.help, inner), field(p.Line(inner), p, q.input, inner, true, false).String())
	note, ink := "", p.Muted
	if q.check != nil {
		meaning, err := q.check(q.input.Value())
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
	return q.a.boxed(q.title, lines, "enter take it   esc cancel", w, min(h, len(lines)+3))
}

// openType asks for the value of the active knob.
func (a *App) openType() tea.Cmd {
	k, ok := a.active()
	if !ok {
		return nil
	}
	help := "a number or a formula: 1e-6, ln(3), 1/800"
	switch k.name {
	case knobAlpha:
		help = "an order above 1, or auto"
	case knobBudget:
		help = "the total ε to stay within, or none"
	}
	a.push(&prompt{
		a: a, title: k.symbol + ", now " + k.text + " (" + k.scope + ")", help: help, input: a.newInput(""),
		check: func(s string) (string, error) { return k.meaning(s) },
		done:  func(a *App, s string) (tea.Cmd, error) { return nil, k.typed(a, s) },
	})
	return nil
}

// openCount types how often the selected entry is released.
func (a *App) openCount() tea.Cmd {
	if _, ok := a.doc.Selected(); !ok {
		a.complain(document.ErrEmpty)
		return nil
	}
	a.knob = knobCount
	return a.openType()
}

// meaning checks what is being typed; an empty field is not yet wrong.
func (k knob) meaning(s string) (string, error) {
	word := strings.TrimSpace(s)
	if word == "" || k.name == knobAlpha && strings.HasPrefix("auto", word) || k.name == knobBudget && strings.HasPrefix("none", word) {
		return "", nil
	}
	return meaning(k.param, s)
}
