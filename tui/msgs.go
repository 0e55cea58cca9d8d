package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/store"
)

// resultMsg is an evaluated scenario, with or without its numerical column.
type resultMsg struct {
	version int
	result  *scenarios.Result
	closed  bool // the numerical column is still to come
	last    bool // no narrower one will follow
	took    string
}

// refusedMsg is a scenario that cannot be evaluated, with the reason.
type refusedMsg struct {
	version int
	err     error
}

// openedMsg is a scenario read from a file or the library.
type openedMsg struct {
	scenario *scenarios.Scenario
	path     string // "" for a bundled one
	bundle   string
	err      error
	then     func() tea.Cmd // what waited for it; nil for nothing
}

// savedMsg is the end of an attempt to save. The scenario is the value whose
// fields were saved; then is what was waiting for it.
type savedMsg struct {
	version  int
	scenario *scenarios.Scenario
	path     string
	err      error
	then     func() tea.Cmd
}

// lostMsg is unsaved work of a run that did not exit cleanly.
type lostMsg struct {
	lost     store.Lost
	scenario *scenarios.Scenario
}

// diskMsg says that the file behind the document changed under it.
type diskMsg struct {
	scenario *scenarios.Scenario // as it is on disk now; nil if it cannot be read
	state    string              // which state of the file that is, or gone
	err      error
}

// watchMsg is the time to look at the file.
type watchMsg struct{}
