//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"epsiloscope/internal/gauge"
)

// explorer is the real program on a terminal of its own.
type explorer struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	ended    chan struct{}

	mu   sync.Mutex
	seen bytes.Buffer // what it has drawn since the last wait
	more chan struct{}
}

// explore starts it. The binary of these tests is the program, by that name.
func explore(t *testing.T, home string, args ...string) *explorer {
	t.Helper()
	e := &explorer{t: t, cmd: exec.Command("epsiloscope", args...), ended: make(chan struct{}), more: make(chan struct{}, 1)}
	e.cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "TERM=xterm-256color", "NO_COLOR=1")
	var err error
	if e.terminal, err = pty.StartWithSize(e.cmd, &pty.Winsize{Rows: 40, Cols: 140}); err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	go func() {
		defer close(e.ended)
		buf := make([]byte, 1<<16)
		for {
			n, err := e.terminal.Read(buf)
			e.mu.Lock()
			e.seen.Write(buf[:n])
			e.mu.Unlock()
			select {
			case e.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(e.kill)
	return e
}

// wait blocks until the program has drawn a text, and forgets what came before.
func (e *explorer) wait(text string) {
	e.t.Helper()
	give := time.After(time.Minute) // only keeps a failing test from hanging for good
	for {
		e.mu.Lock()
		shown := ansi.Strip(e.seen.String())
		found := strings.Contains(shown, text)
		if found {
			e.seen.Reset()
		}
		e.mu.Unlock()
		if found {
			return
		}
		select {
		case <-e.more:
		case <-e.ended:
			e.t.Fatalf("the program ended before it drew %q:\n%s", text, shown)
		case <-give:
			e.t.Fatalf("%q was not drawn:\n%s", text, shown)
		}
	}
}

func (e *explorer) press(keys string) {
	e.t.Helper()
	if _, err := e.terminal.WriteString(keys); err != nil {
		e.t.Fatal(err)
	}
}

// kill ends the program as nothing else can, kill −9.
func (e *explorer) kill() {
	if e.cmd.ProcessState != nil {
		return
	}
	_ = e.cmd.Process.Kill()
	<-e.ended
	_ = e.cmd.Wait()
	e.terminal.Close()
}

// quit leaves it as a user does.
func (e *explorer) quit() {
	e.t.Helper()
	e.press("q")
	<-e.ended
	if err := e.cmd.Wait(); err != nil {
		e.t.Errorf("the program ended with %v", err)
	}
	e.terminal.Close()
}

// until polls for what another process does.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: waited for a minute", what)
		}
	}
}

const killedPlan = "# by hand\nversion: 1\nname: Killed\nbudget: {epsilon: 9}\nstack:\n  - {mechanism: pure, epsilon: 0.1, count: 3}\n"

// The explorer is killed with unsaved work: the file is as it was; the next start, in
// another folder, offers the work; accepting shows the figures of before the kill;
// saving asks, and then the file holds them, comments and all.
func TestKilledExplorer(t *testing.T) {
	kills := 1
	if gauge.Long() {
		kills = 100
	}
	for range kills {
		dir, home := t.TempDir(), t.TempDir()
		t.Chdir(dir)
		path := filepath.Join(dir, "plan.yaml")
		if err := os.WriteFile(path, []byte(killedPlan), 0o640); err != nil {
			t.Fatal(err)
		}
		a := explore(t, home, "plan.yaml")
		a.wait("0.3000")
		a.press("+")
		a.wait("0.3300") // ε 0.11, three times
		until(t, "the recovery file", func() bool { return len(recoveryFiles(t, home)) == 1 })
		a.kill()
		if text, err := os.ReadFile(path); err != nil || string(text) != killedPlan {
			t.Fatalf("the kill changed the file: %v, %s", err, text)
		}

		t.Chdir(t.TempDir())
		b := explore(t, home)
		b.wait("2.336") // of the demo: nothing is asked
		b.press("o")
		b.wait("unsaved work of a run that ended")
		b.press("\r")
		b.wait("0.3300")
		until(t, "its own recovery file", func() bool { return len(recoveryFiles(t, home)) == 1 })
		b.press("s")
		b.wait("is already there")
		b.press("o")
		b.press("\r")
		want := strings.Replace(killedPlan, "epsilon: 0.1,", "epsilon: 0.11,", 1)
		until(t, "the save", func() bool { text, _ := os.ReadFile(path); return string(text) == want })
		b.wait("saved plan.yaml")
		b.quit()
		if left := recoveryFiles(t, home); len(left) != 0 {
			t.Errorf("after saving and leaving %v is left", left)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("permissions %v, %v", info.Mode(), err)
		}
	}
	t.Logf("%d kills; the work was recovered every time", kills)
}

func recoveryFiles(t *testing.T, home string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, ".local", "state", "epsiloscope", "recovery", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Two explorers on one file, both with unsaved work, are killed: the work of each is
// offered. While the first lives, the second is offered nothing.
func TestKilledTwins(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte(killedPlan), 0o640); err != nil {
		t.Fatal(err)
	}
	a := explore(t, home, path)
	a.wait("0.3000")
	a.press("+")
	until(t, "a's recovery file", func() bool { return len(recoveryFiles(t, home)) == 1 })
	b := explore(t, home, path)
	b.wait("0.3000")
	b.press("-")
	until(t, "b's recovery file", func() bool { return len(recoveryFiles(t, home)) == 2 })
	a.kill()
	b.kill()
	var kept string
	for _, f := range recoveryFiles(t, home) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		kept += string(text)
	}
	if !strings.Contains(kept, "epsilon: 0.11,") || !strings.Contains(kept, "epsilon: 0.099,") {
		t.Errorf("kept of both:\n%s", kept)
	}
	c := explore(t, home, path)
	c.wait("o lists them first")
	c.press("o")
	c.wait("unsaved work of a run that ended")
	c.press("\r")
	c.wait("recovered")
	until(t, "the second to be left for later", func() bool { return len(recoveryFiles(t, home)) == 2 })
	d := explore(t, home, path)
	d.wait("o lists them first")
}

// Two live explorers on one file: what one saves the other, with changes of its own,
// does not overwrite without being told to.
func TestLiveTwins(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte(killedPlan), 0o640); err != nil {
		t.Fatal(err)
	}
	a, b := explore(t, home, path), explore(t, home, path)
	a.wait("0.3000")
	b.wait("0.3000")
	b.press("-")
	b.wait("0.2970")
	a.press("+")
	a.wait("0.3300")
	a.press("s")
	a.wait("saved plan.yaml")
	b.press("s") // by now it may have noticed by itself; then this is no answer to its question
	b.wait("Changed on disk")
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "0.11,") {
		t.Errorf("what a saved is gone: %v\n%s", err, text)
	}
}

// Ten thousand different entries (fewer where time is short): the real program opens them, goes to the last, is
// edited, and undoes it, whatever its accountants are still busy with.
func TestTenThousandEntriesInTheExplorer(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nname: Long\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n")
	n := gauge.Cases(1_000, 10_000)
	for i := range n {
		fmt.Fprintf(&b, "  - {mechanism: laplace, label: entry %d, epsilon: %.8f}\n", i+1, 1e-4*(1+float64(i+1)/float64(n)))
	}
	path := filepath.Join(t.TempDir(), "long.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o640); err != nil {
		t.Fatal(err)
	}
	e := explore(t, t.TempDir(), path)
	e.wait("entry 1")
	e.press("\x1b[F") // end
	e.wait(fmt.Sprint("entry ", n))
	e.press("]") // ten times as much
	e.wait("0.002")
	e.press("u")
	e.wait("undone")
	e.press("q")
	<-e.ended
}
