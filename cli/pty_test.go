//go:build unix

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// On a terminal that never replies, a command answers without having asked it
// anything: no escape byte is written. (Bubble Tea would query the background
// colour during initialisation and wait five seconds; see package tui/early.)
func TestCommandsDoNotQueryTheTerminal(t *testing.T) {
	t.Parallel()
	// The program itself, not the binary of these tests: what is initialised first is at stake.
	if err := linkProgram(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--version"}, {"--help"}, {"scenarios", "list"}, {"compare", "welcome"}} {
		if out := silentOutput(t, linked, args...); len(out) == 0 {
			t.Errorf("%v printed nothing", args)
		}
	}
	// A terminal without a name, as in a container, is not asked and not drawn on either: the bare command prints the
	// table.
	for _, term := range [][]string{nil, {"TERM="}} {
		for _, args := range [][]string{{"--version"}, {"compare", "welcome"}, nil} {
			if out := silentOutputOn(t, term, linked, args...); len(out) == 0 {
				t.Errorf("%v with %v printed nothing", args, term)
			}
		}
	}
}

// On a terminal that cannot draw the table is printed. What is piped in is never taken for
// keys: those come from the terminal itself or, where there is none, the table is printed.
func TestKeysComeFromTheTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.yaml")
	const text = "version: 1\nname: kept\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n- {mechanism: laplace, epsilon: 0.1}\n"
	for _, c := range []struct {
		name, term string
		own        bool   // it has a terminal of its own to open
		keys       string // typed there
		want       string
	}{
		{"a terminal that cannot draw", "dumb", true, "", "basic"},
		{"no terminal to open", "xterm-256color", false, "", "basic"},
		{"piped input", "xterm-256color", true, "q", "\x1b[?1049l"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			terminal, tty, err := pty.Open()
			if err != nil {
				t.Skipf("no pseudo-terminal here: %v", err)
			}
			defer terminal.Close()
			if err := pty.Setsize(terminal, &pty.Winsize{Rows: 36, Cols: 120}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "epsiloscope", file, "--theme", "dark")
			cmd.Env = append(os.Environ(), "TERM="+c.term, "HOME="+t.TempDir(), "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte("xsq")), tty, tty // drop, save, quit
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if c.own {
				cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 1
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			tty.Close()
			var shown bytes.Buffer
			buf := make([]byte, 4096)
			for typed := false; ; {
				n, err := terminal.Read(buf)
				shown.Write(buf[:n])
				if c.keys != "" && !typed && bytes.Contains(shown.Bytes(), []byte("certified in")) {
					typed = true
					if _, err := terminal.Write([]byte(c.keys)); err != nil {
						t.Fatal(err)
					}
				}
				if err != nil {
					break
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, shown.Bytes())
			}
			if !bytes.Contains(shown.Bytes(), []byte(c.want)) ||
				c.keys == "" && bytes.ContainsRune(shown.Bytes(), 0x1b) {
				t.Errorf("shown: %q", shown.Bytes())
			}
			if now, err := os.ReadFile(file); err != nil || string(now) != text {
				t.Errorf("the file became %q, %v", now, err)
			}
		})
	}
}
