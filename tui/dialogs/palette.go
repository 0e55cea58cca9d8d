package dialogs

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// palette runs any action by its name: the same tables as the keys.
type palette struct {
	*kit.Shell
	pick *Picker
	do   map[string]func() tea.Cmd
}

// Palette offers the actions of the tables.
func Palette(s *kit.Shell, tables []kit.Table) {
	p := &palette{Shell: s, do: map[string]func() tea.Cmd{}}
	var items []Item
	for _, t := range tables {
		for _, b := range t.Bindings {
			if _, twice := p.do[b.Name]; twice {
				continue
			}
			p.do[b.Name] = b.Do
			items = append(items, Item{Name: b.Name, key: b.Label(), Group: t.Name})
		}
	}
	p.pick = NewPicker(s, items)
	p.pick.ordered = true
	s.Push(p)
}

func (p *palette) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if p.pick.Handle(msg) {
		return nil
	}
	p.Pop()
	if it, ok := p.pick.chosen(); ok && msg.String() == "enter" {
		return p.do[it.Name]()
	}
	return nil
}

func (p *palette) View(w, h int) []string {
	w, h = min(w-2, 90), min(h-1, 24)
	inner, rows := draw.Inner(w, h)
	return p.Boxed("Commands", p.pick.lines(inner, rows-1, inner-16), "enter run it   esc close", w, h)
}
