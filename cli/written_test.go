package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A path that leads nowhere is the user's mistake; a disk that refuses is not.
func TestFilesThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		to     string
		status int
	}{
		{filepath.Join(dir, "nowhere", "x.svg"), statusInput},
		{dir, statusInput},
		{filepath.Join(file, "x.svg"), statusInput},
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		cases = append(cases, struct {
			to     string
			status int
		}{"/dev/full", statusInput}) // not a file that could be whole
	}
	for _, c := range cases {
		status, stdout, stderr := run("", "curve", "welcome", "renyi", "-o", "svg", "--to", c.to)
		if status != c.status || stdout != "" || !strings.HasPrefix(stderr, "epsiloscope: "+c.to+": ") {
			t.Errorf("%s: status %d, want %d: %s", c.to, status, c.status, stderr)
		}
	}
}

// What is wrong with the input is told also where its output cannot be written.
func TestMistakesAreToldOnAFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nstack: 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		told   string
	}{
		{[]string{"validate", file}, statusInput, "plan.yaml:2:8: stack"},
		{[]string{"scenarios", "show", "nothing"}, statusInput, `no bundled scenario is called "nothing"`},
		{[]string{"compare", "welcome", "--check", "--epsilon", "1e-9"}, statusExceeded, "over the budget"},
		{[]string{"scenarios", "list"}, statusOther, "the disk is full"},
	} {
		var stderr strings.Builder
		if status := Main(c.args, strings.NewReader(""), fullDisk{}, &stderr); status != c.status ||
			!strings.Contains(stderr.String(), c.told) {
			t.Errorf("%q: status %d, want %d with %q: %s", c.args, status, c.status, c.told, &stderr)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }
