//go:build unix

package cli

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Progress is shown on a terminal until the work ends or a line is printed, and that line stands by itself. Elsewhere nothing is shown.
func TestProgressOnATerminal(t *testing.T) {
	mine, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer mine.Close()
	t.Setenv("TERM", "xterm")
	a := &app{stderr: terminal}
	done := a.showProgressEvery(time.Millisecond, "ledger verify")
	seen := bufio.NewReader(mine)
	first, err := seen.ReadString(')') // waits for the first line
	if err != nil || !strings.Contains(first, "\rledger verify: computing, 0 s (ctrl-c stops it)") {
		t.Errorf("%q, %v", first, err)
	}
	a.tell("committed %s", "r1")
	done() // again, which changes nothing
	terminal.Close()
	rest, _ := io.ReadAll(seen) // ends with an error when the other side is closed
	before, ok := strings.CutSuffix(string(rest), "committed r1\r\n")
	if !ok || !strings.HasSuffix(before, " \r") {
		t.Errorf("after progress comes %q", rest)
	}

	var pipe strings.Builder
	a = &app{stderr: &pipe}
	a.showProgressEvery(time.Nanosecond, "x")()
	if a.tell("y"); pipe.String() != "y\n" {
		t.Errorf("a pipe gets %q", pipe.String())
	}
}
