package gauge

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSeedIsThatOfTheEnvironment(t *testing.T) {
	if got, want := flag.Lookup("rapid.seed").Value.String(), seedFromEnvironment(); got != want {
		t.Errorf("the seed is %s, want %s", got, want)
	}
	for asked, want := range map[string]string{"": usualSeed, "0": "0", "7": "7"} {
		t.Setenv(SeedVariable, asked)
		if got := seedFromEnvironment(); got != want {
			t.Errorf("%s=%s: the seed is %s, want %s", SeedVariable, asked, got, want)
		}
	}
}

// A package with property tests imports this one: without it, its tests would not follow the seed.
func TestEveryPropertyTestFollowsTheSeed(t *testing.T) {
	with, without := map[string]bool{}, map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		folder := filepath.Dir(path)
		if strings.Contains(string(text), `internal/gauge"`) || folder == "." {
			with[folder] = true
		}
		if strings.Contains(string(text), `"pgregory.net/rapid"`) {
			without[folder] = path
		}
		return err
	})
	if err != nil || len(without) == 0 {
		t.Fatal("no property tests found:", err)
	}
	for folder, path := range without {
		if !with[folder] {
			t.Errorf("%s draws cases, and no test beside it imports internal/gauge", path)
		}
	}
}
