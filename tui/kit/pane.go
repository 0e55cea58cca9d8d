package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
)

// Pane is a rectangle of the screen: a plain struct that the explorer calls.
type Pane interface {
	// SetSize gives the pane its rectangle.
	SetSize(w, h int)
	// Keys are the bindings that act while the pane is focused, before all others.
	Keys() Table
	// HandleMouse takes an event at a cell of the pane.
	HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd
	// View returns exactly h lines, each exactly w cells wide.
	View(focused bool) []string
}

// typist is a pane that takes some keys before its table does: it has a field, or something
// that esc ends.
type typist interface {
	// HandleKey takes a key; false if it does not concern the pane.
	HandleKey(tea.KeyMsg) (tea.Cmd, bool)
}

// Take gives a key to the field of a pane; false if it has none that takes it.
func Take(p Pane, msg tea.KeyMsg) (tea.Cmd, bool) {
	if t, ok := p.(typist); ok {
		return t.HandleKey(msg)
	}
	return nil, false
}

// TypingKeys returns the keys that act while text is typed into a pane, for the foot of the screen: all
// others are letters of that text. Nil if none is being typed.
func TypingKeys(p Pane) []Binding {
	if t, ok := p.(interface{ TypingKeys() []Binding }); ok {
		return t.TypingKeys()
	}
	return nil
}

// Press gives a key to a pane; false if it does not concern it.
func Press(p Pane, msg tea.KeyMsg) (tea.Cmd, bool) {
	if cmd, ok := Take(p, msg); ok {
		return cmd, ok
	}
	return Dispatch(msg, p.Keys())
}

// Wheel returns +1 where the wheel goes down, -1 where it goes up, else 0.
func Wheel(m tea.MouseMsg) int {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		return -1
	case tea.MouseButtonWheelDown:
		return +1
	}
	return 0
}

// Click reports that the left button went down.
func Click(m tea.MouseMsg) bool {
	return m.Button == tea.MouseButtonLeft && m.Action == tea.MouseActionPress
}

// Base is shared by all panes: the shell around it and its size.
type Base struct {
	*Shell
	W, H int
}

func (b *Base) SetSize(w, h int) { b.W, b.H = w, h }

// Keys returns no keys.
func (b *Base) Keys() Table { return Table{} }

// HandleMouse leaves the mouse alone.
func (b *Base) HandleMouse(int, int, tea.MouseMsg) tea.Cmd { return nil }

// DrawFrame draws lines into the pane's rectangle, its foot on the last of them.
func (b *Base) DrawFrame(f draw.Frame, lines []string, foot ...string) []string {
	return b.Pen.Frame(f, lines, b.W, b.H, foot...)
}

// Cached keeps what was drawn for a key, so that a frame redraws only what
// changed. The key is comparable and names everything the drawing depends on.
type Cached struct {
	key   any
	lines []string
}

// Get returns what was drawn for the key, or is now.
func (c *Cached) Get(key any, draw func() []string) []string {
	if c.lines == nil || c.key != key {
		c.key, c.lines = key, draw()
	}
	return c.lines
}

// Lines returns what was drawn last.
func (c *Cached) Lines() []string { return c.lines }

// Look returns a key of all that the text of a screen depends on; own are at most four that it adds.
func (b *Base) Look(own ...any) any {
	key := [10]any{b.W, b.H, b.Themes, b.Doc.Version(), b.Doc.Cursor(), b.Arrived}
	copy(key[6:], own)
	return key
}

// Dialog stands over the screen and sees every key first. It closes itself with
// Shell.Pop.
type Dialog interface {
	HandleKey(tea.KeyMsg) tea.Cmd
	// View is the dialog as lines of one width, at most w×h.
	View(w, h int) []string
}

// Mouser is a dialog that takes the mouse.
type Mouser interface{ HandleMouse(tea.MouseMsg) tea.Cmd }

// Push puts a dialog over the screen.
func (s *Shell) Push(d Dialog) { s.Dialogs = append(s.Dialogs, d) }

// Pop takes the topmost away.
func (s *Shell) Pop() {
	if n := len(s.Dialogs); n > 0 {
		s.Dialogs = s.Dialogs[:n-1]
	}
}

// DrawBox frames the lines of a dialog, with its keys on the last one, behind a remark if there is
// room for that.
func (s *Shell) DrawBox(title string, lines []string, w, h int, remark string, keys ...Binding) []string {
	inner, _ := draw.Inner(w, h)
	hints, n := s.hints(inner, 3, keys...)
	l := s.Pen.Line(inner)
	if remark != "" && draw.Width(remark)+3+n <= inner {
		l.Put(s.Pen.Muted, remark).Skip(3)
	}
	return s.Pen.Frame(draw.Frame{Title: title, Focus: true}, lines, w, h, l.Raw(hints, n).String())
}

// Heading is the header of a screen that is about something else than the scenario.
type Heading struct {
	Name, About string
	State       string // at the right end, in its ink
	Ink         draw.Ink
}
