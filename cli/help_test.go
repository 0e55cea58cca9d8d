package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// Help is read in a terminal of 80 columns.
func TestHelpFitsTheTerminal(t *testing.T) {
	commands := [][]string{{}}
	for _, c := range new(app).root().Commands() {
		commands = append(commands, []string{c.Name()})
		for _, below := range c.Commands() {
			commands = append(commands, []string{c.Name(), below.Name()})
		}
	}
	if len(commands) < 15 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, c := range commands {
		var out, errs bytes.Buffer
		if code := Main(append(c, "--help"), strings.NewReader(""), &out, &errs); code != 0 {
			t.Errorf("%v: exit %d: %s", c, code, &errs)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%v: %d columns: %s", c, n, line)
			}
		}
	}
}
