//go:build !windows

package tui

import (
	"bytes"
	"context"
	"testing"

	"github.com/creack/pty"
)

// On a real terminal that answers no question at all: the explorer comes up, and q
// ends it and everything it started.
func TestRunOnATerminal(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here: " + err.Error())
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 36, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("TERM", "xterm-256color")
	seen, drained := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(drained)
		var all bytes.Buffer
		buf := make([]byte, 4096)
		up := false
		for {
			n, err := master.Read(buf)
			if all.Write(buf[:n]); !up && bytes.Contains(all.Bytes(), []byte("What it costs")) {
				up = true
				close(seen)
			}
			if err != nil {
				return
			}
		}
	}()
	ended := make(chan error, 1)
	go func() { ended <- Run(context.Background(), Options{Theme: "auto", In: tty, Out: tty}) }()
	<-seen
	if _, err := master.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	tty.Close()
	<-drained
	master.Close()
}
