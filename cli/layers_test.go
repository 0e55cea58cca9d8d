package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers from the top down, each with the folders that stand in it. A package imports only from its own
// layer and those below.
var layers = [][]string{
	{"cli"},
	{"tui", "internal/stand"},
	{"report/share"},
	{"teach", "exchange", "ledger", "certificate"},
	{"report"},
	{"scenarios", "internal/samples"},
	{"internal/format"},
	{"mechanisms"},
	{"internal/yamltree"},
	{"accounting"},
	{"docs", "internal"},
}

// features are folders that know nothing of each other, and that reports and the parts of screens know nothing of.
// They meet in report/share, tui and cli.
var features = []string{"teach", "exchange", "ledger", "certificate"}

// TestFeatures holds that a feature can be taken out without an edit in another one, in a report or in tui/kit, and
// that its folder says what it is for.
func TestFeatures(t *testing.T) {
	module, imports := modulePath(t), importsOf(t, "..")
	for dir, paths := range imports {
		own := folderIn(features, dir)
		hub := dir == "tui/kit" || folderIn([]string{"report"}, dir) != "" && dir != "report/share"
		for _, path := range paths {
			to, ours := strings.CutPrefix(path, module+"/")
			feature := folderIn(features, to)
			if ours && feature != "" && (hub || own != "" && own != feature) {
				t.Errorf("%s imports %s, a feature", dir, to)
			}
		}
	}
	for _, folder := range []string{"accounting", "certificate", "cli", "exchange", "ledger", "mechanisms", "report", "scenarios", "teach", "tui"} {
		text, err := os.ReadFile("../" + folder + "/doc.go")
		if err != nil {
			t.Errorf("%s does not say what it is for: %v", folder, err)
		} else if !strings.Contains(string(text), "import") {
			t.Errorf("%s/doc.go does not say what the folder may import", folder)
		}
	}
}

// folderIn returns the folder of a list that a package stands in; "" if there is none.
func folderIn(list []string, dir string) string {
	for _, folder := range list {
		if dir == folder || strings.HasPrefix(dir, folder+"/") {
			return folder
		}
	}
	return ""
}

// TestLayers holds the module to the picture in docs/architecture.md: every package is in
// it, no import runs up, and one package alone knows the chart library.
func TestLayers(t *testing.T) {
	picture, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn, module := packagesOf(string(picture)), modulePath(t)
	for dir, imports := range importsOf(t, "..") {
		if !drawn[dir] {
			t.Errorf("docs/architecture.md does not show %s", dir)
		}
		for _, path := range imports {
			if strings.Contains(path, "ntcharts") && dir != "tui/plot" {
				t.Errorf("%s imports %s; only tui/plot may", dir, path)
			}
			to, ours := strings.CutPrefix(path, module+"/")
			if ours && layer(to) < layer(dir) {
				t.Errorf("%s imports %s, which stands above it", dir, to)
			}
		}
		delete(drawn, dir)
	}
	delete(drawn, "scenarios/library") // data, embedded
	for dir := range drawn {
		t.Errorf("docs/architecture.md shows %s, which is not there", dir)
	}
}

// layer returns the number of a package's layer, by the longest folder that holds it; what is in none, such
// as main, is above all.
func layer(dir string) int {
	number, longest := -1, 0
	for i, folders := range layers {
		for _, folder := range folders {
			if (dir == folder || strings.HasPrefix(dir, folder+"/")) && len(folder) > longest {
				number, longest = i, len(folder)
			}
		}
	}
	return number
}

// packagesOf reads the folders from the first picture of a page: those that are indented
// stand in the last one that is not.
func packagesOf(page string) map[string]bool {
	_, text, _ := strings.Cut(page, "```text\n")
	text, _, _ = strings.Cut(text, "```")
	found := map[string]bool{}
	parent := ""
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		dir, folder := strings.CutSuffix(name, "/")
		switch {
		case !folder:
			continue
		case strings.HasPrefix(line, " "):
			dir = parent + "/" + dir
		default:
			parent = dir
		}
		found[dir] = true
	}
	return found
}

// importsOf lists what the packages below a folder import, tests left out.
func importsOf(t *testing.T, root string) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil || dir == "." {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		names := imports[dir]
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		imports[dir] = names // also of a package that imports nothing
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}
