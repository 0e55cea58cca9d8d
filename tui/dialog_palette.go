package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// palette runs any action by its name: the same tables as the keys.
type palette struct {
	*kit.Shell
	pick *picker
	do   map[string]func() tea.Cmd
}

// openPalette offers the actions of the tables.
func openPalette(s *kit.Shell, tables []kit.Table) {
	p := &palette{Shell: s, do: map[string]func() tea.Cmd{}}
	var items []pickItem
	for _, t := range tables {
		for _, b := range t.Bindings {
			if _, twice := p.do[b.Name]; twice {
				continue
			}
			p.do[b.Name] = b.Do
			items = append(items, pickItem{name: b.Name, key: b.Label(), group: t.Name})
		}
	}
	p.pick = newPicker(s, items)
	p.pick.ordered = true
	s.Push(p)
}

func (p *palette) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if p.pick.handle(msg) {
		return nil
	}
	p.Pop()
	if it, ok := p.pick.chosen(); ok && msg.String() == "enter" {
		return p.do[it.name]()
	}
	return nil
}

func (p *palette) View(w, h int) []string {
	w, h = min(w-2, 90), min(h-1, 24)
	inner, rows := draw.Inner(w, h)
	return p.Boxed("Commands", p.pick.lines(inner, rows-1, inner-16), "enter run it   esc close", w, h)
}
