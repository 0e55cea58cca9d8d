package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// goType matches a flag whose value is called as Go calls its type.
var goType = regexp.MustCompile(`--[a-z-]+ (string|strings|stringArray|stringSlice|int|ints|uint|uint64|float64|duration|bool|number)\b`)

// Help is read in a terminal of 80 columns, by people who need not know Go.
func TestHelpIsForPeople(t *testing.T) {
	commands := [][]string{{}}
	for _, c := range new(app).root(nil).Commands() {
		commands = append(commands, []string{c.Name()})
		for _, below := range c.Commands() {
			commands = append(commands, []string{c.Name(), below.Name()})
		}
	}
	if len(commands) < 40 {
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
			if goType.MatchString(line) {
				t.Errorf("%v: a type of Go: %s", c, line)
			}
		}
	}
}
