package dialogs

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Item is a line of a fuzzy list.
type Item struct {
	Name  string // what is matched first and returned
	Title string // what is shown beside it, matched too
	note  string // shown at the right
	Group string // what kind of thing it is; not shown
	also  string // another name that finds it; not shown
	key   string // a key that does the same
	Head  string // what items like it are headed by, while nothing is searched for

	Scenario *scenarios.Scenario // the scenario itself, if it is in no file
}

// picking is a dialog around a searchable list.
type picking struct {
	*Picker
	title       string
	verb, leave string              // what enter does, and esc; "" for cancel
	remark      string              // on what is searched, before the keys
	paths       bool                // what was typed may be a path that the list does not have
	w, h        int                 // at most
	names       func(inner int) int // cells of the names
	chosen      func(Item) tea.Cmd  // what enter does
	refused     func() error        // why enter cannot do it as things stand: the dialog stays; nil for never
	moved       func() tea.Cmd      // after every key; nil for nothing
	// below writes what stands under the list, of which it has so many lines; nil for nothing.
	below func(out *kit.Writer, most int)
	lines func(inner, rows int) int
	seen  jobs.Query[Item, []string] // what is said of the selected item
}

func (d *picking) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if d.Handle(msg) {
		if d.moved == nil {
			return nil
		}
		return d.moved()
	}
	it, ok := d.Selection()
	if !ok && d.paths {
		it = Item{Name: strings.TrimSpace(d.Input.Value()), Group: "file"}
	} else if !ok && msg.String() == "enter" { // nothing is chosen; the dialog stays, so that the next keys are no commands
		return nil
	}
	if msg.String() == "enter" && d.refused != nil {
		if err := d.refused(); err != nil {
			return d.Complain(err)
		}
	}
	d.Pop()
	d.seen.Stop()
	if msg.String() != "enter" || it.Name == "" {
		return nil
	}
	return d.chosen(it)
}

// HandleMouse moves in the list with the wheel.
func (d *picking) HandleMouse(m tea.MouseMsg) tea.Cmd {
	if d.Move(kit.Wheel(m)); kit.Wheel(m) == 0 || d.moved == nil {
		return nil
	}
	return d.moved()
}

func (d *picking) View(w, h int) []string {
	w, h = min(w-2, d.w), min(h-1, d.h)
	inner, rows := draw.Inner(w, h)
	below := 0
	if d.below != nil {
		below = d.lines(inner, rows)
	}
	room := max(1, rows-1-below)
	out := kit.NewWriter(d.Pen, inner, draw.Box(d.Lines(inner, room, d.names(inner)), inner, room)...)
	if below > 0 {
		out.Gap()
		d.below(out, rows-1)
	}
	return d.DrawBox(d.title, out.Lines, w, h, d.remark, kit.Hint("enter", d.verb), kit.Hint("esc", cmp.Or(d.leave, "cancel")))
}

// Palette offers the actions of the tables by their names.
func Palette(s *kit.Shell, tables []kit.Table) {
	do := map[string]func() tea.Cmd{}
	var items []Item
	for _, t := range tables {
		for _, b := range t.Bindings {
			if do[b.Name] == nil {
				do[b.Name] = b.Do
				items = append(items, Item{Name: b.Name, key: s.Label(b), also: b.Help().Desc})
			}
		}
	}
	d := &picking{Picker: NewPicker(s, items), title: "Commands", verb: "run it", leave: "close", w: 90, h: 24,
		names:  func(inner int) int { return inner - 16 },
		chosen: func(it Item) tea.Cmd { return do[it.Name]() }}
	d.ordered = true
	s.Push(d)
}
