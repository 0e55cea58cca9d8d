package cli

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// The manual page is made from the commands; run go test ./cli -run Manual -update
// after changing one.
func TestManual(t *testing.T) {
	const path = "../docs/epsiloscope.1"
	status, page, stderr := run("", "man")
	if status != statusDone || stderr != "" {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(kept), "\r\n", "\n") != page {
		t.Error("docs/epsiloscope.1 differs from the commands; run go test ./cli -run Manual -update")
	}
}

// Every command that --help lists is in the manual.
func TestManualIsWhole(t *testing.T) {
	_, page, _ := run("", "man")
	app := &app{stdin: strings.NewReader(""), stdout: os.Stdout, stderr: os.Stderr}
	for _, c := range app.root().Commands() {
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
