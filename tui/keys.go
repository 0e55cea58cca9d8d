package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
)

// The names of the tables, as the help and docs/keys.md print them.
const (
	tableGeneral = "Everywhere"
	tableAround  = "Files and the way around"
	tablePanes   = "Panes"
	tableStack   = "The stack"
	tableKnobs   = "Knobs"
	tableCharts  = "Charts"
)

// generalTables act on every screen.
func generalTables() []Table {
	return []Table{knobTable(), {tableGeneral, []Binding{
		{[]string{":", "ctrl+p"}, "commands", "Find any action by its name", (*App).openPalette},
		{[]string{"?"}, "help", "Show every key", (*App).openHelp},
		{[]string{"o"}, "open", "Open from the library, recent files or this folder", (*App).openOpen},
		{[]string{"s", "ctrl+s"}, "save", "Save the scenario", (*App).save},
		{[]string{"u"}, "undo", "Take the last change back", (*App).undo},
		{[]string{"U", "ctrl+r"}, "", "Bring an undone change back", (*App).redo},
		{[]string{"q"}, "quit", "Quit; asks first if there are unsaved changes", (*App).quit},
	}}, {tableAround, []Binding{
		{[]string{"S"}, "", "Save under another name", (*App).openSaveAs},
		{[]string{"ctrl+n"}, "", "Start an empty scenario", (*App).newScenario},
		{[]string{"R"}, "", "Read the file again from disk", (*App).reload},
		{[]string{"y"}, "", "Copy the answer as a sentence", (*App).copyAnswer},
		{[]string{"Y"}, "", "Copy the whole comparison as Markdown", (*App).copyTable},
		{[]string{"T"}, "", "Next theme", (*App).nextTheme},
		{[]string{"M"}, "", "Mouse on or off (off lets the terminal select text)", (*App).toggleMouse},
		{[]string{"ctrl+z"}, "", "Suspend to the shell", func(*App) tea.Cmd { return tea.Suspend }},
		{[]string{"ctrl+l"}, "", "Draw the screen again", func(*App) tea.Cmd { return tea.ClearScreen }},
	}}}
}

// paletteTable are actions without a key: the palette finds them.
func paletteTable() Table {
	t := Table{"Without a key", []Binding{
		{nil, "", "Tour: ten short steps through the ideas", (*App).startTour},
		{nil, "", "Show the last error again", just((*App).repeatError)},
	}}
	for _, name := range theme.Names()[1:] {
		t.Bindings = append(t.Bindings, Binding{nil, "", "Theme: " + name, just(func(a *App) { a.useTheme(name) })})
	}
	return t
}

// homeTables act on the home screen.
func homeTables() []Table {
	return []Table{stackTable(), chartTable(), {tablePanes, []Binding{
		{[]string{"tab"}, "pane", "Next pane", just(func(a *App) { a.cycle(+1) })},
		{[]string{"shift+tab"}, "", "Previous pane", just(func(a *App) { a.cycle(-1) })},
		{[]string{"up", "k"}, "↑↓|entry", "Entry above", just(func(a *App) { a.doc.Select(a.doc.Cursor() - 1) })},
		{[]string{"down", "j"}, "", "Entry below", just(func(a *App) { a.doc.Select(a.doc.Cursor() + 1) })},
		{[]string{"pgup"}, "", "Ten entries up", just(func(a *App) { a.doc.Select(a.doc.Cursor() - 10) })},
		{[]string{"pgdown"}, "", "Ten entries down", just(func(a *App) { a.doc.Select(a.doc.Cursor() + 10) })},
		{[]string{"home"}, "", "First entry", just(func(a *App) { a.doc.Select(0) })},
		{[]string{"end"}, "", "Last entry", just(func(a *App) { a.doc.Select(len(a.doc.Rows())) })},
		{[]string{"left", "h"}, "", "Turn the knob down", tune(-1)},
		{[]string{"right", "l"}, "", "Turn the knob up", tune(+1)},
	}}}
}

func stackTable() Table {
	return Table{tableStack, []Binding{
		{[]string{"a"}, "add", "Add a mechanism; a number after its name is how often", (*App).openAdd},
		{[]string{"enter"}, "edit", "Edit the selected entry", (*App).openForm},
		{[]string{"c"}, "copy", "Duplicate the entry", try(func(a *App) error { return a.doc.Duplicate() })},
		{[]string{"x", "delete"}, "drop", "Drop the entry, or all marked ones", (*App).drop},
		{[]string{"J", "shift+down"}, "", "Move the entry down", try(func(a *App) error { return a.doc.Move(+1) })},
		{[]string{"K", "shift+up"}, "", "Move the entry up", try(func(a *App) error { return a.doc.Move(-1) })},
		{[]string{" "}, "mark", "Mark the entry and go on to the next", just((*App).mark)},
		{[]string{"g"}, "group", "Group the marked into parallel branches, or ungroup", try(func(a *App) error { return a.doc.Group() })},
		{[]string{"*"}, "", "Type how often the entry is released", (*App).openCount},
		{[]string{"A"}, "", "Shuffled batches: take away what sampling gains", (*App).unamplify},
		{[]string{"i"}, "on/off", "Leave the entry out of the cost, or take it back in", try(func(a *App) error { return a.doc.Toggle() })},
	}}
}

func knobTable() Table {
	return Table{tableKnobs, []Binding{
		{[]string{"+"}, "+ -|tune", "Turn the knob up a little", tune(+1)},
		{[]string{"-"}, "", "Turn the knob down a little", tune(-1)},
		{[]string{"]"}, "[ ]|×10", "Ten times as much", scale(+1)},
		{[]string{"["}, "", "A tenth of it", scale(-1)},
		{[]string{"="}, "type", "Type the value: 1e-6, ln(3), 1/800", (*App).openType},
		{[]string{"n"}, "next knob", "Next knob", just(func(a *App) { a.nextKnob(+1) })},
		{[]string{"t"}, "target", "Target: budget, δ, adjacency, unit, rounds", (*App).openTarget},
		{[]string{"N"}, "", "Previous knob", just(func(a *App) { a.nextKnob(-1) })},
		{[]string{"d"}, "", "Take the δ knob", just(func(a *App) { a.knob = knobDelta })},
		{[]string{"G"}, "", "Type how many records one person may contribute", (*App).openGroup},
	}}
}

func chartTable() Table {
	t := Table{Name: tableCharts}
	for i, c := range chartKinds() {
		t.Bindings = append(t.Bindings, Binding{[]string{c.key}, "", "Chart: " + c.title, just(func(a *App) { a.showChart(i) })})
	}
	t.Bindings = append(t.Bindings,
		Binding{[]string{"0", "esc"}, "", "Back to the bounds", just((*App).showBounds)},
		Binding{[]string{"f"}, "full", "The chart alone, or among the others", just((*App).toggleFull)},
		Binding{[]string{"z"}, "zoom", "Zoom in at the crosshair", just(func(a *App) { a.zoom(+1) })},
		Binding{[]string{"Z"}, "", "Zoom out", just(func(a *App) { a.zoom(-1) })},
	)
	return t
}

func tune(by int) func(*App) tea.Cmd  { return try(func(a *App) error { return a.turn(by, false) }) }
func scale(by int) func(*App) tea.Cmd { return try(func(a *App) error { return a.turn(by, true) }) }

// footing is what a foot line shows for a binding: its first key, or the keys it
// names, and the words.
func (b Binding) footing() (key, words string) {
	if key, words, named := strings.Cut(b.Foot, "|"); named {
		return key, words
	}
	return keyName(b.Keys[0]), b.Foot
}

// cycle moves the focus through the panes that are on the screen; where only one
// fits, through all of them.
func (a *App) cycle(by int) {
	order := []layout.Slot{layout.Stack, layout.Knobs, layout.Bounds, layout.Chart, layout.Detail}
	at := 0
	for i, s := range order {
		if s == a.focus {
			at = i
		}
	}
	for range order {
		at = (at + by + len(order)) % len(order)
		s := order[at]
		single := a.lay.Mode == layout.Single && (s == layout.Stack || s == layout.Bounds || s == layout.Chart)
		if a.lay.Slots[s].Visible() || single {
			a.focusOn(s)
			return
		}
	}
}

// focusOn gives a pane the keys.
func (a *App) focusOn(s layout.Slot) {
	a.focus = s
	if a.lay.Mode == layout.Single {
		a.chartOn = s == layout.Chart
	}
	a.arrange()
}

// showChart puts a chart on the screen.
func (a *App) showChart(i int) {
	a.chart = i
	a.chartOn = true
	if a.lay.Mode == layout.Single {
		a.focus = layout.Chart
	}
	a.arrange()
}

// showBounds brings the table back where a chart took its place.
func (a *App) showBounds() {
	a.chartOn, a.chartFull = false, false
	if a.focus == layout.Chart {
		a.focus = layout.Stack
	}
	if a.lay.Mode == layout.Single {
		a.focus = layout.Bounds
	}
	a.arrange()
}

func (a *App) toggleFull() {
	a.chartFull = !a.chartFull
	if a.chartFull {
		a.focus = layout.Chart
	}
	a.arrange()
}

// mark marks the entry and goes on, so that a run of rows is a run of spaces.
func (a *App) mark() {
	a.doc.Mark()
	a.doc.Select(a.doc.Cursor() + 1)
	a.arrived++ // marks are part of what the stack pane draws
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

func (a *App) drop() tea.Cmd {
	n := max(1, a.doc.Marks())
	if err := a.doc.Drop(); err != nil {
		a.complain(err)
		return nil
	}
	if n > 1 {
		a.say("dropped " + short(float64(n)) + " entries; u brings them back")
	} else {
		a.say("dropped; u brings it back")
	}
	return nil
}
