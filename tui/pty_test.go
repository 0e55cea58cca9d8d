//go:build !windows

package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"go.uber.org/goleak"
)

// terminal is a real one that answers no question at all.
type terminal struct {
	ended   chan error
	drained chan struct{}
	write   func(string)
	close   func()

	mu    sync.Mutex
	more  *sync.Cond
	shown bytes.Buffer
}

// runOn starts the explorer on one.
func runOn(t *testing.T, opt Options) *terminal {
	t.Helper()
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
	x := &terminal{ended: make(chan error, 1), drained: make(chan struct{})}
	x.more = sync.NewCond(&x.mu)
	x.write = func(s string) {
		if _, err := master.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	x.close = func() { tty.Close(); <-x.drained; master.Close() }
	go x.read(master)
	opt.In, opt.Out = tty, tty
	if opt.Open == "" { // a first run is greeted where the time of the figures stands
		opt.Open = welcome
	}
	go func() { x.ended <- Run(context.Background(), opt) }()
	return x
}

func (x *terminal) read(from io.Reader) {
	defer close(x.drained)
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		x.mu.Lock()
		x.shown.Write(buf[:n])
		x.mu.Unlock()
		x.more.Broadcast()
		if err != nil {
			return
		}
	}
}

// until waits for a text.
func (x *terminal) until(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for !bytes.Contains(x.shown.Bytes(), []byte(text)) {
		x.more.Wait()
	}
}

// On a real terminal: the explorer comes up, and q ends it and everything it started,
// whether it has nothing to do, computes, or runs a lab.
func TestNothingOutlivesTheProgram(t *testing.T) {
	type step struct{ text, key string } // once the text is there, the key
	for _, c := range []struct {
		name  string
		steps []step
	}{
		{"idle", []step{{"certified in", "q"}}},
		{"computing what never ends", []step{{"computing", "q"}}},
		{"drawing a chart", []step{{"certified in", "6"}, {"Trade-off function", "q"}}},
		{"running a lab", []step{{"certified in", "b"}, {"Labs", "\rq"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			opt := Options{Theme: "auto"}
			if strings.Contains(c.name, "never") {
				opt.accountant = &fake{block: true}
			}
			x := runOn(t, opt)
			for _, s := range c.steps {
				x.until(s.text)
				x.write(s.key)
			}
			if err := <-x.ended; err != nil {
				t.Errorf("Run: %v", err)
			}
			x.close()
			goleak.VerifyNone(t, before)
		})
	}
}

// A signal that ends the explorer leaves the screen as it was before, tells which one it was,
// and leaves work where the next start finds it; without a change there is nothing to find.
func TestSignalsRestoreTheScreenAndKeepTheWork(t *testing.T) {
	for _, sig := range []syscall.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT,
	} {
		for _, edited := range []bool{true, false} {
			t.Run(fmt.Sprint(sig, edited), func(t *testing.T) {
				x := runOn(t, Options{Theme: "dark", accountant: accountants(), charts: rememberedCharts()})
				x.until("certified in")
				if edited {
					x.write("+")
					x.until("unsaved")
				}
				if err := syscall.Kill(syscall.Getpid(), sig); err != nil {
					t.Fatal(err)
				}
				if err := <-x.ended; err != (Ended{sig, edited}) {
					t.Errorf("Run: %v", err)
				}
				x.until("\x1b[?1049l") // out of the alternate screen
				x.until("\x1b[?1002l") // the mouse off
				x.close()
				files, _ := filepath.Glob(filepath.Join(os.Getenv("HOME"), ".local/state/epsiloscope/recovery/*"))
				isScenario := func(f string) bool { return strings.HasSuffix(f, ".yaml") }
				if found := slices.ContainsFunc(files, isScenario); found != edited {
					t.Errorf("edited %t, kept %q", edited, files)
				}
			})
		}
	}
}
