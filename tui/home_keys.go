package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/document"
)

// The names of the tables, as the help and docs/keys.md print them.
const (
	tablePanes  = "Panes"
	tableStack  = "The stack"
	tableKnobs  = "Knobs"
	tableCharts = "Charts"
)

// Tables act on the home screen.
func (h *Home) Tables() []Table {
	return []Table{h.stackTable(), h.chartTable(), newTable(tablePanes,
		bind("tab", "pane", "Next pane", just(func() { h.cycle(+1) })),
		bind("shift+tab", "", "Previous pane", just(func() { h.cycle(-1) })),
		bind("up k", "↑↓|entry", "Entry above", just(func() { h.doc.Select(h.doc.Cursor() - 1) })),
		bind("down j", "", "Entry below", just(func() { h.doc.Select(h.doc.Cursor() + 1) })),
		bind("pgup", "", "Ten entries up", just(func() { h.doc.Select(h.doc.Cursor() - 10) })),
		bind("pgdown", "", "Ten entries down", just(func() { h.doc.Select(h.doc.Cursor() + 10) })),
		bind("home", "", "First entry", just(func() { h.doc.Select(0) })),
		bind("end", "", "Last entry", just(func() { h.doc.Select(len(h.doc.Rows())) })),
		bind("left h", "", "Turn the knob down", h.tune(-1)),
		bind("right l", "", "Turn the knob up", h.tune(+1)),
	)}
}

func (h *Home) stackTable() Table {
	return newTable(tableStack,
		bind("a", "add", "Add a mechanism; a number after its name is how often", just(func() { openAdd(h.Shell) })),
		bind("enter", "edit", "Edit the selected entry", just(func() { openForm(h.Shell) })),
		bind("c", "copy", "Duplicate the entry", h.try(func() error { return h.doc.Duplicate() })),
		bind("x delete", "drop", "Drop the entry, or all marked ones", h.drop),
		bind("J shift+down", "", "Move the entry down", h.try(func() error { return h.doc.Move(+1) })),
		bind("K shift+up", "", "Move the entry up", h.try(func() error { return h.doc.Move(-1) })),
		bind("space", "mark", "Mark the entry and go on to the next", just(h.mark)),
		bind("g", "group", "Group the marked into parallel branches, or ungroup", h.try(func() error { return h.doc.Group() })),
		bind("*", "", "Type how often the entry is released", h.openCount),
		bind("A", "", "Shuffled batches: take away what sampling gains", h.unamplify),
		bind("i", "on/off", "Leave the entry out of the cost, or take it back in", h.try(func() error { return h.doc.Toggle() })),
	)
}

func (h *Home) knobTable() Table {
	return newTable(tableKnobs,
		bind("+", "+ -|tune", "Turn the knob up a little", h.tune(+1)),
		bind("-", "", "Turn the knob down a little", h.tune(-1)),
		bind("]", "[ ]|×10", "Ten times as much", h.scale(+1)),
		bind("[", "", "A tenth of it", h.scale(-1)),
		bind("=", "type", "Type the value: 1e-6, ln(3), 1/800", h.openType),
		bind("n", "next knob", "Next knob", just(func() { h.nextKnob(+1) })),
		bind("t", "target", "Target: budget, δ, adjacency, unit, rounds", just(func() { openTarget(h.Shell, "budget") })),
		bind("N", "", "Previous knob", just(func() { h.nextKnob(-1) })),
		bind("d", "", "Take the δ knob", just(func() { h.knob = document.KnobDelta })),
		bind("G", "", "Type how many records one person may contribute", just(func() { openTarget(h.Shell, "group") })),
	)
}

func (h *Home) chartTable() Table {
	t := Table{Name: tableCharts}
	for i, c := range h.charts {
		t.Bindings = append(t.Bindings, bind(c.key, "", "Chart: "+c.title, just(func() { h.showChart(i) })))
	}
	t.Bindings = append(t.Bindings,
		bind("0 esc", "", "Back to the bounds", just(h.showBounds)),
		bind("f", "full", "The chart alone, or among the others", just(h.toggleFull)),
		bind("z", "zoom", "Zoom in at the crosshair", just(func() { h.zoom(+1) })),
		bind("Z", "", "Zoom out", just(func() { h.zoom(-1) })),
	)
	return t
}

func (h *Home) tune(by int) func() tea.Cmd  { return h.try(func() error { return h.turn(by, false) }) }
func (h *Home) scale(by int) func() tea.Cmd { return h.try(func() error { return h.turn(by, true) }) }

// mark marks the entry and goes on, so that a run of rows is a run of spaces.
func (h *Home) mark() {
	h.doc.Mark()
	h.doc.Select(h.doc.Cursor() + 1)
	h.arrived++ // marks are part of what the stack pane draws
}

func (h *Home) drop() tea.Cmd {
	n := max(1, h.doc.Marks())
	if err := h.doc.Drop(); err != nil {
		h.complain(err)
		return nil
	}
	if n > 1 {
		h.say("dropped " + short(float64(n)) + " entries; u brings them back")
	} else {
		h.say("dropped; u brings it back")
	}
	return nil
}
