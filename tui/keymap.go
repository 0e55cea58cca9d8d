package tui

import (
	"fmt"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// useKeys takes the keys of the configuration; one that is wrong is said, beside what else is wrong with the file, and
// the others hold.
func (a *App) useKeys(keys map[string]string, config string) {
	m, err := kit.NewKeymap(keys, a.allTables())
	a.Keymap = m
	notice := a.opt.notice
	switch {
	case err == nil:
	case notice != nil:
		a.Complain(fmt.Errorf("%w; %w", notice, err))
	default:
		a.Complain(fmt.Errorf("%s: %w; the rest of the configuration holds", config, err))
	}
}

// allTables returns every table, of all screens and panes.
func (a *App) allTables() []kit.Table {
	tables := append([]kit.Table{a.paletteTable(), a.tourTable()}, a.general...)
	for _, s := range a.screens {
		tables = append(append(tables, s.tables...), s.pane.Keys())
	}
	for i := range layout.Slots {
		tables = append(tables, a.home.Pane(i).Keys())
	}
	return tables
}

// activeTables returns the tables that act now, in the order in which a key is looked for in them.
func (a *App) activeTables() []kit.Table {
	tables := []kit.Table{a.screens[a.screen].pane.Keys()}
	if a.screen == 0 {
		tables = append(a.tourTables(), a.home.Keys())
	}
	return append(append(tables, a.tables()...), a.paletteTable())
}
