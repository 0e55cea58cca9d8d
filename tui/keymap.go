package tui

import (
	"fmt"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// useKeys takes the keys of the configuration; one that is wrong is said, and the others hold.
func (a *App) useKeys(keys map[string]string, config string) {
	m, err := kit.NewKeymap(keys, a.isBound)
	a.Keymap = m
	if err != nil {
		a.Complain(fmt.Errorf("%s: %w; the rest of the configuration holds", config, err))
	}
}

// isBound reports whether some action has a key, on any screen or pane.
func (a *App) isBound(key string) bool {
	tables := append(a.general, a.tourTables()...)
	for _, s := range a.screens {
		tables = append(append(tables, s.tables...), s.pane.Keys())
	}
	for i := range layout.Slots {
		tables = append(tables, a.home.Pane(i).Keys())
	}
	for _, t := range tables {
		for _, b := range t.Bindings {
			for _, k := range b.Keys() {
				if k == key {
					return true
				}
			}
		}
	}
	return false
}
