package cli

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrill performs what docs/extending.md describes: its differences, applied to a copy of
// the tree, add a mechanism and a theorem, one file and one line each, and a field of a
// scenario, one row; the file format and a comparison know them.
func TestDrill(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a copy of the tree")
	}
	page, err := os.ReadFile("../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	for _, from := range []string{"go.mod", "go.sum", "accounting", "mechanisms", "scenarios"} {
		copyTree(t, filepath.Join("..", from), filepath.Join(copied, from))
	}
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
			applyDiff(t, copied, file)
		}
	}
	write(t, filepath.Join(copied, "main.go"), `package main

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
	run := exec.Command("go", "run", "-trimpath", ".")
	run.Dir = copied
	run.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := run.CombinedOutput()
	// ρ = 100·0.1²/2 = 0.5, and ε = 0.5 + 2√(0.5·ln 10⁶) = 5.7565.
	if want := "zCDP pure valid 5.7565"; err != nil || string(out) != want {
		t.Errorf("the copy answers %q (%v), want %q", out, err, want)
	}
}

// applyDiff makes one file's part of a unified difference, by its context.
func applyDiff(t *testing.T, root, part string) {
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
	path := filepath.Join(root, strings.TrimSpace(name))
	old := ""
	if before.Len() > 0 {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		old = string(text)
		if strings.Count(old, before.String()) != 1 {
			t.Fatalf("the difference of docs/extending.md has no place in %s:\n%s", name, before.String())
		}
	}
	text := strings.Replace(old, before.String(), after.String(), 1)
	if tidy, err := format.Source([]byte(text)); err != nil || string(tidy) != text {
		t.Errorf("%s is not as gofmt has it (%v)", name, err)
	}
	write(t, path, text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies a file or a folder, without its tests.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.Name() == "testdata" && d.IsDir():
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		case strings.HasSuffix(path, "_test.go"):
			return nil
		}
		rest, _ := filepath.Rel(from, path)
		target := filepath.Join(to, rest)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(target, text, 0o644)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
