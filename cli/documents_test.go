package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
)

// documents returns the pages people read.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages under docs: %v", len(pages), err)
	}
	below, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, below...)
	return append(pages, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md")
}

func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// Every code block is of a kind that is checked: commands run, scenarios validate,
// other YAML parses, Go programs run, differences are applied; text is a picture made of letters.
func TestDocumentsAreChecked(t *testing.T) {
	for _, path := range documents(t) {
		for _, m := range fence.FindAllStringSubmatch(page(t, path), -1) {
			switch language, block := m[1], m[2]; language {
			case "sh", "go", "text":
			case "pycon": // TestPythonPage types those of python.md
				if filepath.Base(path) != "python.md" {
					t.Errorf("%s: nobody types this session", path)
				}
			case "diff": // TestDrill applies those of extending.md
				if filepath.Base(path) != "extending.md" {
					t.Errorf("%s: nobody applies this difference", path)
				}
			case "yaml":
				checkYAML(t, path, block)
			default:
				t.Errorf("%s: a block of %q is not checked by any test", path, language)
			}
		}
	}
}

func checkYAML(t *testing.T, path, block string) {
	t.Helper()
	if strings.HasPrefix(block, "version:") {
		if _, err := scenarios.Parse(path, []byte(block)); err != nil {
			t.Error(err)
		}
		return
	}
	if _, err := yamltree.Read([]byte(block)); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// readYAML reads those fields of a file that a struct or map names.
func readYAML(t *testing.T, path string, to any) {
	t.Helper()
	doc, err := yamltree.Read([]byte(page(t, path)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	text, err := json.Marshal(doc.Root.Value())
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Every command of every page runs, page by page in a folder that holds the
// README's scenario as plan.yaml. Commands of the Go tool are the tests themselves.
func TestDocumentsCommands(t *testing.T) {
	gauge.Sequential(t) // the scripts run the same commands with the race detector
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a Unix shell")
	}
	t.Setenv("HOME", "/nonexistent")
	t.Setenv("TERM", "dumb")
	plan, ran := blocks(t, "yaml")[0], 0
	for _, path := range documents(t) {
		text := page(t, path)
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "plan.yaml", plan)
			for _, m := range fence.FindAllStringSubmatch(text, -1) {
				if m[1] != "sh" {
					continue
				}
				for line := range strings.Lines(m[2]) {
					line = strings.TrimSpace(line)
					if line == "" || strings.HasPrefix(line, "go ") {
						continue
					}
					runLine(t, line)
					ran++
				}
			}
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands were found", ran)
	}
}

var (
	silent  = regexp.MustCompile(` > | copy | --to `)                    // these write a file instead
	program = regexp.MustCompile(`^epsiloscope( [\w./=:,-]+)* *(#.*)?$`) // these need no shell
)

// runLine runs one line of a page; only a gate may fail, and only with its own
// status.
func runLine(t *testing.T, line string) {
	t.Helper()
	status, out := 0, ""
	if program.MatchString(line) {
		command, _, _ := strings.Cut(line, "#")
		args := strings.Fields(command)[1:]
		if args[0] == "curve" && !gauge.All() { // a selection costs a game at every point
			args = append(args, "--points", "5")
		}
		var warned string
		status, out, warned = run("", args...)
		out += warned
	} else {
		cmd := exec.Command("sh", "-c", line)
		text, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		status, out = cmd.ProcessState.ExitCode(), string(text)
	}
	if status == statusExceeded && strings.Contains(line, "--check") {
		return
	}
	if status != 0 || out == "" && !silent.MatchString(line) {
		t.Errorf("%s: status %d\n%s", line, status, out)
	}
}

// Every program of the pages under docs compiles and runs; the parts of a screen in
// extending.md are built by the explorer's own test.
func TestDocumentsPrograms(t *testing.T) {
	gauge.Sequential(t) // compiled without it
	for _, path := range documents(t) {
		for _, m := range fence.FindAllStringSubmatch(page(t, path), -1) {
			if m[1] != "go" || filepath.Base(path) == "extending.md" && !strings.HasPrefix(m[2], "package main\n") {
				continue
			}
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(m[2]), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "run", "-ldflags=-s -w", file)
			cmd.Dir = ".."
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "valid") {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
		}
	}
}

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced = regexp.MustCompile("(?ms)^```.*?^```") // code has brackets of its own
	source = regexp.MustCompile("`((?:accounting|mechanisms|scenarios|tui|cli|docs)/[A-Za-z0-9_./-]+)`")
)

// Links and the files the pages name lead somewhere.
func TestDocumentsLinks(t *testing.T) {
	for _, path := range documents(t) {
		text := page(t, path)
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := filepath.Join(filepath.Dir(path), target)
			if target == "" {
				file = path
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the link %s leads nowhere", path, m[1])
			} else if anchor != "" && !hasHeading(page(t, file), anchor) {
				t.Errorf("%s: %s has no heading %s", path, file, anchor)
			}
		}
		for _, m := range source.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "yours") || strings.Contains(m[1], "*") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
				t.Errorf("%s: there is no %s", path, m[1])
			}
		}
	}
}

// A command in the middle of a sentence is one that there is, with the flags that it has.
func TestDocumentsInline(t *testing.T) {
	for _, path := range documents(t) {
		for _, command := range span.FindAllString(page(t, path), -1) {
			words := strings.Fields(strings.Trim(command, "`"))
			if words[0] != "epsiloscope" || len(words) == 1 {
				continue
			}
			found, rest, err := (&app{}).root(nil).Find(words[1:])
			if err == nil && !found.HasParent() && !strings.HasPrefix(rest[0], "-") { // a scenario is named
				_, err = scenarios.LoadBundled(rest[0])
			}
			if err != nil {
				t.Errorf("%s: %s: %v", path, command, err)
				continue
			}
			for _, word := range rest {
				if name, ok := strings.CutPrefix(word, "--"); ok && found.Flags().Lookup(name) == nil {
					t.Errorf("%s: %s has no --%s", path, command, name)
				}
			}
		}
	}
}

var (
	span     = regexp.MustCompile("`[^`\n]+`")
	selects  = regexp.MustCompile(`-(?:run|bench|fuzz)[ =]'?([^\s'\x60]+)`)
	inFolder = regexp.MustCompile(`\./[\w./-]+`)
	function = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w*)\(`)
)

// Every test that a page names is there: each alternative of -run finds one in the packages
// of its command, or in those of the command before it ("the same, -run Truth").
func TestDocumentsTests(t *testing.T) {
	named := 0
	inFolders := map[string]string{} // the names of the tests in a folder
	for _, path := range documents(t) {
		var tests string
		for _, command := range span.FindAllString(page(t, path), -1) {
			if folders := inFolder.FindAllString(command, -1); strings.Contains(command, "go test") && len(folders) > 0 {
				tests = ""
				for _, folder := range folders {
					if _, ok := inFolders[folder]; !ok {
						inFolders[folder] = testsIn(t, folder)
					}
					tests += inFolders[folder]
				}
			}
			for _, m := range selects.FindAllStringSubmatch(strings.ReplaceAll(command, `\|`, "|"), -1) {
				for one := range strings.SplitSeq(m[1], "|") {
					named++
					if one != "^$" && !regexp.MustCompile("(?m)"+one).MatchString(tests) {
						t.Errorf("%s: %s names no test: %s", path, command, one)
					}
				}
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d tests were found", named)
	}
}

// testsIn returns the names of the tests in a folder, one a line.
func testsIn(t *testing.T, folder string) (names string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, f := range function.FindAllStringSubmatch(page(t, file), -1) {
			names += f[1] + "\n"
		}
	}
	return names
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func hasHeading(text, anchor string) bool {
	for line := range strings.Lines(text) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			heading = notInAnchors.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			if strings.ReplaceAll(heading, " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}

// The README begins with the two commands, exactly.
func TestDocumentsTwoCommands(t *testing.T) {
	if first := blocks(t, "sh")[0]; first != "go run .\ngo test ./...\n" {
		t.Errorf("the first block is %q", first)
	}
}

// The numbers the README tells are those of the program.
func TestDocumentsFigures(t *testing.T) {
	text := strings.Join(strings.Fields(page(t, "../README.md")+page(t, "../CHANGELOG.md")), " ")
	for noun, n := range map[string]int{"labs": len(labs.All()), "mechanisms": len(mechanisms.Catalogue())} {
		if claim := "More than twenty " + noun; n <= 20 || !strings.Contains(text, claim) {
			t.Errorf("there are %d %s, and the pages do not say %q", n, noun, claim)
		}
	}
	if n := len(scenarios.LibraryInfos()); n <= 100 {
		t.Errorf("the pages speak of more than a hundred scenarios; there are %d", n)
	}
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	releases := 0.0
	for _, e := range s.Stack {
		releases += e.Count
	}
	for _, figure := range []string{report.Upper(r.Bounds[0].Epsilon), report.Upper(r.Bounds[r.Best].Epsilon),
		fmt.Sprintf("%v releases of three kinds", releases), fmt.Sprintf("the budget of %v", s.Budget.Epsilon)} {
		if !strings.Contains(text, figure) {
			t.Errorf("the README does not say %q", figure)
		}
	}
	_, block, _ := strings.Cut(page(t, "../README.md"), "## Six commands\n\n```sh\n")
	if block, _, _ = strings.Cut(block, "```"); strings.Count(block, "\n") != 6 {
		t.Errorf("six commands are:\n%s", block)
	}
}

// The intervals that a page quotes are those that the program prints.
func TestDocumentsIntervals(t *testing.T) {
	const selections = "{mechanism: noisy-max, epsilon: 1, count: 30, outputs: "
	for _, c := range []struct{ page, form, adjacency, delta, entry string }{
		{"limits.md", "%s to %s at δ = 1e-6, under zero-out", "zero-out", "1e-6", "{mechanism: dp-sgd, noise_multiplier: 5, sampling_rate: 0.01, steps: 1000, batches: shuffled}"},
		{"limits.md", "ε = 1, δ = 1e-6 have %s to %s,", "add-remove", "1e-6", selections + "6}"},
		{"limits.md", "and %s to %s for two candidates", "add-remove", "1e-6", selections + "2}"},
		{"limits.md", "together: %s to %s.", "add-remove", "1e-6", "{mechanism: noisy-max, epsilon: 1, count: 30, noise: exponential}"},
		{"limits.md", "the interval is %s to %s,", "replace", "1e-6", "{mechanism: shuffle, of: {mechanism: randomized-response, epsilon: 1, categories: 10}, people: 10000}"},
	} {
		s, err := scenarios.Parse(c.page, []byte("version: 1\nunit: person\nadjacency: "+c.adjacency+"\nbudget: {delta: "+c.delta+"}\nstack:\n  - "+c.entry+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := r.Bounds[r.Best]
		want := fmt.Sprintf(c.form, report.Lower(b.Lower), report.Upper(b.Epsilon))
		if text := strings.Join(strings.Fields(page(t, "../docs/"+c.page)), " "); !strings.Contains(text, want) {
			t.Errorf("%s does not say %q", c.page, want)
		}
	}
}

// The release configuration parses, names files that are there and no module path, and has every kind of package.
func TestDocumentsRelease(t *testing.T) {
	type content struct{ Src, Dst, Packager string }
	var c struct {
		Builds   []struct{ Ldflags []string }
		Archives []struct{ Files []any } // a path, or a path with options
		Nfpms    []struct {
			Formats  []string
			Contents []content
		}
		HomebrewCasks []any `json:"homebrew_casks"`
		Checksum      map[string]string
		Sboms, Scoops []any
		Nix           []struct {
			Path         string
			Dependencies []string
		}
	}
	readYAML(t, "../.goreleaser.yaml", &c)
	if len(c.Builds) != 1 || strings.Contains(strings.Join(c.Builds[0].Ldflags, " "), modulePath(t)+"/") {
		t.Error("the release names the module path; the version comes from the build information")
	}
	if len(c.Nfpms) != 1 || strings.Join(c.Nfpms[0].Formats, " ") != "deb rpm apk" || len(c.Checksum) == 0 ||
		len(c.HomebrewCasks) == 0 || len(c.Sboms) == 0 || len(c.Scoops) == 0 || len(c.Nix) == 0 {
		t.Errorf("a kind of package is missing: %+v", c)
	}
	// goreleaser gives the expression installShellFiles by itself; named again it would be an argument twice.
	if flake := page(t, "../.github/nix/flake.nix"); len(c.Nix) != 1 || !strings.Contains(flake, "./"+c.Nix[0].Path) ||
		slices.Contains(c.Nix[0].Dependencies, "installShellFiles") {
		t.Errorf("the flake does not offer the expression of %+v", c.Nix)
	} else {
		for _, goos := range []string{"linux", "darwin"} {
			for _, arch := range []string{"x86_64", "aarch64"} {
				if !strings.Contains(flake, `"`+arch+"-"+goos+`"`) {
					t.Errorf("the flake has nothing for %s on %s", goos, arch)
				}
			}
		}
		open := map[rune]rune{')': '(', ']': '[', '}': '{'}
		var left []rune
		for _, r := range regexp.MustCompile(`(?m)#.*$|"[^"]*"`).ReplaceAllString(flake, "") {
			if strings.ContainsRune("([{", r) {
				left = append(left, r)
			} else if open[r] != 0 && (len(left) == 0 || left[len(left)-1] != open[r]) {
				t.Fatalf("the flake closes %q where nothing is open", r)
			} else if open[r] != 0 {
				left = left[:len(left)-1]
			}
		}
		if len(left) > 0 {
			t.Errorf("the flake leaves %q open", left)
		}
	}
	var files []string
	for _, f := range c.Archives[0].Files {
		if options, ok := f.(map[string]any); ok {
			f = options["src"]
		}
		files = append(files, fmt.Sprint(f))
	}
	zsh := map[string]string{}
	for _, f := range c.Nfpms[0].Contents {
		files = append(files, f.Src)
		if strings.HasSuffix(f.Src, ".zsh") {
			zsh[f.Packager] = filepath.Base(filepath.Dir(f.Dst))
		}
	}
	// Debian's zsh looks for completions of packages elsewhere than the others.
	if want := map[string]string{"deb": "vendor-completions", "rpm": "site-functions", "apk": "site-functions"}; !maps.Equal(zsh, want) {
		t.Errorf("zsh completions: %v, want %v", zsh, want)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join("..", f)); err != nil && !strings.HasPrefix(f, "completions/") { // which the hooks make
			t.Errorf("there is no %s", f)
		}
	}
}

// The workflows parse; the tests run on three systems, and what the release needs from its surroundings is given to it.
func TestDocumentsWorkflows(t *testing.T) {
	type step struct {
		Uses, Run string
		Env       map[string]string
	}
	type workflow struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Os []string } }
			Steps    []step
		}
	}
	read := func(name string) (w workflow) {
		readYAML(t, "../.github/workflows/"+name, &w)
		for job, j := range w.Jobs {
			for _, s := range j.Steps {
				if (s.Uses == "") == (s.Run == "") || s.Uses != "" && !strings.Contains(s.Uses, "@v") {
					t.Errorf("%s, %s: a step runs something, or uses an action of a stated version: %+v", name, job, s)
				}
			}
		}
		return w
	}
	if tests := read("test.yaml").Jobs["test"]; strings.Join(tests.Strategy.Matrix.Os, " ") != "ubuntu-latest macos-latest windows-latest" ||
		tests.Steps[len(tests.Steps)-1].Run != "go test ./..." {
		t.Errorf("%+v", tests)
	}
	steps := read("release.yaml").Jobs["release"].Steps
	given := steps[slices.IndexFunc(steps, func(s step) bool { return strings.HasPrefix(s.Uses, "goreleaser/") })].Env
	for _, m := range regexp.MustCompile(`\.Env\.(\w+)`).FindAllStringSubmatch(page(t, "../.goreleaser.yaml"), -1) {
		if given[m[1]] == "" {
			t.Errorf("the release needs %s, which the workflow does not give it", m[1])
		}
	}
	for _, template := range []string{"bug.yaml", "wrong-number.yaml", "config.yml"} {
		var v map[string]any
		if readYAML(t, "../.github/ISSUE_TEMPLATE/"+template, &v); len(v) == 0 {
			t.Errorf("%s is empty", template)
		}
	}
}

// modulePath returns the path in go.mod, which whoever publishes the program may change.
func modulePath(t *testing.T) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(page(t, "../go.mod"))
	if line == nil {
		t.Fatal("go.mod names no module")
	}
	return line[1]
}
