package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
)

// Binding is an action: its keys with a key and two words for the foot of a pane, a
// sentence for the help and the palette, and what it does. Dispatch, the ? overlay, the
// command palette and docs/keys.md all read the same tables of these.
type Binding struct {
	key.Binding
	ID   string // by which a configuration and tests name it: "stack.drop"; "" for the answers of a dialog
	Name string // "Add a mechanism to the stack"
	Do   func() tea.Cmd
}

// Bind makes a binding of keys with blanks between them; the blank itself is "space". What
// stands at the foot of a pane is the first key and the words of foot, if there are any;
// "+ -|tune" names other keys.
func Bind(keys, foot, name string, do func() tea.Cmd) Binding {
	list := strings.Fields(keys)
	for i, k := range list {
		if k == "space" {
			list[i] = " "
		}
	}
	shown, words, named := strings.Cut(foot, "|")
	if !named && len(list) > 0 { // some actions have no key, only a name
		shown, words = KeyName(list[0]), foot
	}
	return Binding{Binding: key.NewBinding(key.WithKeys(list...), key.WithHelp(shown, words)), Name: name, Do: do}
}

// Action is a binding of a table: what [Bind] makes, with the id by which a user can give it other keys. An id stays
// when the keys and the words change.
func Action(id, keys, foot, name string, do func() tea.Cmd) Binding {
	b := Bind(keys, foot, name, do)
	b.ID = id
	return b
}

// Hint returns a key at the foot of a pane that another table acts on.
func Hint(keys, words string) Binding {
	return Binding{Binding: key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, words))}
}

// Table is a named list of bindings.
type Table struct {
	Name     string
	Bindings []Binding
}

// Exclude drops the bindings that share a key with another table.
func (t Table) Exclude(other Table) Table {
	t.Bindings = slices.DeleteFunc(slices.Clone(t.Bindings), func(b Binding) bool {
		return slices.ContainsFunc(other.Bindings, func(o Binding) bool {
			return slices.ContainsFunc(o.Keys(), func(k string) bool { return slices.Contains(b.Keys(), k) })
		})
	})
	return t
}

// NewTable names bindings.
func NewTable(name string, bindings ...Binding) Table { return Table{name, bindings} }

// Dispatch runs the first binding that has the key.
func Dispatch(msg tea.KeyMsg, tables ...Table) (tea.Cmd, bool) {
	for _, t := range tables {
		for _, b := range t.Bindings {
			if key.Matches(msg, b.Binding) {
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
	names := make([]string, len(b.Keys()))
	for i, k := range b.Keys() {
		names[i] = KeyName(k)
	}
	return strings.Join(names, " ")
}

// KeyName returns a key as a person reads it.
func KeyName(k string) string { return cmp.Or(keyNames[k], k) }

// NoCmd wraps an action that changes state and needs no command.
func NoCmd(do func()) func() tea.Cmd {
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

// Foot writes the keys that belong at the foot of a pane of w cells, as many as fit.
func (s *Shell) Foot(w int, list ...Binding) string {
	return s.BusyFoot(w, false, list...).String()
}

// BusyFoot returns a foot with the keys that also says, if there is room, when something is being computed: an ellipsis
// alone would look as if a key were cut.
func (s *Shell) BusyFoot(w int, busy bool, list ...Binding) *draw.Line {
	l := s.Pen.Line(w).Raw(s.Hints(w, list...))
	if busy {
		l.Put(s.Pen.Stale, Widest(l.Room(), "  computing …", ""))
	}
	return l
}

// Hints writes the same in at most w cells and returns how many it took; nothing for a projector.
func (s *Shell) Hints(w int, list ...Binding) (line string, width int) {
	if s.Projector {
		return "", 0
	}
	return s.hints(w, 2, list...)
}

// hints writes keys with gaps between them. It does by hand what Bubbles' help has too: that
// renders every word as a style of its own, which made a frame half as slow again
// (BenchmarkFrame), and writes one key too many if its ellipsis does not fit. Of keys that do not all
// fit, the way out stays longest.
func (s *Shell) hints(w, gap int, list ...Binding) (line string, width int) {
	p := s.Pen
	widthOf := func(i int) int {
		h := list[i].Help()
		return draw.Width(p.Spell(s.hintKey(h.Key))) + 1 + draw.Width(p.Spell(h.Desc))
	}
	out := slices.IndexFunc(list, func(b Binding) bool { return b.Help().Key == "esc" || b.Help().Desc == "quit" })
	l := p.Line(w)
	for i := 0; i < len(list); i++ {
		h := list[i].Help()
		if h.Key = s.hintKey(h.Key); h.Desc == "" || h.Key == "" {
			continue
		}
		before := min(gap, gap*l.Column())
		room := l.Room() - before
		if i < out {
			room -= gap + widthOf(out)
		}
		switch {
		case room >= widthOf(i):
			l.Skip(before).Put(p.Key, h.Key).Put(p.Muted, " "+h.Desc)
		case i < out:
			i = out - 1
		default:
			return l.WithoutFill(), l.Column()
		}
	}
	return l.WithoutFill(), l.Column()
}
