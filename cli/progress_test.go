//go:build unix

package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
)

// Progress is shown on a terminal until the work ends or a line is printed, and that line stands by itself. Elsewhere
// nothing is shown.
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

// typedInput is a standard input at which somebody types: when it is read, no progress may be shown.
type typedInput struct {
	t    *testing.T
	a    *app
	text *strings.Reader
	read bool
}

func (in *typedInput) Read(p []byte) (int, error) {
	if in.read = true; in.a.progress.stop != nil {
		in.t.Error("progress is shown while the program waits for input")
	}
	return in.text.Read(p)
}

// Every command that reads a scenario or a record from standard input shows progress only once it has read it.
func TestProgressWaitsForInput(t *testing.T) {
	mine, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer mine.Close()
	defer terminal.Close()
	go func() { _, _ = io.Copy(io.Discard, mine) }()
	t.Setenv("TERM", "xterm")
	dir := t.TempDir()
	usage, planned := filepath.Join(dir, "usage.ledger"), filepath.Join(dir, "planned.ledger")
	const small = "version: 1\nunit: person\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n- {mechanism: laplace, epsilon: 0.1}\n"
	if status := Main(strings.Fields("ledger new "+usage+" --epsilon 3 --delta 1e-6 --unit person"), strings.NewReader(""), io.Discard, io.Discard); status != 0 {
		t.Fatalf("no ledger: status %d", status)
	}
	for _, c := range []struct{ args, typed string }{
		{"ledger ask " + usage + " -", small},
		{"ledger spend " + usage + " -", small},
		{"ledger new " + planned + " --plan -", small},
		{"audit - --canaries 100 --guesses 10 --correct 5", small},
		{"audit - --plan", strings.Replace(small, "epsilon: 0.1}", "epsilon: 1}", 1)}, // a small ε takes half a minute to plan for
		{"validate -", small},
		{"compare -", small},
		{"curve - epsilon-k -o csv", small},
		{"certify -", small},
		{"export dp-accounting -", small},
		{"import csv -", "mechanism,epsilon\nlaplace,0.1\n"},
	} {
		a := &app{stdout: io.Discard, stderr: terminal}
		in := &typedInput{t: t, a: a, text: strings.NewReader(c.typed)}
		a.stdin = in
		if status := a.execute(context.Background(), strings.Fields(c.args)); status != 0 || !in.read {
			t.Errorf("%s: status %d, standard input read: %v", c.args, status, in.read)
		}
	}
	if _, err := os.Stat(planned); err != nil {
		t.Error(err)
	}
}

// What was shown before the input goes on after it.
func TestProgressGoesOnAfterInput(t *testing.T) {
	mine, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer mine.Close()
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	a := &app{stdin: strings.NewReader("version: 1\nstack: []\n"), stderr: terminal}
	defer a.showProgressEvery(time.Millisecond, "ledger ask")()
	seen := bufio.NewReader(mine)
	for range 2 { // before and after
		if line, err := seen.ReadString(')'); err != nil || !strings.Contains(line, "ledger ask: computing") {
			t.Errorf("%q, %v", line, err)
		}
		_, _ = a.load("-")
		if a.progress.stop == nil {
			t.Error("no progress after the input")
		}
	}
}

// Lists and facts are wrapped to the terminal they go to, below the text of their column, and whole elsewhere.
func TestLinesWrapToTheTerminal(t *testing.T) {
	mine, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer mine.Close()
	if err := pty.Setsize(mine, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	const line = "laplace   noise of a width that depends on the sensitivity"
	if err := (textLines{line, "short"}).Write(terminal, ""); err != nil {
		t.Fatal(err)
	}
	seen, want := bufio.NewReader(mine), []string{"laplace   noise of a width that depends", "          on the sensitivity", "short"}
	for _, w := range want {
		if got, err := seen.ReadString('\n'); err != nil || strings.TrimRight(got, "\r\n") != w {
			t.Errorf("%q, %v; want %q", got, err, w)
		}
	}
	terminal.Close()
	var pipe strings.Builder
	if err := (textLines{line}).Write(&pipe, ""); err != nil || pipe.String() != line+"\n" {
		t.Errorf("a pipe gets %q, %v", pipe.String(), err)
	}
}

// Tables of numbers that are wider than the terminal continue below; a pipe gets them in one piece.
func TestTablesFoldToTheTerminal(t *testing.T) {
	for _, c := range []struct {
		args   []string
		number string // of the last column
	}{
		{[]string{"split", "welcome"}, "40.00"},
		{[]string{"curve", "welcome", "epsilon-k", "--points", "2", "--max-k", "10"}, "8.945"},
	} {
		mine, terminal, err := pty.Open()
		if err != nil {
			t.Skipf("no pseudo-terminal here: %v", err)
		}
		defer mine.Close()
		if err := pty.Setsize(mine, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
			t.Fatal(err)
		}
		seen := make(chan string)
		go func() {
			text, _ := io.ReadAll(mine) // ends with an error once the other side is closed
			seen <- string(text)
		}()
		if status := Main(c.args, strings.NewReader(""), terminal, io.Discard); status != 0 {
			t.Errorf("%v: status %d", c.args, status)
		}
		terminal.Close()
		text := <-seen
		for line := range strings.SplitSeq(text, "\r\n") {
			if ansi.StringWidth(line) > 80 {
				t.Errorf("%v: %d columns: %s", c.args, ansi.StringWidth(line), line)
			}
		}
		if !strings.Contains(text, c.number) {
			t.Errorf("%v: %s is not there:\n%s", c.args, c.number, text)
		}
	}
}

// Notes of validate go to the terminal that standard error is, wrapped like other lines.
func TestNotesWrapToTheTerminal(t *testing.T) {
	mine, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer mine.Close()
	defer terminal.Close()
	if err := pty.Setsize(mine, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	scenario := strings.NewReader("version: 1\nstack: [{mechanism: laplace, epsilon: 0.1}]\n")
	a := &app{stdin: scenario, stdout: io.Discard, stderr: terminal}
	if _, err := a.validate(t.Context(), "-"); err != nil {
		t.Fatal(err)
	}
	seen := bufio.NewReader(mine)
	for range 3 {
		line, err := seen.ReadString('\n')
		if n := ansi.StringWidth(strings.TrimRight(line, "\r\n")); err != nil || n > 40 || n == 0 {
			t.Errorf("%q has %d columns, %v", line, n, err)
		}
	}
}
