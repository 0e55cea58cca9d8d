package kit

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

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

// Boxed frames the lines of a dialog, with its keys on the last one: "enter
// apply   esc cancel".
func (s *Shell) Boxed(title string, lines []string, foot string, w, h int) []string {
	inner, _ := draw.Inner(w, h)
	l := s.Pen.Line(inner)
	if text.Width(foot) > inner { // the keys stay, the prose before them goes
		if prose, keys, ok := strings.Cut(foot, "   "); ok && strings.Contains(prose, ": ") {
			foot = keys
		}
	}
	for hint := range strings.SplitSeq(foot, "   ") {
		key, words, _ := strings.Cut(hint, " ")
		if strings.HasSuffix(key, ":") { // prose, not a key
			l.Put(s.Pen.Muted, hint).Skip(3)
			continue
		}
		l.Put(s.Pen.Key, key).Put(s.Pen.Muted, " "+words).Skip(3)
	}
	return s.Pen.Frame(draw.Frame{Title: title, Focus: true}, lines, w, h, l.String())
}
