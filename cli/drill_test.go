package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// drilled are a diff of a page, and a program that must then run and say "done".
var drilled = map[string]string{
	"../docs/extending.md": `package main

import (
	"fmt"
	"strings"

	"epsiloscope/scenarios"
)

func main() {
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
	fmt.Println("done")
}
`}

// What a page says to add is all there is to add: the diff is laid over the source, and
// everything that should follow does.
func TestDocumentsDiffs(t *testing.T) {
	for _, path := range documents(t) {
		for _, m := range fence.FindAllStringSubmatch(page(t, path), -1) {
			if m[1] != "diff" {
				continue
			}
			folder := t.TempDir()
			program := filepath.Join(folder, "main.go")
			if err := os.WriteFile(program, []byte(drilled[path]), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "run", "-overlay", overlay(t, folder, m[2]), program)
			cmd.Dir = ".."
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != "done\n" {
				t.Errorf("%s: %v\n%s\n%s", path, err, out, m[2])
			}
		}
	}
}

// overlay applies a diff that only adds lines and writes what go build -overlay takes.
func overlay(t *testing.T, folder, diff string) string {
	t.Helper()
	replaced := map[string]string{}
	for _, part := range strings.Split(diff, "--- ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		source, err := filepath.Abs(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		text, added := page(t, source), ""
		for line := range strings.Lines(body) {
			switch line[0] {
			case ' ':
				added = line[1:]
				if strings.Count(text, added) != 1 {
					t.Fatalf("%s has %d lines %q", name, strings.Count(text, added), added)
				}
			case '+':
				text = strings.Replace(text, added, added+line[1:], 1)
				added += line[1:]
			default:
				t.Fatalf("a diff of a page adds lines: %q", line)
			}
		}
		file := filepath.Join(folder, filepath.Base(name))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replaced[source] = file
	}
	data, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
