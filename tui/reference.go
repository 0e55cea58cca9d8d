package tui

import (
	"context"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
	"epsiloscope/tui/tour"
)

// reference lists every table of the explorer once, for the documentation.
func (a *App) reference() []kit.Table {
	tables := append([]kit.Table{}, a.general[1:]...)
	tables = append(tables, a.general[0])
	tables = append(tables, a.screens[0].tables...)
	for i := range layout.Slots {
		tables = append(tables, a.home.Pane(i).Keys())
	}
	for _, s := range a.screens {
		if s.pane != nil {
			tables = append(tables, s.pane.Keys())
		}
	}
	return append(tables, tour.New(a.Shell, host{a}).Table(true))
}

// bareApp is an explorer nobody looks at, for what is written out of its tables.
func bareApp() *App {
	dark, _ := theme.ByName("dark")
	return newApp(context.Background(), Options{theme: dark}, document.New(scenarios.New()))
}

// KeysMarkdown is the reference of every key, as docs/keys.md holds it.
func KeysMarkdown() string {
	a := bareApp()
	defer a.Jobs.Close()
	var b strings.Builder
	b.WriteString("# Keys\n\nMade from the tables that dispatch them: `go test ./tui -run TestKeysDocument -update` writes this file.\n" +
		"In the explorer `?` shows the keys of the screen, and `:` finds any action by its name.\n")
	for _, t := range a.reference() {
		if len(t.Bindings) == 0 {
			continue
		}
		b.WriteString("\n## " + t.Name + "\n\n| keys | what they do |\n|---|---|\n")
		for _, x := range t.Bindings {
			keys := make([]string, len(x.Keys()))
			for i, k := range x.Keys() {
				keys[i] = "`" + kit.KeyName(k) + "`"
			}
			b.WriteString("| " + strings.Join(keys, " ") + " | " + strings.ReplaceAll(x.Name, "|", "\\|") + " |\n")
		}
	}
	return b.String()
}
