//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"
)

// On a terminal that never replies, a command answers without having asked it
// anything: no escape byte is written. (Bubble Tea would query the background
// colour during initialisation and wait five seconds; see package tui/early.)
func TestCommandsDoNotQueryTheTerminal(t *testing.T) {
	program := filepath.Join(t.TempDir(), "epsiloscope")
	if out, err := exec.Command("go", "build", "-o", program, "epsiloscope").CombinedOutput(); err != nil {
		t.Fatalf("cannot build the program: %v\n%s", err, out)
	}
	for _, args := range [][]string{{"--version"}, {"--help"}, {"scenarios", "list"}, {"compare", "welcome"}} {
		// The limit only keeps a hanging test from hanging for good.
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME=/nonexistent", "COLORTERM=truecolor")
		terminal, err := pty.Start(cmd)
		if err != nil {
			cancel()
			t.Skipf("no pseudo-terminal here: %v", err)
		}
		out, _ := io.ReadAll(terminal) // ends with an error when the child closes its side
		err = cmd.Wait()
		terminal.Close()
		cancel()
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		if len(out) == 0 {
			t.Errorf("%v printed nothing", args)
		}
		if bytes.ContainsRune(out, 0x1b) {
			t.Errorf("%v wrote escape bytes: %q", args, out)
		}
	}
}
