package dialogs

import (
	"os"
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
