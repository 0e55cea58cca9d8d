package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Pane is one rectangle of the screen: a plain struct that App calls.
type Pane interface {
	// SetSize gives the pane its rectangle.
	SetSize(w, h int)
	// Keys are the bindings that act while the pane is focused, before all others.
	Keys() Table
	// HandleKey takes a key; false if it does not concern the pane.
	HandleKey(tea.KeyMsg) (tea.Cmd, bool)
	// HandleMouse takes an event at a cell of the pane.
	HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd
	// View returns exactly h lines, each exactly w cells wide.
	View(focused bool) []string
}

// base is what every pane shares: the shell around it and its size.
type base struct {
	*Shell
	w, h int
}

func (b *base) SetSize(w, h int) { b.w, b.h = w, h }

// cached keeps what was drawn for a key, so that a frame redraws only what
// changed. K must name everything the drawing depends on.
type cached[K comparable] struct {
	key   K
	lines []string
}

func (c *cached[K]) get(key K, draw func() []string) []string {
	if c.lines == nil || c.key != key {
		c.key, c.lines = key, draw()
	}
	return c.lines
}

// look is the part of a cache key that all panes share.
type look struct {
	w, h, theme int
	focused     bool
	version     int // of the document
	cursor      int
	result      int // how many results have arrived
}

func (b *base) look(focused bool) look {
	return look{b.w, b.h, b.themes, focused, b.doc.Version(), b.doc.Cursor(), b.arrived}
}
