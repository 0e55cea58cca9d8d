package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// blocks are the code blocks of the README in one language.
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

// The Go program of the README compiles and runs.
func TestREADMEProgram(t *testing.T) {
	gauge.Sequential(t) // compiled without it
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(blocks(t, "go")[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "optimal valid ") {
		t.Errorf("it prints:\n%s", out)
	}
}
