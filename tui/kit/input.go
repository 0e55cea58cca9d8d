package kit

import (
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// NewInput is a text field in the colours of the theme. It starts with a value
// that the first letter typed replaces.
func (s *Shell) NewInput(value string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 400
	in.SetValue(text.Clean(value))
	in.CursorEnd()
	in.Focus()
	st := s.Pen.Styles
	in.TextStyle, in.PlaceholderStyle, in.Cursor.Style = st.Strong, st.Muted, st.Accent
	in.Cursor.SetMode(2) // hidden: drawn by field, so that it shows without colour too
	return in
}

// Field draws an input of w cells with a cursor that is a glyph.
func Field(l *draw.Line, p *draw.Pen, in textinput.Model, w int, focused, selected bool) *draw.Line {
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

// CleanKey takes control characters out of a paste.
func CleanKey(msg tea.KeyMsg) tea.KeyMsg {
	if msg.Paste {
		msg.Runes = []rune(text.Clean(string(msg.Runes)))
	}
	return msg
}
