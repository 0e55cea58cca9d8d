package home

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// What a key changes is on the screen: the stack; the strip of knobs, which names the selected entry
// and has its numbers; or, on a projector, which has neither, the message that says what was changed.

// isStackVisible reports whether the stack is on the screen.
func (h *Home) isStackVisible() bool { return h.Lay.Slots[layout.Stack].Visible() }

// isEntryVisible reports whether the selected entry and its knobs are on the screen.
func (h *Home) isEntryVisible() bool {
	return h.isStackVisible() || h.Lay.Slots[layout.Knobs].Visible()
}

// onStack wraps an action on marks or on the order of entries: it is refused if the stack is hidden.
func (h *Home) onStack(do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !h.isStackVisible() {
			return h.sayHidden("the stack is")
		}
		return do()
	}
}

// onEntry wraps an action on the selected entry: it is refused if nothing on the screen names the entry.
func (h *Home) onEntry(do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !h.isEntryVisible() {
			return h.sayHidden("the stack is")
		}
		return do()
	}
}

// sayHidden says that something is not on the screen, so nothing was changed, and which key shows it.
func (h *Home) sayHidden(what string) tea.Cmd {
	key := "tab shows"
	switch {
	case h.Projector:
		key = "P ends the projector and shows"
	case h.chartFull:
		key = "f shows"
	}
	return h.Say(what + " not on the screen, so nothing was changed: " + key + " it")
}

// selectBy selects an entry above or below, and names it if nothing else on the screen does.
func (h *Home) selectBy(by int) func() tea.Cmd {
	return func() tea.Cmd {
		h.Doc.Select(max(0, h.Doc.Cursor()+by))
		if row, ok := h.Doc.SelectedRow(); ok && !h.isEntryVisible() {
			h.Say("selected: " + kit.EntryName(row.Entry))
		}
		return nil
	}
}

// sayingKnob wraps an action on the knobs: it says which knob stands where if none is on the screen.
func (h *Home) sayingKnob(do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		cmd := do()
		if h.isEntryVisible() || h.Status.Bad {
			return cmd
		}
		ks := h.knobs()
		k := ks[h.activeOf(ks)]
		words := k.Symbol + " " + knobText(k) + ", " + k.Scope
		if row, ok := h.Doc.SelectedRow(); ok && k.Scope == "this entry" {
			words = k.Symbol + " " + knobText(k) + " of " + kit.EntryName(row.Entry)
		}
		h.Say(words)
		return cmd
	}
}
