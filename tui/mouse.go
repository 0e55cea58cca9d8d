package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/layout"
)

// handleMouse finds the pane under the pointer; a click also gives it the keys.
func (a *App) handleMouse(m tea.MouseMsg) tea.Cmd {
	if !a.mouse || a.lay.Mode == layout.TooSmall {
		return nil
	}
	if n := len(a.dialogs); n > 0 {
		if d, ok := a.dialogs[n-1].(mouser); ok {
			return d.HandleMouse(m)
		}
		return nil
	}
	if m.Action == tea.MouseActionRelease {
		return nil
	}
	if s := a.screens[a.screen]; s.pane != nil {
		r := a.lay.Slots[layout.Bounds]
		return s.pane.HandleMouse(m.X-r.X, m.Y-r.Y, m)
	}
	for i, r := range a.lay.Slots {
		if !r.Visible() || !r.Contains(m.X, m.Y) {
			continue
		}
		if m.Button == tea.MouseButtonLeft && m.Action == tea.MouseActionPress && a.lay.Mode != layout.Single {
			a.focusOn(layout.Slot(i))
		}
		return a.panes[i].HandleMouse(m.X-r.X, m.Y-r.Y, m)
	}
	return nil
}

func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.say("mouse on")
		return tea.EnableMouseCellMotion
	}
	a.say("mouse off: the terminal selects text again")
	return tea.DisableMouse
}
