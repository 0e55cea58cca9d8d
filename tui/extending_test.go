package tui

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// The screen of docs/extending.md is one file and one line: with both the explorer builds,
// which the full form tries.
func TestExtendingByAScreen(t *testing.T) {
	page, err := os.ReadFile("../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n## A screen\n")
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(section, 2)
	list, err := os.ReadFile("screens.go")
	if err != nil || len(blocks) < 2 {
		t.Fatalf("%d blocks, %v", len(blocks), err)
	}
	const last = "\t\t{name: \"labs\""
	if strings.Count(string(list), last) != 1 {
		t.Fatalf("screens.go has no line %q to add another to", last)
	}
	if !gauge.All() {
		return
	}
	overlay := map[string]string{}
	for path, text := range map[string]string{
		"reading/yours.go": blocks[0][1],
		"screens.go":       strings.Replace(string(list), last, "\t\t"+blocks[1][1]+last, 1),
	} {
		from, err := filepath.Abs(path)
		to := filepath.Join(t.TempDir(), "file.go")
		if err == nil {
			err = os.WriteFile(to, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		overlay[from] = to
	}
	plan, err := json.Marshal(map[string]any{"Replace": overlay})
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err == nil {
		err = os.WriteFile(file, plan, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", file, ".").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
