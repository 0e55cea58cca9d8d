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

// project shows one pane in high contrast and nothing else, or ends that.
func (a *App) project() tea.Cmd {
	if a.Projector = !a.Projector; !a.Projector {
		a.setTheme(a.unprojected)
		a.Arrange()
		return nil
	}
	a.unprojected = a.Pen.Theme
	if t, ok := theme.Pick("high-contrast", a.unprojected.Dark); ok && a.unprojected.Name != "mono" {
		a.setTheme(t)
	}
	a.Arrange()
	return a.Say("projector: P again ends it")
}

func (a *App) useTheme(name string) {
	t, _ := theme.ByName(name)
	a.setTheme(t)
	a.Say("theme " + name + "; --theme or the configuration keeps it")
}
