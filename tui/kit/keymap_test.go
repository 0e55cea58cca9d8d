package kit

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// actions are three of a table.
func actions() []Table {
	return []Table{NewTable("some", Action("some.drop", "x del", "drop", "Drop", nil), Action("some.add", "a", "add", "Add", nil), Action("some.mark", "space", "mark", "Mark", nil))}
}

// A user's own key takes the action it names; the help shows both, and not the key that was given away.
func TestKeymap(t *testing.T) {
	m, err := NewKeymap(map[string]string{"ctrl+d": "some.drop", "x": "some.add", "f2": "some.mark"}, actions())
	if err != nil {
		t.Fatal(err)
	}
	s := &Shell{Keymap: m, Tables: actions}
	for from, id := range map[string]string{"ctrl+d": "some.drop", "x": "some.add", "f2": "some.mark"} {
		press, err := ParseKey(from)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := s.MappedAction(press); !ok || got.ID != id {
			t.Errorf("%s stands for %q, not for %q", from, got.ID, id)
		}
	}
	if _, ok := s.MappedAction(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}); ok {
		t.Error("a no longer stands for itself")
	}
	for i, want := range []string{"del ctrl+d", "a x", "space f2"} {
		if got := m.labelOf(actions()[0].Bindings[i]); got != want {
			t.Errorf("action %d is shown as %q, not as %q", i, got, want)
		}
	}
	if s.hintKey("x") != "ctrl+d" || s.hintKey("a") != "a" {
		t.Errorf("the foot shows %q and %q", s.hintKey("x"), s.hintKey("a"))
	}
}

// What is not understood is refused with the reason: a misspelt key, an action that no table has, a key instead of an
// action, a key without which there is no way out.
func TestKeymapRefuses(t *testing.T) {
	for _, c := range [][3]string{
		{"crtl+d", "some.drop", `there is no key "crtl+d"`}, {"ctrl+d", "some.other", `no action is called "some.other"; docs/keys.md lists`},
		{"ctrl+d", "x", `no action is called "x"; the key x has some.drop`}, {"ctrl+d", "space", "the key space has some.mark"},
		{"esc", "some.drop", "esc always keeps its meaning"}, {"", "some.drop", "there is no key"}, {"ctrl+d", "", "no action is called"},
	} {
		m, err := NewKeymap(map[string]string{c[0]: c[1]}, actions())
		if err == nil || !strings.Contains(err.Error(), c[2]) || len(m) > 0 {
			t.Errorf("%s: %s gives %v, not %q", c[0], c[1], err, c[2])
		}
	}
}

// The foot shows the keys that are bound, of pairs too, and a key that is wrong takes none of the others away.
func TestFootShowsBoundKeys(t *testing.T) {
	m, err := NewKeymap(map[string]string{"ctrl+u": "some.drop", "x": "some.add", "esc": "some.add"}, actions())
	if err == nil || m["ctrl+u"] != "some.drop" || m["x"] != "some.add" || m["esc"] != "" {
		t.Errorf("%v, %v", m, err)
	}
	s := &Shell{Keymap: m, Tables: actions}
	if got := s.hintKey("x -"); got != "ctrl+u -" {
		t.Errorf("the foot shows %q", got)
	}
}
