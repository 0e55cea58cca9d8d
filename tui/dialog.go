package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Dialog stands over the screen and sees every key first. It closes itself with
// Shell.pop.
type Dialog interface {
	HandleKey(tea.KeyMsg) tea.Cmd
	// View is the dialog as lines of one width, at most w×h.
	View(w, h int) []string
}

// receiver is a dialog that asked for something to be computed.
type receiver interface{ Receive(tea.Msg) tea.Cmd }

// mouser is a dialog that takes the mouse.
type mouser interface{ HandleMouse(tea.MouseMsg) tea.Cmd }

func (s *Shell) push(d Dialog) { s.dialogs = append(s.dialogs, d) }

func (s *Shell) pop() {
	if n := len(s.dialogs); n > 0 {
		s.dialogs = s.dialogs[:n-1]
	}
}

// boxed frames the lines of a dialog, with its keys on the last one: "enter take
// it   esc cancel".
func (s *Shell) boxed(title string, lines []string, foot string, w, h int) []string {
	inner, rows := draw.Inner(w, h)
	body := text.Box(lines, inner, rows-1)
	l := s.pen.Line(inner)
	if text.Width(foot) > inner { // the keys stay, the prose before them goes
		if prose, keys, ok := strings.Cut(foot, "   "); ok && strings.Contains(prose, ": ") {
			foot = keys
		}
	}
	for hint := range strings.SplitSeq(foot, "   ") {
		key, words, _ := strings.Cut(hint, " ")
		if strings.HasSuffix(key, ":") { // prose, not a key
			l.Put(s.pen.Muted, hint).Skip(3)
			continue
		}
		l.Put(s.pen.Key, key).Put(s.pen.Muted, " "+words).Skip(3)
	}
	return s.pen.Frame(draw.Frame{Title: title, Focus: true}, append(body, l.String()), w, h)
}
