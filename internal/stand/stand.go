// Package stand shows one screen of the explorer with a shell around it and nothing else,
// for the tests of the packages below tui.
package stand

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/theme"
)

// Shell returns a shell around a scenario, without colours and without pauses before computing.
func Shell(t testing.TB, s *scenarios.Scenario) *kit.Shell {
	mono, _ := theme.ByName("mono")
	pool := jobs.New(Accountants().Context(context.Background()))
	pool.Eager = true
	t.Cleanup(pool.Close)
	sh := &kit.Shell{Explorer: stubExplorer{}, Pen: draw.NewPen(mono, lipgloss.DefaultRenderer(), false),
		Doc: document.New(s), Jobs: pool, Accountant: Accountants()}
	pool.Complain = sh.Complain
	return sh
}

// stubExplorer is an explorer without other screens.
type stubExplorer struct{ kit.Explorer }

func (stubExplorer) Show(string) tea.Cmd    { return nil }
func (stubExplorer) LinkText(string) string { return "a screen" }

// Stand is a screen of w×h cells.
type Stand struct {
	t    testing.TB
	sh   *kit.Shell
	pane kit.Pane
	w, h int
	// Left are the keys that the screen left to the explorer.
	Left []string
}

// New shows a screen in a rectangle of w×h cells.
func New(t testing.TB, sh *kit.Shell, pane kit.Pane, w, h int) *Stand {
	s := &Stand{t: t, sh: sh, pane: pane}
	s.Size(w, h)
	return s
}

// Size gives the screen another rectangle.
func (s *Stand) Size(w, h int) {
	s.w, s.h = w, h
	s.pane.SetSize(w, h)
}

// Press gives keys to the topmost dialog, else to the screen: names such as enter, single characters, or, to the
// screen, ids of its actions, whose key it presses.
func (s *Stand) Press(keys ...string) {
	for _, k := range keys {
		if n := len(s.sh.Dialogs); n > 0 {
			s.Run(s.sh.Dialogs[n-1].HandleKey(Key(k)))
			continue
		}
		cmd, ok := kit.Press(s.pane, Key(KeyOf(k, s.pane.Keys())))
		if !ok {
			s.Left = append(s.Left, k)
		}
		s.Run(cmd)
	}
}

// Type presses the letters of a text.
func (s *Stand) Type(words string) {
	for _, r := range words {
		s.Press(string(r))
	}
}

// Run runs commands one after the other until none is left, and takes what they found.
func (s *Stand) Run(cmd tea.Cmd) {
	queue := []tea.Cmd{cmd}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case jobs.Found:
			queue = append(queue, msg())
		}
	}
}

// View returns the screen without its colours; it must be exactly its rectangle.
func (s *Stand) View() string {
	s.t.Helper()
	lines := s.pane.View(true)
	if len(lines) != s.h {
		s.t.Errorf("%d lines of %d", len(lines), s.h)
	}
	for i, l := range lines {
		if w := draw.Width(l); w != s.w {
			s.t.Errorf("at %d×%d line %d is %d wide: %q", s.w, s.h, i, w, ansi.Strip(l))
		}
	}
	return ansi.Strip(strings.Join(lines, "\n"))
}

// KeyOf returns the key of the action that has an id, such as screen.plan, where the tables act in their order. A
// single character or the name of a key is returned as it is. It panics if the action cannot be taken there: none of
// the tables has it, or an action before it has all of its keys.
func KeyOf(name string, tables ...kit.Table) string {
	if utf8.RuneCountInString(name) == 1 || Key(name).Type != tea.KeyRunes {
		return name
	}
	var taken []string
	for _, t := range tables {
		for _, b := range t.Bindings {
			for _, k := range b.Keys() {
				if b.ID == name && !slices.Contains(taken, k) {
					return k
				}
			}
			taken = append(taken, b.Keys()...)
		}
	}
	panic("the action " + name + " cannot be taken here")
}

// Key returns what Bubble Tea sends of a key that it has a name for, or of characters typed at once.
func Key(k string) tea.KeyMsg {
	if k == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	for t := tea.KeyF20; t <= tea.KeyBackspace; t++ { // from the last of its names to the last control character
		if t.String() == k {
			return tea.KeyMsg{Type: t}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}
