package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// TestDrill performs what docs/extending.md describes: its differences, laid over the tree,
// add a mechanism and a theorem, one file and one line each, and a field of a scenario, one
// row; the file format and a comparison know them. The full form compiles and runs all of it.
func TestDrill(t *testing.T) {
	page, err := os.ReadFile("../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	tree := overlay{}
	blocks := strings.Split(string(page), "```diff\n")[1:]
	if len(blocks) != 3 {
		t.Fatalf("%d differences in docs/extending.md, want a mechanism, a theorem and a field", len(blocks))
	}
	for i, block := range blocks {
		diff, _, _ := strings.Cut(block, "```")
		files := strings.Split(diff, "--- ")[1:]
		if field := i == 2; !field && (len(files) != 2 || !strings.HasPrefix(files[0], "/dev/null\n") || strings.Count(files[1], "\n+\t") != 1 || strings.Contains(files[1], "\n-")) {
			t.Errorf("not one file and one line:\n%s", diff)
		}
		for _, file := range files {
			tree.apply(t, folder, file)
		}
	}
	if !gauge.All() {
		return
	}
	program := filepath.Join(folder, "main.go")
	write(t, program, `package main

import (
	"context"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

func main() {
	field()
	s, err := scenarios.Parse("drill", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: staircase, epsilon: 0.1, count: 100}]\n"))
	if err != nil {
		panic(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Closed: true})
	if err != nil {
		panic(err)
	}
	for _, b := range r.Bounds {
		if b.Method == accounting.ZCDPPure {
			fmt.Printf("%s %s %.4f", b.Method.Name(), b.Status, b.Epsilon)
		}
	}
}

func field() {
	s := scenarios.New()
	before := s.Clone()
	refused := s.Set("yearly", "0")
	if err := s.Set("yearly", "12"); err != nil || refused == nil || s.Equal(before) {
		panic(fmt.Sprint(err, refused))
	}
	text, err := s.Marshal()
	if err != nil || !strings.Contains(string(text), "yearly: 12\n") {
		panic(fmt.Sprint(err, string(text)))
	}
	if _, err := scenarios.Parse("x", []byte("version: 1\nyearly: 1.5\nstack: []\n")); err == nil {
		panic("read out of range")
	}
	if len(scenarios.Changes(before, s)) != 1 || !strings.Contains(string(scenarios.Schema()), "yearly") {
		panic("nobody noticed")
	}
}
`)
	list, err := json.Marshal(map[string]overlay{"Replace": tree})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "overlay.json"), string(list))
	run := exec.Command("go", "run", "-overlay", filepath.Join(folder, "overlay.json"), program)
	run.Dir = ".."
	out, err := run.CombinedOutput()
	// ρ = 100·0.1²/2 = 0.5, and ε = 0.5 + 2√(0.5·ln 10⁶) = 5.7565.
	if want := "zCDP pure valid 5.7565"; err != nil || string(out) != want {
		t.Errorf("the changed tree answers %q (%v), want %q", out, err, want)
	}
}

// overlay names, for files of the tree by absolute path, the files that stand in for them.
type overlay map[string]string

// apply makes one file's part of a unified difference, by its context.
func (o overlay) apply(t *testing.T, folder, part string) {
	t.Helper()
	head, hunk, _ := strings.Cut(part, "\n@@")
	_, hunk, _ = strings.Cut(hunk, "\n")
	_, name, _ := strings.Cut(head, "+++ b/")
	var before, after strings.Builder
	for line := range strings.Lines(hunk) {
		if !strings.HasPrefix(line, "+") {
			before.WriteString(strings.TrimPrefix(line, " "))
		}
		after.WriteString(line[1:])
	}
	path, err := filepath.Abs(filepath.Join("..", strings.TrimSpace(name)))
	if err != nil {
		t.Fatal(err)
	}
	old := ""
	if before.Len() > 0 {
		text, err := os.ReadFile(cmp.Or(o[path], path))
		if err != nil {
			t.Fatal(err)
		}
		old = string(text)
		if strings.Count(old, before.String()) != 1 {
			t.Fatalf("the difference of docs/extending.md has no place in %s:\n%s", name, before.String())
		}
	} else if _, err := os.Stat(path); err == nil {
		t.Fatalf("%s is already there", name)
	}
	text := strings.Replace(old, before.String(), after.String(), 1)
	if tidy, err := format.Source([]byte(text)); err != nil || string(tidy) != text {
		t.Errorf("%s is not as gofmt has it (%v)", name, err)
	}
	if o[path] == "" {
		o[path] = filepath.Join(folder, fmt.Sprintf("%d.go", len(o)))
	}
	write(t, o[path], text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
