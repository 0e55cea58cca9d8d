package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
)

// palette runs any action by its name: the same tables as the keys.
type palette struct {
	a    *App
	pick *picker
	do   map[string]func(*App) tea.Cmd
}

func (a *App) openPalette() tea.Cmd {
	p := &palette{a: a, do: map[string]func(*App) tea.Cmd{}}
	var items []pickItem
	tables := append(a.tables(), paletteTable())
	if f := a.focused(); f != nil && a.screens[a.screen].pane == nil {
		tables = append(tables, f.Keys())
	}
	for _, t := range tables {
		for _, b := range t.Bindings {
			if _, twice := p.do[b.Name]; twice {
				continue
			}
			p.do[b.Name] = b.Do
			items = append(items, pickItem{name: b.Name, key: b.label(), group: t.Name})
		}
	}
	p.pick = newPicker(a, items)
	p.pick.ordered = true
	a.push(p)
	return nil
}

func (p *palette) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if p.pick.handle(msg) {
		return nil
	}
	p.a.pop()
	if it, ok := p.pick.chosen(); ok && msg.String() == "enter" {
		return p.do[it.name](p.a)
	}
	return nil
}

func (p *palette) View(w, h int) []string {
	w, h = min(w-2, 90), min(h-1, 24)
	inner, rows := draw.Inner(w, h)
	return p.a.boxed("Commands", p.pick.lines(inner, rows-1, inner-16), "enter run it   esc close", w, h)
}
