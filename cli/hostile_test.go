package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names in a scenario are written by others. Wherever they come out again they are
// text: no formula for a spreadsheet, no element for a browser, no sequence for a
// terminal.
func TestNamesStayText(t *testing.T) {
	const text = `version: 1
name: '<script>alert(1)</script>'
unit: '"><img src=x>'
budget: {epsilon: 1, delta: 1e-6}
stack:
  - {mechanism: exponential, epsilon: 0.7, label: '=cmd()', candidates: {"=1+1": 3, "@x": 6, "-c": 1, "+z": 2, "<b>&\"'": 4}}
`
	for _, args := range [][]string{
		{"curve", "-", "utility", "-o", "csv"}, {"compare", "-", "-o", "csv"},
	} {
		status, stdout, stderr := run(text, args...)
		if status != statusDone {
			t.Fatalf("%v: %s", args, stderr)
		}
		for _, line := range strings.Split(stdout, "\n") {
			for _, c := range strings.Split(line, ",") {
				c = strings.Trim(c, `"`)
				if c != "" && strings.ContainsRune("=+@", rune(c[0])) || strings.HasPrefix(c, "-c") {
					t.Errorf("%v: a spreadsheet would run %q", args, c)
				}
			}
		}
	}
	dir := t.TempDir()
	picture := filepath.Join(dir, "out.svg")
	if status, _, stderr := run(text, "curve", "-", "utility", "-o", "svg", "--to", picture); status != statusDone {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "<b>"} {
		if strings.Contains(string(data), bad) {
			t.Errorf("the picture contains %s", bad)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files were written, one was named", len(list))
	}
}

// What no editor writes: each is refused in words, or read; never a crash.
func TestHostileFiles(t *testing.T) {
	bomb := "version: 1\na0: &a0 [x]\n"
	for i := 1; i < 30; i++ {
		bomb += strings.ReplaceAll("aN: &aN [*aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM]\n", "N", string(rune('0'+i%10)))
	}
	fine := "version: 1\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1}\n"
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"YAML bomb":         {bomb + "stack: []\n", false},
		"deep lists":        {"version: 1\nstack: " + strings.Repeat("[", 100_000) + "\n", false},
		"deep maps":         {"version: 1\nstack: " + strings.Repeat("{a: ", 50_000) + "\n", false},
		"deep blocks":       {"version: 1\nstack:\n" + deepParallel(5000), false},
		"over 4 MiB":        {fine + "# " + strings.Repeat("x", 4<<20) + "\n", false},
		"NUL":               {"version: 1\nname: a\x00b\nstack: []\n", false},
		"escape in a name":  {"version: 1\nname: \"\\e[2J\"\nstack: []\n", false},
		"invalid UTF-8":     {"version: 1\nname: \xff\xfe\nstack: []\n", false},
		"windows lines":     {strings.ReplaceAll(fine, "\n", "\r\n"), true},
		"byte order mark":   {"\ufeff" + fine, true},
		"nothing":           {"", false},
		"a number too long": {"version: 1\nstack:\n  - {mechanism: laplace, epsilon: 0." + strings.Repeat("1", 100_000) + "}\n", true},
	} {
		status, stdout, stderr := run(c.text, "compare", "-")
		if c.ok != (status == statusDone) || status == statusOther {
			t.Errorf("%s: status %d, %.300s", name, status, stderr)
		}
		if status != statusDone && (stdout != "" || stderr == "") {
			t.Errorf("%s: refused without a word", name)
		}
		if strings.ContainsAny(stderr+stdout, "\x1b\x00") {
			t.Errorf("%s: a control character comes out again", name)
		}
		if len(stderr) > 64<<10 {
			t.Errorf("%s: the complaint is %d bytes long", name, len(stderr))
		}
	}
}

func deepParallel(n int) string {
	var b strings.Builder
	indent := "  "
	for range min(n, 300) {
		b.WriteString(indent + "- parallel:\n" + indent + "    -\n")
		indent += "      "
	}
	b.WriteString(indent + "- {mechanism: laplace}\n")
	return b.String()
}

// The names of files come from patterns and from other people too.
func TestNamesOfFilesStayText(t *testing.T) {
	const good, other = "version: 1\nname: x\nstack: []\nexpect: [{method: basic, epsilon: 0}]\n", "version: 1\nname: x\nstack: []\nexpect: [{method: basic, epsilon: 1}]\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"good\x1b[31m": good, "wrong\x1b[31m": "version: 2\n", "off\u202e": other, "record\x1b[31m": `{"history": [[1.5, 0.04, 2250]], "mechanism": "rdp"}`} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Skip("this system does not allow such names")
		}
		for _, args := range [][]string{{"compare", path}, {"validate", path}, {"validate", path + "\x07"}, {"import", "opacus", path},
			{"curve", path, "renyi", "--to", path + "\x1b/x"}} {
			_, stdout, stderr := run("", args...)
			if strings.ContainsAny(stdout+stderr, "\x1b\x07\u202e") {
				t.Errorf("%q: %q %q", args, stdout, stderr)
			}
		}
	}
}
