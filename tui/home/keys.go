package home

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// The names of the tables, as the help and docs/keys.md print them.
const (
	tablePanes  = "Panes"
	tableStack  = "The stack"
	tableKnobs  = "Knobs"
	tableCharts = "Charts"
)

// Tables act on the home screen.
func (h *Home) Tables() []kit.Table {
	return []kit.Table{h.stackKeys, h.chartTable(), kit.NewTable(tablePanes,
		kit.Action("home.next-pane", "tab", "pane", "Next pane", kit.NoCmd(func() { h.cycle(+1) })),
		kit.Action("home.previous-pane", "shift+tab", "", "Previous pane", kit.NoCmd(func() { h.cycle(-1) })),
		kit.Action("home.up", "up k", "↑↓|entry", "Entry above", h.selectBy(-1)),
		kit.Action("home.down", "down j", "", "Entry below", h.selectBy(+1)),
		kit.Action("home.ten-up", "pgup", "", "Ten entries up", h.selectBy(-10)),
		kit.Action("home.ten-down", "pgdown", "", "Ten entries down", h.selectBy(+10)),
		kit.Action("home.first", "home", "", "First entry", h.selectBy(-1<<30)),
		kit.Action("home.last", "end", "", "Last entry", h.selectBy(+1<<30)),
		kit.Action("home.forms", "B", "", "List the other forms of theorems, or fold them", h.toggleForms),
		kit.Action("home.turn-down", "left h", "", "Turn the knob down", h.tune(-1)),
		kit.Action("home.turn-up", "right l", "", "Turn the knob up", h.tune(+1)),
	)}
}

// bindKeys makes the tables that stand at the foot of panes: every frame writes those.
func (h *Home) bindKeys() {
	h.stackKeys = kit.NewTable(tableStack,
		kit.Action("stack.add", "a", "add", "Add a mechanism; a number after its name is how often", kit.NoCmd(func() { dialogs.Add(h.Shell) })),
		kit.Action("stack.edit", "enter", "edit", "Edit the selected entry", kit.NoCmd(func() { dialogs.EditEntry(h.Shell) })),
		kit.Action("stack.copy", "c", "copy", "Duplicate the entry", h.onEntry(h.Try(func() error { return h.Doc.Duplicate() }))),
		kit.Action("stack.drop", "x delete", "drop", "Drop the entry, or all marked ones", h.onEntry(h.drop)),
		kit.Action("stack.move-down", "J shift+down", "", "Move the entry down", h.onStack(h.Try(func() error { return h.Doc.Move(+1) }))),
		kit.Action("stack.move-up", "K shift+up", "", "Move the entry up", h.onStack(h.Try(func() error { return h.Doc.Move(-1) }))),
		kit.Action("stack.mark", "space", "mark", "Mark the entry and go on to the next", h.onStack(kit.NoCmd(h.mark))),
		kit.Action("stack.group", "g", "group", "Group the marked into parallel branches, or ungroup", h.onStack(h.Try(func() error { return h.Doc.Group() }))),
		kit.Action("stack.count", "*", "", "Type how often the entry is released", h.openCount),
		kit.Action("stack.sampling", "A", "", "Say how batches are drawn, or drop the sampling rate", h.chooseSamplingScheme),
		kit.Action("stack.claim", "C", "", "Claim also: add-remove, or moves: never for a block", h.onEntry(h.toggleClaim)),
		kit.Action("stack.on-off", "i", "on/off", "Leave the entry out of the cost, or take it back in", h.onEntry(h.Try(func() error { return h.Doc.Toggle() }))),
	)
	h.KnobKeys = kit.NewTable(tableKnobs,
		kit.Action("knob.up", "+", "+ -|tune", "Turn the knob up a little", h.tune(+1)),
		kit.Action("knob.down", "-", "", "Turn the knob down a little", h.tune(-1)),
		kit.Action("knob.ten-times", "]", "[ ]|×10", "Ten times as much", h.scale(+1)),
		kit.Action("knob.tenth", "[", "", "A tenth of it", h.scale(-1)),
		kit.Action("knob.type", "=", "type", "Type the value: 1e-6, ln(3), 1/800", h.openType),
		kit.Action("knob.next", "n", "next knob", "Next knob", h.sayingKnob(kit.NoCmd(func() { h.nextKnob(+1) }))),
		kit.Action("knob.previous", "N", "", "Previous knob", h.sayingKnob(kit.NoCmd(func() { h.nextKnob(-1) }))),
		kit.Action("knob.delta", "d", "", "Select the δ knob", h.sayingKnob(kit.NoCmd(func() { h.Knob = document.KnobDelta }))),
	)
	h.TargetKeys = kit.NewTable("Target",
		kit.Action("target.edit", "t", "target", "Target: budget, δ, adjacency, unit, rounds", kit.NoCmd(func() { dialogs.Target(h.Shell, "budget") })),
		kit.Action("target.group", "G", "", "Type how many records one person may contribute", kit.NoCmd(func() { dialogs.Target(h.Shell, "group") })),
	)
	h.knobFoot = slices.Concat(h.KnobKeys.Bindings, h.TargetKeys.Bindings)
}

// ActingBindings returns the bindings of a table that act as things stand: not those whose keys the focused pane
// takes for itself, and none on entries where there are too few.
func (h *Home) ActingBindings(t kit.Table) kit.Table {
	if h.focus != layout.Stack {
		t = t.Exclude(h.Keys())
	}
	if n := len(h.Doc.Rows()); n < 2 {
		t.Bindings = slices.DeleteFunc(slices.Clone(t.Bindings), func(b kit.Binding) bool {
			return b.Keys()[0] == "up" || n == 0 && t.Name == tableStack && b.Keys()[0] != "a"
		})
	}
	return t
}

// otherScreens returns the keys of the screens that say more about the bounds: none while nothing is released, as they
// have nothing to say then.
func (h *Home) otherScreens() []kit.Binding {
	if len(h.Doc.Rows()) == 0 {
		return nil
	}
	return h.Feet
}

// FocusedFeet returns the keys of the focused pane that have no place at its own foot: that of the bounds
// may be taken by a note.
func (h *Home) FocusedFeet() []kit.Binding {
	if h.focus != layout.Bounds || h.Result == nil {
		return nil
	}
	return h.Keys().Bindings
}

func (h *Home) chartTable() kit.Table {
	t := kit.Table{Name: tableCharts}
	for i, c := range h.charts {
		if h.sharesKey(i) {
			last, join := &t.Bindings[len(t.Bindings)-1], ", "
			if !h.sharesKey(i - 1) {
				join = "; again: "
			}
			last.Name += join + c.Name
			continue
		}
		show := kit.NoCmd(func() { h.ShowChart(c.Key) })
		t.Bindings = append(t.Bindings, kit.Action("chart."+c.Key, c.Key, "", "Chart: "+c.Title, show))
	}
	t.Bindings = append(t.Bindings,
		kit.Action("chart.none", "0", "", "To the bounds", kit.NoCmd(h.ShowBounds)),
		kit.Action("chart.back", "esc", "", "Back: to the bounds, or to the screen that led here", h.Explorer.Back),
		kit.Action("chart.full", "f", "full", "The chart alone, or among the others", kit.NoCmd(h.toggleFull)),
		kit.Action("chart.zoom", "z", "zoom", "Zoom in at the crosshair", kit.NoCmd(func() { h.graph.plot.Zoom(+1) })),
		kit.Action("chart.ratio", "%", "", "Chart: ε as it is, or divided by the best bound", kit.NoCmd(h.toggle(viewRatio, "ε divided by the best bound; % goes back"))),
		kit.Action("chart.log", "&", "", "Chart: ε against K on linear or on logarithmic axes", kit.NoCmd(h.toggle(viewLog, "logarithmic axes; & goes back"))),
		kit.Action("chart.zoom-out", "Z", "", "Zoom out", kit.NoCmd(func() { h.graph.plot.Zoom(-1) })),
	)
	return t
}

func (h *Home) tune(by int) func() tea.Cmd {
	return h.sayingKnob(h.Try(func() error { return h.turn(by, false) }))
}

func (h *Home) scale(by int) func() tea.Cmd {
	return h.sayingKnob(h.Try(func() error { return h.turn(by, true) }))
}

// mark marks the entry and goes on, so that a run of rows is a run of spaces.
func (h *Home) mark() {
	h.Doc.Mark()
	h.Doc.Select(h.Doc.Cursor() + 1)
}

func (h *Home) drop() tea.Cmd {
	n := h.Doc.Marks()
	if n > 0 && !h.isStackVisible() {
		return h.sayHidden("the marked entries are")
	}
	name := ""
	if row, ok := h.Doc.SelectedRow(); ok {
		name = kit.EntryName(row.Entry)
	}
	if err := h.Doc.Drop(); err != nil {
		return h.Complain(err)
	}
	if n > 1 {
		return h.Say("dropped " + report.Short(float64(n)) + " entries; u brings them back")
	}
	return h.Say("dropped “" + name + "”; u brings it back")
}

// footKeys is the number of keys that the foot of a pane names. All of them are under ?.
const footKeys = 5

// firstKeys returns the first keys of a list that have words for a foot, as many as one names.
func firstKeys(list []kit.Binding) (first []kit.Binding) {
	for _, b := range list {
		if b.Help().Desc != "" && len(first) < footKeys {
			first = append(first, b)
		}
	}
	return first
}
