package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/theme"
)

// The names of the tables, as the help and docs/keys.md print them.
const (
	tableGeneral = "Everywhere"
	tableAround  = "Files and the way around"
)

// generalTables act on every screen.
func (a *App) generalTables() []Table {
	return []Table{a.home.knobTable(), newTable(tableGeneral,
		bind(": ctrl+p", "commands", "Find any action by its name", just(func() { openPalette(a.Shell, append(append(a.tables(), a.paletteTable()), a.paneTable()...)) })),
		bind("?", "help", "Show every key", just(func() { openHelp(a.Shell, append(a.paneTable(), a.tables()...)) })),
		bind("o", "open", "Open from the library, recent files or this folder", a.openOpen),
		bind("s ctrl+s", "save", "Save the scenario", a.save),
		bind("u", "undo", "Take the last change back", a.undo),
		bind("U ctrl+r", "", "Bring an undone change back", a.redo),
		bind("q", "quit", "Quit; asks first if there are unsaved changes", a.quit),
	), newTable(tableAround,
		bind("S", "", "Save under another name", a.openSaveAs),
		bind("ctrl+n", "", "Start an empty scenario", a.newScenario),
		bind("R", "", "Read the file again from disk", a.reload),
		bind("y", "", "Copy the answer as a sentence", a.copyAnswer),
		bind("Y", "", "Copy the whole comparison as Markdown", a.copyTable),
		bind("T", "", "Next theme", a.nextTheme),
		bind("M", "", "Mouse on or off (off lets the terminal select text)", a.toggleMouse),
		bind("ctrl+z", "", "Suspend to the shell", func() tea.Cmd { return tea.Suspend }),
		bind("ctrl+l", "", "Draw the screen again", func() tea.Cmd { return tea.ClearScreen }),
	)}
}

// paletteTable are actions without a key: the palette finds them.
func (a *App) paletteTable() Table {
	t := newTable("Without a key",
		bind("", "", "Tour: ten short steps through the ideas", a.startTour),
		bind("", "", "Show the last error again", just(a.repeatError)),
	)
	for _, name := range theme.Names()[1:] {
		t.Bindings = append(t.Bindings, bind("", "", "Theme: "+name, just(func() { a.useTheme(name) })))
	}
	return t
}

// paneTable are the keys of the focused pane of home; on other screens a pane's keys are
// those of its screen.
func (a *App) paneTable() []Table {
	if a.screen != 0 {
		return nil
	}
	return []Table{a.home.Focused().Keys()}
}

func (a *App) undo() tea.Cmd { return a.travel("undone", "nothing to undo", a.doc.Undo) }
func (a *App) redo() tea.Cmd { return a.travel("redone", "nothing to redo", a.doc.Redo) }

func (a *App) travel(verb, none string, step func() (string, bool)) tea.Cmd {
	if what, ok := step(); ok {
		a.say(verb + ": " + what)
	} else {
		a.say(none)
	}
	return nil
}
