package cli

import (
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
		}{"/dev/full", statusOther})
	}
	for _, c := range cases {
		status, stdout, stderr := run("", "curve", "welcome", "renyi", "-o", "svg", "--to", c.to)
		if status != c.status || stdout != "" || !strings.HasPrefix(stderr, "epsiloscope: "+c.to+": ") {
			t.Errorf("%s: status %d, want %d: %s", c.to, status, c.status, stderr)
		}
	}
}
