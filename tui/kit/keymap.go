package kit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Keymap maps each of a user's own keys to the key whose action it takes. A key keeps its
// action unless it is given another.
type Keymap map[string]string

// fixedKeys always keep their meaning: without them there would be no way out.
var fixedKeys = []string{"esc", "ctrl+c", "enter", ":", "?"}

// NewKeymap checks a user's keys against those that have an action. It leaves out, and says in the error, a key that does not exist, a key that
// must keep its meaning, and an action's key that no table has; the others hold.
func NewKeymap(keys map[string]string, bound func(key string) bool) (Keymap, error) {
	m := Keymap{}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		from, to := canonicalKey(name), canonicalKey(keys[name])
		_, err := ParseKey(from)
		switch {
		case err != nil:
			wrong = append(wrong, "keys: "+err.Error())
		case slices.Contains(fixedKeys, from):
			wrong = append(wrong, "keys: "+from+" always keeps its meaning: choose another key")
		case !bound(to):
			wrong = append(wrong, fmt.Sprintf("keys: %s: no action has the key %q; ? lists those there are", name, keys[name]))
		default:
			m[from] = to
		}
	}
	if wrong != nil {
		return m, errors.New(strings.Join(wrong, "; "))
	}
	return m, nil
}

func canonicalKey(name string) string {
	if name == "space" {
		return " "
	}
	return name
}

// ParseKey returns the key press of a name: "x", "ctrl+d", "f2", "pgdown".
func ParseKey(name string) (tea.KeyMsg, error) {
	plain, alt := strings.CutPrefix(name, "alt+")
	switch runes := []rune(plain); {
	case plain == " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: runes, Alt: alt}, nil
	case len(runes) == 1:
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Alt: alt}, nil
	}
	for t := tea.KeyType(-128); t < 128; t++ {
		if t != tea.KeyRunes && plain != "" && (tea.Key{Type: t}).String() == plain {
			return tea.KeyMsg{Type: t, Alt: alt}, nil
		}
	}
	return tea.KeyMsg{}, errors.New("there is no key " + fmt.Sprintf("%q", name) + ": write one sign, or a name such as ctrl+d, alt+x, f2, pgdown, space")
}

// Translate returns the key press that a key stands for; false if it stands for itself.
func (m Keymap) Translate(msg tea.KeyMsg) (tea.KeyMsg, bool) {
	to, ok := m[msg.String()]
	if !ok {
		return msg, false
	}
	key, err := ParseKey(to)
	return key, err == nil
}

// labelOf writes the keys that run a binding under the map: its own that were not given away, and those mapped to it.
func (m Keymap) labelOf(b Binding) string {
	var names []string
	for _, k := range b.Keys() {
		if _, given := m[k]; !given {
			names = append(names, KeyName(k))
		}
	}
	for _, from := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(b.Keys(), m[from]) {
			names = append(names, KeyName(from))
		}
	}
	return strings.Join(names, " ")
}

// Label returns the keys of a binding as the help and the palette show them.
func (s *Shell) Label(b Binding) string { return s.Keymap.labelOf(b) }

// hintKey returns the key that a hint shows: another if its own was given away; "" if none is left.
func (s *Shell) hintKey(shown string) string {
	if pair := strings.Fields(shown); len(pair) > 1 && len(s.Keymap) > 0 { // "+ -"
		for i := range pair {
			pair[i] = s.hintKey(pair[i])
		}
		return strings.TrimSpace(strings.Join(pair, " "))
	}
	if _, given := s.Keymap[shown]; !given {
		return shown
	}
	for _, from := range slices.Sorted(maps.Keys(s.Keymap)) {
		if s.Keymap[from] == shown {
			return KeyName(from)
		}
	}
	return ""
}
