package cli

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// TestDrill does what docs/extending.md describes. Its differences are laid over the tree, and what they make of the
// program passes the type checker. The long form applies them to a copy, runs the commands that the page names, and
// then the tests and the program, which knows the mechanism, the theorem, the field and the chart.
func TestDrill(t *testing.T) {
	gauge.Sequential(t) // compiled without it
	t.Parallel()
	guide := page(t, "../docs/extending.md")
	if _, err := os.Stat("../mechanisms/truncated_laplace.go"); err == nil {
		t.Skip("the additions are in this tree already")
	}
	changed := changes{}
	changed.apply(t, guide)
	if len(changed) < 15 {
		t.Errorf("the page changes %d files, too few for a mechanism, a theorem, a field, a sheet, a chart and a screen", len(changed))
	}
	if gauge.All() {
		drillCopy(t, guide)
		return
	}
	for _, problem := range typeErrors(t, changed) {
		t.Error(problem)
	}
}

// TestTypesOfTheDrill takes a constant away that packages above use.
func TestTypesOfTheDrill(t *testing.T) {
	gauge.Sequential(t)
	t.Parallel()
	const name = "accounting/numeral/side.go"
	if problems := typeErrors(t, changes{name: strings.Replace(page(t, "../"+name), "Up  ", "Upward  ", 1)}); len(problems) == 0 {
		t.Error("a constant that is used and not there passes the type checker")
	}
}

// typeErrors checks the types of the program, all its packages included, with the changes laid over the tree. A
// compiler would take ten times as long to find the same errors.
func typeErrors(t *testing.T, changed changes) (problems []error) {
	t.Helper()
	folder := t.TempDir()
	texts, replaced := map[string]string{}, map[string]string{}
	for name, text := range changed {
		from, err := filepath.Abs(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[from], replaced[from] = text, filepath.Join(folder, strings.ReplaceAll(name, "/", "_"))
		write(t, replaced[from], text)
	}
	replacements, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(folder, "overlay.json")
	write(t, overlay, string(replacements))
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		Module                  *struct{ Main bool }
	}
	list := func(args ...string) (packages []listed) {
		decoder := json.NewDecoder(strings.NewReader(runIn(t, "..", "go", append([]string{"list"}, args...)...)))
		for decoder.More() {
			var p listed
			if err := decoder.Decode(&p); err != nil {
				t.Fatal(err)
			}
			packages = append(packages, p)
		}
		return packages
	}
	var own []listed
	others := []string{"-export", "-json=ImportPath,Export"}
	for _, p := range list("-overlay", overlay, "-deps", "-json=ImportPath,Dir,GoFiles,Module", ".") {
		switch {
		case p.Module != nil && p.Module.Main:
			own = append(own, p)
		case p.ImportPath != "unsafe":
			others = append(others, p.ImportPath)
		}
	}
	compiled := map[string]string{}
	for _, p := range list(others...) {
		compiled[p.ImportPath] = p.Export
	}
	set, checked := token.NewFileSet(), map[string]*types.Package{}
	imported := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(compiled[path])
	})
	for _, p := range own { // each after what it imports
		var files []*ast.File
		for _, name := range p.GoFiles {
			name = filepath.Join(p.Dir, name)
			text, ok := texts[name]
			if !ok {
				text = page(t, name)
			}
			f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		config := types.Config{
			Importer: importerFunc(func(path string) (*types.Package, error) {
				if of, ok := checked[path]; ok {
					return of, nil
				}
				return imported.Import(path)
			}),
			Error: func(err error) { problems = append(problems, err) },
		}
		checked[p.ImportPath], _ = config.Check(p.ImportPath, set, files, nil)
		if len(problems) > 0 {
			return problems // what is above it would only repeat them
		}
	}
	return nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// askTheProgram asks a program with the additions for a bound by the mechanism, for one by the theorem,
// for a scenario with the field and for the chart.
func askTheProgram(t *testing.T, program string) {
	t.Helper()
	for _, c := range []struct{ args, want string }{
		{"compare counts-within-limits -o csv", "\nbasic,valid,1.2"},
		{"compare adv-vs-basic-large -o csv", "\nzcdp-pure,valid,5.7565217"},
		{"explain adv-vs-basic-large --method zcdp-pure", "ρ = 0.5000, ln(1/δ) = 13.82: ε = 5.757"},
		{"compare adv-vs-basic-large --set yearly=12 -o csv", "\nbasic,valid,10"},
		{"compare adv-vs-basic-large --set 1.owner=Ada -o csv", "\nbasic,valid,10"},
		{"curve counts-within-limits shares -o csv", "\n1,1\n"},
		{"curve counts-within-limits noise -o csv --points 3", "on_d_prime"},
	} {
		if out := runIn(t, "..", program, strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("%s does not say %q:\n%s", c.args, c.want, out)
		}
	}
}

// drillCopy follows the page in a copy of the tree.
func drillCopy(t *testing.T, guide string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, withoutGit{os.DirFS("..")}); err != nil {
		t.Fatal(err)
	}
	first, rest, ok := strings.Cut(guide, "\n## A chart\n")
	commands := regexp.MustCompile(`(?m)^go test .* -update$`).FindAllString(guide, -1)
	if !ok || len(commands) == 0 {
		t.Fatal("the page has no section on charts, or names no command")
	}
	compared := comparedFiles(t, folder)
	for i, part := range []string{first, rest} {
		changed := changes{}
		changed.applyIn(t, folder, part)
		for name, text := range changed {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(folder, name), text)
		}
		for _, command := range commands {
			runIn(t, folder, "sh", "-c", command)
		}
		if i > 0 {
			continue
		}
		var touched []string
		for name, text := range comparedFiles(t, folder) {
			if compared[name] != text {
				touched = append(touched, name)
			}
		}
		slices.Sort(touched)
		if t.Log(strings.Join(touched, "\n")); len(touched) > 10 {
			t.Errorf("a mechanism, a theorem and a field change %d golden files and generated documents, more than ten", len(touched))
		}
	}
	program := filepath.Join(t.TempDir(), "epsiloscope.exe")
	runIn(t, folder, "go", "build", "-o", program, ".")
	askTheProgram(t, program)
	runIn(t, folder, "go", "test", "-timeout", "20m", "./...")
}

// withoutGit is a tree without its history.
type withoutGit struct{ fs.FS }

func (w withoutGit) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(w.FS, name)
	var kept []fs.DirEntry
	for _, e := range all {
		if e.Name() != ".git" && (e.IsDir() || e.Type().IsRegular()) {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// comparedFiles returns the files with which tests compare what the program writes, by name: the golden ones, and the
// documents that CONTRIBUTING.md lists as generated.
func comparedFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	documents := regexp.MustCompile("(?m)^\\| `(docs/[^`]+[^`/])` \\|").FindAllStringSubmatch(page(t, "../CONTRIBUTING.md"), -1)
	if len(documents) < 5 {
		t.Fatalf("CONTRIBUTING.md lists %d generated documents", len(documents))
	}
	for _, m := range documents {
		all[m[1]] = page(t, filepath.Join(folder, m[1]))
	}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".golden" {
			all[name] = page(t, filepath.Join(folder, name))
		}
		return err
	})
	if err != nil || len(all) < 50 {
		t.Fatalf("%d golden files, %v", len(all), err)
	}
	return all
}

// runIn runs a command in a folder, as go test without an environment of its own does, and returns what it prints.
func runIn(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "EPSILOSCOPE_") || strings.HasPrefix(variable, gauge.SeedVariable+"=") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// changes are files of the tree by name, as they are once a page was followed.
type changes map[string]string

var (
	diffBlock = regexp.MustCompile("(?ms)^```diff\n(.*?)^```$")
	hunkHead  = regexp.MustCompile(`(?m)^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@\n`)
)

func (c changes) apply(t *testing.T, guide string) { c.applyIn(t, "..", guide) }

// applyIn makes the unified differences of a page, each hunk at the only place that has its lines; blanks may differ,
// as other additions can move the columns of a list.
func (c changes) applyIn(t *testing.T, folder, guide string) {
	t.Helper()
	for _, block := range diffBlock.FindAllStringSubmatch(guide, -1) {
		for _, file := range regexp.MustCompile(`(?m)^--- `).Split(block[1], -1)[1:] {
			names := strings.SplitN(file, "\n", 3)
			name := strings.TrimPrefix(names[1], "+++ b/")
			path := filepath.Join(folder, name)
			text, known := c[name]
			switch _, err := os.Stat(path); {
			case names[0] == "/dev/null" && err == nil:
				t.Fatalf("%s is already there", name)
			case names[0] != "/dev/null" && !known:
				text = page(t, path)
			}
			heads := hunkHead.FindAllStringSubmatch(names[2], -1)
			for i, hunk := range hunkHead.Split(names[2], -1)[1:] {
				text = applyHunk(t, name, text, hunk, heads[i])
			}
			if filepath.Ext(name) == ".go" {
				tidy, err := format.Source([]byte(text))
				if err != nil || names[0] == "/dev/null" && string(tidy) != text {
					t.Errorf("%s is not as gofmt has it (%v)", name, err)
				}
				text = string(tidy) // other additions may have moved the columns of a list
			}
			c[name] = text
		}
	}
}

func applyHunk(t *testing.T, name, text, hunk string, head []string) string {
	t.Helper()
	var before []string
	added := 0
	changes := strings.SplitAfter(strings.TrimSuffix(hunk, "\n"), "\n")
	for _, line := range changes {
		if line[0] != '+' {
			before = append(before, line[1:])
		}
		if line[0] != '-' {
			added++
		}
	}
	for i, n := range []int{len(before), added} {
		if head[i+1] != fmt.Sprint(n) && (n != 1 || head[i+1] != "") {
			t.Errorf("%s: the head %q does not count the lines: %d and %d", name, strings.TrimSpace(head[0]), len(before), added)
		}
	}
	lines := strings.SplitAfter(text, "\n")
	var places []int
	for i := range len(lines) - len(before) + 1 {
		if slices.EqualFunc(lines[i:i+len(before)], before, func(a, b string) bool {
			return slices.Equal(strings.Fields(a), strings.Fields(b))
		}) {
			places = append(places, i)
		}
	}
	if len(before) > 0 && len(places) != 1 {
		t.Fatalf("the difference of docs/extending.md has no place, or several, in %s:\n%s", name, strings.Join(before, ""))
	}
	at := places[0]
	out := slices.Clone(lines[:at])
	for _, line := range changes {
		switch line[0] {
		case '+':
			out = append(out, strings.TrimSuffix(line[1:], "\n")+"\n")
			continue
		case ' ':
			out = append(out, lines[at])
		}
		at++
	}
	return strings.Join(append(out, lines[at:]...), "")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
