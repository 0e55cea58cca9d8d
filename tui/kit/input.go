package kit

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
)

// NewInput returns a text field, which [Field] draws. It starts with a value that the first letter
// typed replaces.
func NewInput(value string) textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.CharLimit = 400
	in.SetValue(draw.Clean(value))
	in.CursorEnd()
	in.Cursor.SetMode(cursor.CursorHide) // one that blinks waits half a second after every key
	in.Focus()
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
	before, after := draw.Clean(string(runes[max(0, at-w+2):at])), string(runes[at:])
	before = ansi.TruncateLeft(before, draw.Width(before)-w+2, "") // the last cells, which may be fewer letters
	end := l.Column() + w
	return l.Put(p.Strong, before).Put(p.Accent, "▏").Put(p.Strong, draw.Cut(after, max(0, end-l.Column()))).FillTo(end)
}

// Blank is a field to fill in: by typing, or by choosing.
type Blank struct {
	Input   textinput.Model
	Choices []string // nil: it is typed
	Choice  int
	Fresh   bool // the first letter typed replaces the text
}

// Value returns what it holds.
func (b *Blank) Value() string {
	if b.Choices != nil {
		return b.Choices[b.Choice]
	}
	return strings.TrimSpace(b.Input.Value())
}

// Pick chooses a word.
func (b *Blank) Pick(word string) { b.Choice = max(0, slices.Index(b.Choices, word)) }

// Take edits it by a key and reports whether that was an edit. Arrows step through the
// choices; a letter goes to the next that has it at the start of a word.
func (b *Blank) Take(msg tea.KeyMsg) bool {
	if b.Choices == nil {
		return b.write(CleanKey(msg))
	}
	n := len(b.Choices)
	switch key := msg.String(); key {
	case "left", "-":
		b.Choice = (b.Choice + n - 1) % n
	case "right", " ", "+":
		b.Choice = (b.Choice + 1) % n
	default:
		for i := 1; i <= n; i++ {
			next := (b.Choice + i) % n
			begins := func(w string) bool { return w != "a" && strings.HasPrefix(w, key) }
			if slices.ContainsFunc(strings.Fields(b.Choices[next]), begins) {
				b.Choice = next
				break
			}
		}
	}
	return true
}

func (b *Blank) write(msg tea.KeyMsg) bool {
	if b.Fresh && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || msg.Type == tea.KeyBackspace) {
		b.Input.SetValue("")
	}
	b.Fresh = false
	before := b.Input.Value()
	b.Input, _ = b.Input.Update(msg)
	return b.Input.Value() != before || msg.Type == tea.KeyBackspace
}

// CleanKey takes control characters out of a paste.
func CleanKey(msg tea.KeyMsg) tea.KeyMsg {
	if msg.Paste {
		msg.Runes = []rune(draw.Clean(string(msg.Runes)))
	}
	return msg
}
