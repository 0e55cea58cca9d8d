//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"epsiloscope/internal/gauge"
)

// paths sort before and after github.com/charmbracelet, and after golang.org; the first is close to the limit.
var paths = []string{"watt.example/epsiloscope", "codeberg.org/a/b", "github.com/zzz/epsiloscope", "git.sr.ht/~zed/epsiloscope"}

// late sorts after weak; its program takes package early from a module of another name, as docs/releasing.md says.
const late = "zgo.example/epsiloscope"

// silentOutput runs a program on a terminal that never replies, and returns what it writes there.
func silentOutput(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	return silentOutputOn(t, []string{"TERM=xterm-256color"}, program, args...)
}

// silentOutputOn is silentOutput on a terminal that the variables name; TERM is not set unless they set it.
func silentOutputOn(t *testing.T, variables []string, program string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // only against a test that hangs for good
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	others := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TERM=") })
	cmd.Env = append(append(others, "HOME=/nonexistent", "COLORTERM=truecolor"), variables...)
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer terminal.Close()
	out, _ := io.ReadAll(terminal) // ends with an error when the child closes its side
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
	if bytes.ContainsRune(out, 0x1b) {
		t.Errorf("%v wrote escape bytes: %q", args, out)
	}
	return out
}

// A small program with Bubble Tea and package early in it does not ask the terminal, whatever its
// module is called, and sees the TERM it was started with. Without early it would
// write a question, and wait five seconds.
func TestAnyModulePathKeepsTheTerminal(t *testing.T) {
	gauge.Sequential(t)
	t.Parallel()
	for _, path := range gauge.Some(4, append(slices.Clone(paths), late)) { // late is one of them
		dir, early := t.TempDir(), path+"/early"
		put := func(name, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		mod := strings.Replace(page(t, "../go.mod"), "module "+modulePath(t), "module "+path, 1)
		if path == late {
			early = "github.com/owner/early"
			put("early/go.mod", "module "+early+"\n\ngo 1.26\n")
			mod += "\nrequire " + early + " v0.0.0\n\nreplace " + early + " => ./early\n"
		}
		put("go.mod", mod)
		put("go.sum", page(t, "../go.sum"))
		put("early/early.go", page(t, "../tui/early/early.go"))
		put("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\ttea \"github.com/charmbracelet/bubbletea\"\n\n\t\""+early+"\"\n)\n\n"+
			"func main() { early.Restore(); _ = tea.Quit; fmt.Println(\"TERM is\", os.Getenv(\"TERM\")) }\n")
		cmd := exec.Command("go", "build", "-ldflags=-w", "-o", "program", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		if out := silentOutput(t, filepath.Join(dir, "program")); !strings.Contains(string(out), "TERM is xterm-256color") {
			t.Errorf("%s: %q", path, out)
		}
	}
}

// What early relies on: the module's name sorts before that of the last package Bubble Tea waits for. The hosts
// that docs/releasing.md calls right and wrong are so.
func TestModulePathSortsBeforeWeak(t *testing.T) {
	if path := modulePath(t); path >= "weak" {
		t.Errorf("the module path %s sorts after the standard package weak: Bubble Tea would ask the terminal before main; see tui/early", path)
	}
	text := page(t, "../docs/releasing.md")
	for _, c := range []struct {
		before string
		works  bool
	}{{"These work: ", true}, {"These do not: ", false}} {
		_, list, _ := strings.Cut(text, c.before)
		list, _, _ = strings.Cut(list, ".\n")
		hosts := strings.Split(strings.Join(strings.Fields(list), " "), ", ")
		if len(hosts) < 3 {
			t.Errorf("docs/releasing.md names no hosts after %q", c.before)
		}
		for _, host := range hosts {
			if host < "weak" != c.works {
				t.Errorf("docs/releasing.md is wrong about %s", host)
			}
		}
	}
}

// A packager's way: the module under other paths, in a folder of its own, installed with Go alone.
// Version, completions, manual page and start-up are those of the original.
func TestAnyModulePathInstalls(t *testing.T) {
	if !gauge.All() {
		t.Skip("builds the program three times; .ci/run asks for it")
	}
	own := modulePath(t)
	for _, path := range paths[1:] {
		dir, bin := t.TempDir(), t.TempDir()
		if err := copyRenamed(dir, own, path); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "install", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0", "PATH="+filepath.Dir(goTool(t)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		program := filepath.Join(bin, filepath.Base(path))
		for _, c := range []struct{ args, want string }{
			{"--version", "epsiloscope version "}, {"--help", "Usage:"}, {"compare welcome", "basic"},
			{"completion bash", "__start_epsiloscope"}, {"completion zsh", "#compdef epsiloscope"},
			{"completion fish", "complete -c epsiloscope"}, {"completion powershell", "Register-ArgumentCompleter -CommandName 'epsiloscope'"}, {"man", ".TH EPSILOSCOPE 1"}, {"client python", "class Ledger"},
		} {
			if out := silentOutput(t, program, strings.Fields(c.args)...); !strings.Contains(string(out), c.want) {
				t.Errorf("%s: %s prints %.300q", path, c.args, out)
			}
		}
	}
}

// goTool returns the path of the go command.
func goTool(t *testing.T) string {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// copyRenamed copies the module's files, with its path changed in go.mod and in imports alone.
func copyRenamed(to, own, path string) error {
	return filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "testdata" || d.Name() == "pictures") {
			return filepath.SkipDir
		}
		target := filepath.Join(to, strings.TrimPrefix(name, ".."))
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch {
		case filepath.Base(name) == "go.mod":
			text = bytes.Replace(text, []byte("module "+own), []byte("module "+path), 1)
		case strings.HasSuffix(name, ".go"):
			text = bytes.ReplaceAll(text, []byte("\t\""+own+"/"), []byte("\t\""+path+"/"))
			text = regexp.MustCompile(`(?m)^(\t|import )(_ |\. |\w+ )?"`+regexp.QuoteMeta(own)+`/`).ReplaceAll(text, []byte(`${1}${2}"`+path+`/`))
		}
		return os.WriteFile(target, text, 0o644)
	})
}
