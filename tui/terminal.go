package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
)

// handleMouse gives an event to the topmost dialog, else to the screen that stands.
func (a *App) handleMouse(m tea.MouseMsg) tea.Cmd {
	if !a.mouse || a.home.Lay.Mode == layout.TooSmall {
		return nil
	}
	if kit.Click(m) {
		a.Status.CountKey()
	}
	if n := len(a.Dialogs); n > 0 {
		if d, ok := a.Dialogs[n-1].(kit.Mouser); ok {
			return d.HandleMouse(m)
		}
		return nil
	}
	if m.Action == tea.MouseActionRelease {
		return nil
	}
	r := a.home.Lay.Body
	return a.screens[a.screen].pane.HandleMouse(m.X-r.X, m.Y-r.Y, m)
}

// mouseAgain turns the mouse on after a suspension, which Bubble Tea leaves off.
func (a *App) mouseAgain() tea.Cmd {
	if a.mouse {
		return tea.EnableMouseCellMotion
	}
	return nil
}

func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.Say("mouse on")
		return tea.EnableMouseCellMotion
	}
	a.Say("mouse off: the terminal selects text again")
	return tea.DisableMouse
}

// nextTheme cycles through the palettes.
func (a *App) nextTheme() tea.Cmd {
	if a.opt.noColour {
		return a.Say("NO_COLOR is set: no theme has colours")
	}
	names := theme.Names()[1:] // auto is not a palette
	at := slices.Index(names, a.Pen.Theme.Name)
	a.useTheme(names[(at+1)%len(names)])
	return nil
}

// project shows the answer and the chart, or the text of another screen, and nothing else; or ends that. The colours
// stay: a theorem has the same on every screen.
func (a *App) project() tea.Cmd {
	a.Projector = !a.Projector
	a.Arrange()
	if !a.Projector {
		return nil
	}
	return a.Say("projector: P again ends it")
}

func (a *App) useTheme(name string) {
	t, _ := theme.ByName(name)
	a.setTheme(t)
	a.Say("theme " + name + "; --theme or the configuration keeps it")
}
