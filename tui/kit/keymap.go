package kit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Keymap maps each of a user's own keys to the id of the action it takes. A key keeps its
// action unless it is given another, and an action its keys unless they are given away.
type Keymap map[string]string

// fixedKeys always keep their meaning: without them there would be no way out.
var fixedKeys = []string{"esc", "ctrl+c", "enter", ":", "?"}

// NewKeymap checks a user's keys against the tables. It leaves out, and says in the error, a key that does not exist, a
// key that must keep its meaning, and an action that no table has; the others hold.
func NewKeymap(keys map[string]string, tables []Table) (Keymap, error) {
	m := Keymap{}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		from, id := canonicalKey(name), keys[name]
		_, err := ParseKey(from)
		_, known := find(tables, func(b Binding) bool { return b.ID == id && id != "" })
		switch {
		case err != nil:
			wrong = append(wrong, "keys: "+err.Error())
		case slices.Contains(fixedKeys, from):
			wrong = append(wrong, "keys: "+from+" always keeps its meaning: choose another key")
		case !known:
			wrong = append(wrong, fmt.Sprintf("keys: %s: no action is called %q%s", name, id, actionsOf(tables, canonicalKey(id))))
		default:
			m[from] = id
		}
	}
	if wrong != nil {
		return m, errors.New(strings.Join(wrong, "; "))
	}
	return m, nil
}

// actionsOf says which actions have a key, for whoever wrote the key instead of the action.
func actionsOf(tables []Table, key string) string {
	var ids []string
	for _, t := range tables {
		for _, b := range t.Bindings {
			if slices.Contains(b.Keys(), key) && b.ID != "" && !slices.Contains(ids, b.ID) {
				ids = append(ids, b.ID)
			}
		}
	}
	if ids == nil {
		return "; docs/keys.md lists those there are"
	}
	return "; the key " + KeyName(key) + " has " + strings.Join(ids, ", ")
}

// find returns the first binding of the tables that is meant.
func find(tables []Table, meant func(Binding) bool) (Binding, bool) {
	for _, t := range tables {
		if i := slices.IndexFunc(t.Bindings, meant); i >= 0 {
			return t.Bindings[i], true
		}
	}
	return Binding{}, false
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
	runes := []rune(plain)
	switch {
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

// MappedAction returns the action that a user gave to a key, of those that act now; false if the key was given none. A
// binding without an action says that it is not on this screen.
func (s *Shell) MappedAction(msg tea.KeyMsg) (Binding, bool) {
	id, ok := s.Keymap[msg.String()]
	if !ok {
		return Binding{}, false
	}
	b, here := find(s.Tables(), func(b Binding) bool { return b.ID == id })
	if !here {
		b.Do = func() tea.Cmd { return s.Say(KeyName(msg.String()) + " is " + id + ", which is not on this screen") }
	}
	return b, true
}

// labelOf writes the keys that run a binding under the map: its own that were not given away, and those mapped to it.
func (m Keymap) labelOf(b Binding) string {
	var names []string
	for _, k := range b.Keys() {
		if id, given := m[k]; !given || id == b.ID {
			names = append(names, KeyName(k))
		}
	}
	for _, from := range m.keysOf(b.ID) {
		if !slices.Contains(b.Keys(), from) {
			names = append(names, KeyName(from))
		}
	}
	return strings.Join(names, " ")
}

// keysOf returns the keys that a user gave to an action.
func (m Keymap) keysOf(id string) (keys []string) {
	for _, from := range slices.Sorted(maps.Keys(m)) {
		if id != "" && m[from] == id {
			keys = append(keys, from)
		}
	}
	return keys
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
	if _, given := s.Keymap[canonicalKey(shown)]; !given || s.Tables == nil {
		return shown
	}
	b, _ := find(s.Tables(), func(b Binding) bool {
		return slices.ContainsFunc(b.Keys(), func(k string) bool { return KeyName(k) == shown })
	})
	if own := s.Keymap.keysOf(b.ID); own != nil {
		return KeyName(own[0])
	}
	return ""
}
