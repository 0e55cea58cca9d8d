package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder may be called like a scenario; only files are offered.
func TestOnlyFilesAreOffered(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"plans.yaml", "year"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"a.yaml", "year/b.yml", "plans.yaml/c.yaml"} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got string
	for _, it := range findFiles(nil, "") {
		got += it.Name + " "
	}
	if want := "a.yaml plans.yaml/c.yaml year/b.yml "; got != want {
		t.Errorf("offered %s, want %s", got, want)
	}
}

// A file that is no scenario says so before its errors, which are one text.
func TestPreviewOfWhatIsNoScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "questions.yaml")
	if err := os.WriteFile(path, []byte("exercises: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	said := preview(context.Background(), nil, Item{Name: path})
	if len(said) != 2 || said[0] != "This cannot be opened as a scenario:" || strings.Contains(said[1], "\n") || !strings.Contains(said[1], "version: is missing") {
		t.Errorf("%q", said)
	}
}
