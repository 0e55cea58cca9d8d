package cli

import (
	"os"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// The manual page is made from the commands; run go test ./cli -run Manual -update
// after changing one.
func TestManual(t *testing.T) {
	status, page, stderr := run("", "man")
	if status != statusDone || stderr != "" {
		t.Fatalf("status %d: %s", status, stderr)
	}
	gauge.CompareDocument(t, "../docs/epsiloscope.1", page, gauge.Roff)
}

// Every command that --help lists is in the manual.
func TestManualIsWhole(t *testing.T) {
	_, page, _ := run("", "man")
	app := &app{stdin: strings.NewReader(""), stdout: os.Stdout, stderr: os.Stderr}
	for _, c := range app.root(nil).Commands() {
		if !c.Hidden && !strings.Contains(page, ".SS "+roff(c.Name())) {
			t.Errorf("the manual leaves out %s", c.Name())
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.Contains(line, "\x1b") {
			t.Errorf("not roff: %q", line)
		}
	}
}
