package cli

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"

	"epsiloscope/internal/gauge"
)

// blocks returns the code blocks of the README in one language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1])
	}
	if len(list) == 0 {
		t.Fatalf("the README has no %s block", language)
	}
	return list
}

// shown matches a block of commands with the output that the page shows below it.
var shown = regexp.MustCompile("(?s)```sh\n([^`]*)```\n\n```text\n([^`]*)```")

// What the README shows below a command is what the command prints.
func TestREADMEOutput(t *testing.T) {
	gauge.Sequential(t)
	if runtime.GOOS == "windows" {
		t.Skip("the page is written for a Unix shell")
	}
	readme, plan := page(t, "../README.md"), blocks(t, "yaml")[0]
	pairs := shown.FindAllStringSubmatch(readme, -1)
	if len(pairs) < 2 {
		t.Fatalf("the README shows the output of %d commands", len(pairs))
	}
	t.Chdir(t.TempDir())
	write(t, "plan.yaml", plan)
	for _, m := range pairs {
		out, err := exec.Command("sh", "-c", m[1]).Output()
		if err != nil || string(out) != m[2] {
			t.Errorf("%s prints, %v:\n%s\nand not:\n%s", m[1], err, out, m[2])
		}
	}
}
