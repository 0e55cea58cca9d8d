package kit

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/text"
)

// Binding is one action: its keys, two words for the foot of a pane, a sentence
// for the help and the palette, and what it does. Dispatch, the ? overlay, the
// command palette and docs/keys.md all read the same tables of these.
type Binding struct {
	Keys []string
	Foot string // shown at the foot of a pane if not ""; "+ -|tune" names other keys
	Name string // "Add a mechanism to the stack"
	Do   func() tea.Cmd
}

// Bind makes a binding of keys with blanks between them; the blank itself is "space".
func Bind(keys, foot, name string, do func() tea.Cmd) Binding {
	b := Binding{strings.Fields(keys), foot, name, do}
	for i, k := range b.Keys {
		if k == "space" {
			b.Keys[i] = " "
		}
	}
	return b
}

// Table is a named list of bindings.
type Table struct {
	Name     string
	Bindings []Binding
}

// Without is the table less what another one has a key of.
func (t Table) Without(other Table) Table {
	t.Bindings = slices.DeleteFunc(slices.Clone(t.Bindings), func(b Binding) bool {
		return slices.ContainsFunc(other.Bindings, func(o Binding) bool {
			return slices.ContainsFunc(o.Keys, func(k string) bool { return slices.Contains(b.Keys, k) })
		})
	})
	return t
}

// NewTable names bindings.
func NewTable(name string, bindings ...Binding) Table { return Table{name, bindings} }

// Dispatch runs the first binding that has the key.
func Dispatch(msg tea.KeyMsg, tables ...Table) (tea.Cmd, bool) {
	key := msg.String()
	for _, t := range tables {
		for _, b := range t.Bindings {
			if slices.Contains(b.Keys, key) {
				return b.Do(), true
			}
		}
	}
	return nil, false
}

// keyNames are keys as a person reads them.
var keyNames = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", " ": "space", "pgup": "page up", "pgdown": "page down",
	"delete": "del", "backspace": "⌫",
}

// Label writes the keys of a binding: "↑ k".
func (b Binding) Label() string {
	names := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		names[i] = KeyName(k)
	}
	return strings.Join(names, " ")
}

// KeyName is a key as a person reads it.
func KeyName(k string) string {
	if n, ok := keyNames[k]; ok {
		return n
	}
	return k
}

// Footing is what a foot line shows for a binding: its first key, or the keys it
// names, and the words.
func (b Binding) Footing() (key, words string) {
	if key, words, named := strings.Cut(b.Foot, "|"); named {
		return key, words
	}
	return KeyName(b.Keys[0]), b.Foot
}

// Just wraps an action that changes state and needs no command.
func Just(do func()) func() tea.Cmd {
	return func() tea.Cmd { do(); return nil }
}

// Try wraps an action that can be refused; the reason goes to the status line.
func (s *Shell) Try(do func() error) func() tea.Cmd {
	return func() tea.Cmd {
		if err := do(); err != nil {
			s.Complain(err)
		}
		return nil
	}
}

// Foot writes the keys of a table that belong at the foot of a pane.
func (s *Shell) Foot(w int, t Table) string {
	p := s.Pen
	l := p.Line(w)
	for _, b := range t.Bindings {
		if b.Foot == "" || s.Projector {
			continue
		}
		key, words := b.Footing()
		if l.Room() < text.Width(key)+1+text.Width(words) {
			break
		}
		l.Put(p.Key, key).Put(p.Muted, " "+words).Skip(2)
	}
	return l.String()
}
