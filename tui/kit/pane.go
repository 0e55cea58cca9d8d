package kit

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Pane is one rectangle of the screen: a plain struct that the explorer calls.
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

// Base is what every pane shares: the shell around it and its size.
type Base struct {
	*Shell
	W, H int
}

func (b *Base) SetSize(w, h int) { b.W, b.H = w, h }

// Cached keeps what was drawn for a key, so that a frame redraws only what
// changed. K must name everything the drawing depends on.
type Cached[K comparable] struct {
	key   K
	lines []string
}

// Get is what was drawn for the key, or is now.
func (c *Cached[K]) Get(key K, draw func() []string) []string {
	if c.lines == nil || c.key != key {
		c.key, c.lines = key, draw()
	}
	return c.lines
}

// Last is what was drawn last.
func (c *Cached[K]) Last() []string { return c.lines }

// Look is the part of a cache key that all panes share.
type Look struct {
	w, h, theme int
	focused     bool
	version     int // of the document
	cursor      int
	result      int // how many results have arrived
}

// Look is that part as it is now.
func (b *Base) Look(focused bool) Look {
	return Look{b.W, b.H, b.Themes, focused, b.Doc.Version(), b.Doc.Cursor(), b.Arrived}
}
