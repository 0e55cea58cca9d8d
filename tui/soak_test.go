//go:build !windows

package tui

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/store"
)

// soak is the real explorer on a real terminal, on a file that others write to, used
// without end: with its accountants, its backups and its watch.
type soak struct {
	t       *testing.T
	random  *rand.Rand
	program *tea.Program
	master  *os.File
	path    string
	rounds  int
}

// TestSoak uses an explorer for a while, or for as long as SOAK says (1h), and fails
// if its goroutines, its memory or its open files grow.
func TestSoak(t *testing.T) {
	g := gauge.New(t, gauge.Cases(12, 60), "SOAK") // twelve rounds have each of their kinds once
	s := newSoak(t)
	for g.Go(s.rounds) {
		s.round()
		if g.Long() {
			<-time.After(20 * time.Millisecond) // for the numerical bounds to arrive
		}
	}
	g.Judge()
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here: " + err.Error())
	}
	t.Chdir(t.TempDir()) // a dialog may save where it pleases
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("TERM", "xterm-256color")
	s := &soak{t: t, random: rand.New(rand.NewPCG(1, 2)), master: master, path: filepath.Join(t.TempDir(), "plan.yaml")}
	s.resize(120, 36)
	s.rewrite()
	scenario, err := scenarios.Load(s.path)
	if err != nil {
		t.Fatal(err)
	}
	doc := document.New(scenario)
	doc.Path = s.path
	opt := Options{Theme: "dark", In: tty, Out: tty, store: store.Open(store.Locate(os.Getenv)), watch: true}
	if err := opt.configure(os.Getenv); err != nil {
		t.Fatal(err)
	}
	a := newApp(context.Background(), opt, doc)
	s.program = a.program(context.Background(), tty)
	drained, ended := make(chan struct{}), make(chan error, 1)
	go func() { defer close(drained); io.Copy(io.Discard, master) }()
	go func() { _, err := s.program.Run(); ended <- err }()
	t.Cleanup(func() {
		s.program.Quit()
		if err := <-ended; err != nil {
			t.Errorf("the explorer ended with %v", err)
		}
		a.Jobs.Close()
		tty.Close()
		<-drained
		master.Close()
	})
	return s
}

// rewrite saves the file as another program would.
func (s *soak) rewrite() {
	var b strings.Builder
	b.WriteString("version: 1\nname: Soaked\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n")
	for i := range 3 + s.rounds%5 {
		fmt.Fprintf(&b, "  - {mechanism: laplace, label: count %d, epsilon: 0.1, count: %d}\n", i, 1+s.rounds%20)
	}
	b.WriteString("  - {mechanism: gaussian, sigma: 25, count: 12}\n  - {mechanism: exponential, epsilon: 0.2, scores: [9, 7, 1]}\n")
	swap := s.path + ".swp"
	err := os.WriteFile(swap, []byte(b.String()), 0o600)
	if err == nil {
		err = os.Rename(swap, s.path)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *soak) resize(w, h uint16) {
	if err := pty.Setsize(s.master, &pty.Winsize{Rows: h, Cols: w}); err != nil {
		s.t.Fatal(err)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGWINCH)
}

func (s *soak) keys(keys ...string) {
	for _, k := range keys {
		s.program.Send(stand.Key(k))
	}
}

// round is one bout of use: a fixed walk, a few random keys, and now and then a save,
// a resize, the mouse, a paste, or another program's save.
func (s *soak) round() {
	s.rounds++
	s.keys("+", "down", "+", "1", "2", "w", "esc", "u", "u", "tab", "-", "u", "up")
	for range 4 {
		s.keys(monkeyKeys[s.random.IntN(len(monkeyKeys))])
	}
	switch s.rounds % 12 {
	case 0:
		s.rewrite()
	case 3, 9:
		s.keys("esc", "esc", "esc", "s")
	case 4:
		s.resize(uint16(20+s.random.IntN(200)), uint16(8+s.random.IntN(60)))
	case 5:
		x, y := s.random.IntN(120), s.random.IntN(36)
		s.program.Send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		s.program.Send(tea.MouseMsg{X: s.random.IntN(120), Y: s.random.IntN(36), Button: tea.MouseButtonWheelDown})
	case 6:
		s.program.Send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("0.25\x1b[2J")})
	case 7:
		s.program.Send(tea.FocusMsg{})
	case 11:
		s.resize(120, 36)
	}
	s.keys("esc", "esc", "esc", "esc") // out of whatever dialog is open
}
