package kit

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func boundKey(key string) bool { return key == "x" || key == "a" || key == " " }

// A user's own key takes the action of another; the help shows both, and not the key that was given away.
func TestKeymap(t *testing.T) {
	m, err := NewKeymap(map[string]string{"ctrl+d": "x", "x": "a", "f2": "space"}, boundKey)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"ctrl+d": "x", "x": "a", "f2": " "} {
		press, err := ParseKey(from)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := m.Translate(press); !ok || got.String() != to {
			t.Errorf("%s stands for %q, not for %q", from, got, to)
		}
	}
	if _, ok := m.Translate(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}); ok {
		t.Error("a no longer stands for itself")
	}
	for keys, want := range map[string]string{"x del": "del ctrl+d", "a": "a x", "space": "space f2"} {
		if got := m.labelOf(Bind(keys, "", "", nil)); got != want {
			t.Errorf("%q is shown as %q, not as %q", keys, got, want)
		}
	}
	s := &Shell{Keymap: m}
	if s.hintKey("x") != "ctrl+d" || s.hintKey("a") != "a" {
		t.Errorf("the foot shows %q and %q", s.hintKey("x"), s.hintKey("a"))
	}
}

// What is not understood is refused with the reason: a misspelt key, an action's key that no table has, a key without which
// there is no way out.
func TestKeymapRefuses(t *testing.T) {
	for from, c := range map[string][2]string{
		"crtl+d": {"x", `there is no key "crtl+d"`}, "ctrl+d": {"y", `no action has the key "y"`},
		"esc": {"x", "esc always keeps its meaning"}, "": {"x", "there is no key"},
	} {
		if _, err := NewKeymap(map[string]string{from: c[0]}, boundKey); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %s gives %v, not %q", from, c[0], err, c[1])
		}
	}
}

// The foot shows the keys that are bound, of pairs too, and a key that is wrong takes none of the others away.
func TestFootShowsBoundKeys(t *testing.T) {
	m, err := NewKeymap(map[string]string{"ctrl+u": "x", "x": "a", "esc": "a"}, boundKey)
	if err == nil || m["ctrl+u"] != "x" || m["x"] != "a" || m["esc"] != "" {
		t.Errorf("%v, %v", m, err)
	}
	s := &Shell{Keymap: m}
	if got := s.hintKey("x -"); got != "ctrl+u -" {
		t.Errorf("the foot shows %q", got)
	}
}
