package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Binding is one action: its keys, two words for the foot of a pane, a sentence
// for the help and the palette, and what it does. Dispatch, the ? overlay, the
// command palette and docs/keys.md all read the same tables of these.
type Binding struct {
	Keys []string
	Foot string // shown at the foot of a pane if not ""; "+ -|tune" names other keys
	Name string // "Add a mechanism to the stack"
	Do   func(*App) tea.Cmd
}

// Table is a named list of bindings.
type Table struct {
	Name     string
	Bindings []Binding
}

// dispatch runs the first binding that has the key.
func (a *App) dispatch(msg tea.KeyMsg, tables ...Table) (tea.Cmd, bool) {
	key := msg.String()
	for _, t := range tables {
		for _, b := range t.Bindings {
			if slices.Contains(b.Keys, key) {
				return b.Do(a), true
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

// label writes the keys of a binding: "↑ k".
func (b Binding) label() string {
	names := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		names[i] = keyName(k)
	}
	return strings.Join(names, " ")
}

func keyName(k string) string {
	if n, ok := keyNames[k]; ok {
		return n
	}
	return k
}

// just wraps an action that changes state and needs no command.
func just(do func(*App)) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd { do(a); return nil }
}

// try wraps an action that can be refused; the reason goes to the status line.
func try(do func(*App) error) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd {
		if err := do(a); err != nil {
			a.complain(err)
		}
		return nil
	}
}
