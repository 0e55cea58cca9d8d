package cli

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// hostileNames is a plan whose every text tries to be something else: a formula, an
// element, a command of TeX, a table of Markdown, text written backwards.
const hostileNames = `version: 1
name: "=HYPERLINK(\"http://x\") <script>alert(1)</script> \u202egpj"
description: '@SUM(A1) | <b> \input{x}'
unit: '-2+3|cmd <img src=x>'
budget: {epsilon: 3, delta: 1e-6}
stack:
  - {mechanism: pure, epsilon: 0.2, count: 3, label: '=1+1|<b>&"\textbf{}'}
  - {mechanism: exponential, epsilon: 0.7, label: '+cmd()', candidates: {"=1+1": 3, "@x": 6, "-c": 1, "+z": 2, "\u2066<b>": 4}}
  - parallel:
      - [{mechanism: pure, epsilon: 0.1, label: '@evil'}]
      - [{mechanism: pure, epsilon: 0.1, label: '<svg onload=x>'}]
`

// calls are the commands that print what a file says, with every format they have.
var calls = [][]string{
	{"compare", "-", "-o", "table"}, {"compare", "-", "-o", "csv"}, {"compare", "-", "-o", "json"}, {"compare", "-", "-o", "markdown"}, {"compare", "-", "-o", "latex"},
	{"plan", "-", "--solve", "count", "--entry", "1", "-o", "table"}, {"plan", "-", "--solve", "count", "--entry", "1", "-o", "csv"},
	{"explain", "-"}, {"explain", "-", "-o", "markdown"},
	{"statement", "-"}, {"statement", "-", "-o", "markdown"}, {"statement", "-", "-o", "latex"},
	{"person", "-", "--set", "2.disabled=true", "-o", "table"}, {"person", "-", "--set", "2.disabled=true", "-o", "csv"}, {"person", "-", "--set", "2.disabled=true", "-o", "markdown"},
	{"curve", "-", "utility", "-o", "table"}, {"curve", "-", "utility", "-o", "csv"}, {"curve", "-", "utility", "-o", "markdown"},
	{"curve", "-", "ledger", "-o", "table"}, {"curve", "-", "ledger", "-o", "csv"},
	{"export", "opendp", "-"}, {"validate", "-"},
}

// Whatever command and format: what reaches a terminal is text, what reaches a
// spreadsheet is no formula, and nothing is written but to standard output.
func TestEveryOutputIsText(t *testing.T) {
	gauge.Sequential(t)
	dir := t.TempDir()
	t.Chdir(dir)
	plan := hostileNames
	if !gauge.All() { // a Gaussian beside a selection is composed in less time than a pure release
		plan = regexp.MustCompile(`pure, epsilon: [0-9.]+`).ReplaceAllString(plan, "gaussian, sigma: 20")
	}
	for _, args := range calls {
		status, stdout, stderr := run(plan, args...)
		if status == statusOther || status == statusDone && stdout == "" {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
		format := args[len(args)-1]
		for _, r := range stdout + stderr {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%v: %U comes out", args, r)
			}
			// A machine reads JSON and code; people read the rest.
			if format != "json" && args[0] != "export" && (r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
				t.Errorf("%v: %U turns the direction of writing", args, r)
			}
		}
		if format == "csv" {
			noFormulas(t, args, stdout)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files were written, none was named", len(left))
	}
}

func noFormulas(t *testing.T, args []string, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Errorf("%v: %v", args, err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				continue
			}
			if _, err := strconv.ParseFloat(cell, 64); err != nil {
				t.Errorf("%v: a spreadsheet would run %q", args, cell)
			}
		}
	}
}

// A picture is well-formed XML in which names are text: it has the elements of a
// picture of harmless names and no attribute that runs anything.
func TestPicturesOfHostileNames(t *testing.T) {
	gauge.Sequential(t)
	for _, kind := range []string{"utility", "ledger", "epsilon-k"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out.svg")
		if status, _, stderr := run(hostileNames, "curve", "-", kind, "--points", "5", "--to", path); status != statusDone {
			t.Fatalf("%s: %s", kind, stderr)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(string(data)))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch e.Name.Local {
			case "script", "img", "b", "foreignObject", "a", "image":
				t.Errorf("%s: a name became the element %s", kind, e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "javascript:") {
					t.Errorf("%s: the attribute %s=%q runs something", kind, a.Name.Local, a.Value)
				}
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: %d files, one was named", kind, len(left))
		}
	}
}

// Copying a bundled scenario writes the path that was named, and over nothing.
func TestCopyWritesOnlyWhatWasNamed(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if status, _, stderr := run("", "scenarios", "copy", "welcome", "mine.yaml"); status != statusDone {
		t.Fatal(stderr)
	}
	if err := os.WriteFile("mine.yaml", []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := run("", "scenarios", "copy", "welcome", "mine.yaml")
	if text, _ := os.ReadFile("mine.yaml"); status == statusDone || string(text) != "precious" {
		t.Errorf("status %d: %s", status, stderr)
	}
	for _, name := range []string{"../welcome", "/etc/passwd", "..", "welcome\x00"} { // names of the library, not paths
		if status, _, _ := run("", "scenarios", "copy", name, "other.yaml"); status == statusDone {
			t.Errorf("%q is no scenario", name)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files, one was named", len(left))
	}
}
