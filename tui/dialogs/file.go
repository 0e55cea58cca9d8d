package dialogs

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// fileChooser is a searchable list of the files of one kind in this folder.
type fileChooser struct {
	*kit.Shell
	title, ending string
	pick          *Picker
	chosen        func(path string) tea.Cmd
}

// ChooseFile lets a file with an ending be chosen, or its path be typed.
func ChooseFile(s *kit.Shell, title, ending string, chosen func(path string) tea.Cmd) tea.Cmd {
	d := &fileChooser{Shell: s, title: title, ending: ending, pick: NewPicker(s, nil), chosen: chosen}
	s.Push(d)
	return s.Jobs.Command(func() tea.Msg {
		var items []Item
		for _, pattern := range []string{"*" + ending, "*/*" + ending} {
			found, _ := filepath.Glob(pattern)
			for _, p := range found[:min(len(found), 500)] {
				items = append(items, Item{Name: p, note: "folder", Group: "file"})
			}
		}
		return listedMsg{items}
	})
}

// Receive takes the files found.
func (d *fileChooser) Receive(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(listedMsg); ok {
		d.pick.set(m.items)
	}
	return nil
}

func (d *fileChooser) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if d.pick.Handle(msg) {
		return nil
	}
	d.Pop()
	if msg.String() != "enter" {
		return nil
	}
	path := strings.TrimSpace(d.pick.Input.Value())
	if it, ok := d.pick.chosen(); ok {
		path = it.Name
	}
	if path == "" {
		return nil
	}
	return d.chosen(path)
}

func (d *fileChooser) View(w, h int) []string {
	w, h = min(w-2, 76), min(h-1, 16)
	inner, rows := draw.Inner(w, h)
	lines := d.pick.lines(inner, rows-1, inner-12)
	if len(d.pick.Found) == 0 && len(lines) > 1 {
		lines[1] = d.Pen.Line(inner).Put(d.Pen.Muted, "no "+d.ending+" file of that name here; type a path").String()
	}
	return d.Boxed(d.title, text.Box(lines, inner, rows-1), "search this folder, or type a path   enter open   esc cancel", w, h)
}
