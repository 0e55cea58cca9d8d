package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/theme"
)

// The names of the tables, as the help and docs/keys.md print them.
const (
	tableGeneral = "Everywhere"
	tableAround  = "Files and navigation"
)

// generalTables act on every screen.
func (a *App) generalTables() []kit.Table {
	return []kit.Table{a.home.TargetKeys, kit.NewTable(tableGeneral,
		kit.Action("commands", ": ctrl+p", "commands", "Find any action by its name", kit.NoCmd(func() {
			dialogs.Palette(a.Shell, slices.Concat(a.tables(), []kit.Table{a.paletteTable()}, a.paneTable()))
		})),
		kit.Action("help", "?", "help", "Show every key", kit.NoCmd(func() { dialogs.Help(a.Shell, append(a.paneTable(), a.tables()...)) })),
		kit.Action("open", "o", "open", "Open from the library, recent files or this folder", a.openOpen),
		kit.Action("new", "ctrl+n", "new", "New scenario from a few questions; again: an empty one", a.startQuestions),
		kit.Action("save", "s ctrl+s", "save", "Save the scenario", func() tea.Cmd { return a.saveThen(nil) }),
		kit.Action("export", "W ctrl+e", "export", "Export as PNG, SVG, CSV or text; copy; share a page", kit.NoCmd(a.export)),
		kit.Action("undo", "u", "undo", "Take the last change back", func() tea.Cmd { return a.travel("undone", "nothing to undo", a.Doc.Undo) }),
		kit.Action("redo", "U ctrl+r", "", "Bring an undone change back", func() tea.Cmd { return a.travel("redone", "nothing to redo", a.Doc.Redo) }),
		kit.Action("quit", "q", "quit", "Quit; asks first if there are unsaved changes", a.quit),
	), kit.NewTable(tableAround,
		kit.Action("save-as", "S", "", "Save under another name", func() tea.Cmd { return a.askName(nil) }),
		kit.Action("ask-ledger", "F", "", "Ask a ledger whether this scenario fits", a.ledger.Ask),
		kit.Action("pin", "V", "", "Pin this scenario, to compare later ones (v)", a.variants.Pin),
		kit.Action("reload", "R", "", "Read the file again from disk", a.reload),
		kit.Action("copy-answer", "y", "", "Copy the answer as a sentence", a.copyAnswer),
		kit.Action("copy-table", "Y", "", "Copy the whole comparison as Markdown", a.copyTable),
		kit.Action("next-theme", "T", "", "Next theme", a.nextTheme),
		kit.Action("projector", "P", "", "Projector: answer and chart, nothing else; again: back", a.project),
		kit.Action("mouse", "M", "", "Mouse on or off (off lets the terminal select text)", a.toggleMouse),
		kit.Action("suspend", "ctrl+z", "", "Suspend to the shell", func() tea.Cmd { return tea.Suspend }),
		kit.Action("redraw", "ctrl+l", "", "Redraw the screen", func() tea.Cmd { return tea.ClearScreen }),
	)}
}

// paletteTable returns the actions without a key: the palette finds them.
func (a *App) paletteTable() kit.Table {
	t := kit.NewTable("Without a key",
		kit.Action("tour", "", "", "Tour: ten short steps through the ideas", a.startTour),
		kit.Action("share", "", "", "Share: one HTML page with statement, table, charts and scenario", func() tea.Cmd { return export.Write(a.Shell, a.subject(), "html") }),
		kit.Action("picture", "", "", "Picture: write the chart shown as PNG", func() tea.Cmd { return a.picture("png") }),
		kit.Action("new-empty", "", "", "Start an empty scenario", a.newScenario),
		kit.Action("own-exercises", "", "", "Exercises: questions from a file of your own", func() tea.Cmd { return tea.Batch(a.Show("exercises"), a.exercises.AskFile()) }),
		kit.Action("last-error", "", "", "Show the last error again", kit.NoCmd(a.RepeatError)),
	)
	for _, name := range theme.Names()[1:] {
		t.Bindings = append(t.Bindings, kit.Action("theme."+name, "", "", "Theme: "+name, kit.NoCmd(func() { a.useTheme(name) })))
	}
	return t
}

// paneTable returns the keys of the focused pane of home; on other screens a pane's keys are
// those of its screen.
func (a *App) paneTable() []kit.Table {
	if a.screen != 0 {
		return nil
	}
	return []kit.Table{a.home.Keys()}
}

// travel undoes or redoes.
func (a *App) travel(verb, none string, step func() (string, bool)) tea.Cmd {
	if what, ok := step(); ok {
		return a.Say(verb + ": " + what)
	}
	return a.Say(none)
}
