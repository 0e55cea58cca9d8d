package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/theme"
)

// nextTheme goes round the palettes, so that one can be chosen by eye.
func (a *App) nextTheme() tea.Cmd {
	names := theme.Names()[1:] // auto is a question to the terminal, not a look
	at := slices.Index(names, a.Pen.Theme.Name)
	a.useTheme(names[(at+1)%len(names)])
	return nil
}

// project shows one pane in high contrast and nothing else, or ends that.
func (a *App) project() tea.Cmd {
	if a.Projector = !a.Projector; !a.Projector {
		a.setTheme(a.unprojected)
		a.arrange()
		return nil
	}
	a.unprojected = a.Pen.Theme
	if t, ok := theme.Pick("high-contrast", a.unprojected.Dark); ok && a.unprojected.Name != "mono" {
		a.setTheme(t)
	}
	a.arrange()
	a.Say("projector: P again ends it")
	return nil
}

func (a *App) useTheme(name string) {
	t, ok := theme.ByName(name)
	if !ok {
		return
	}
	a.setTheme(t)
	a.Say("theme " + name + "; --theme or the configuration keeps it")
}
