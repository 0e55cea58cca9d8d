package cli

import (
	"encoding/json"
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
)

// A runner runs the steps of a workflow as its service does: in bash, which stops at the first command that fails, in a
// checkout, with folders of its own, and without the program until a step installs it.
type runner struct {
	t      *testing.T
	folder string // of the checkout
	temp   string
	env    []string
}

// fakeGo stands for the go command: it takes "go install -C FOLDER ." in the folder of the source, and installs the
// binary of these tests.
const fakeGo = `#!/bin/sh
[ "$#" = 4 ] && [ "$1 $2 $4" = "install -C ." ] && [ -f "$3/go.mod" ] && [ -f "$3/main.go" ] || { echo "go $*: not what installs the program" >&2; exit 2; }
ln -sf "$PROGRAM" "$GOBIN/epsiloscope"
`

// newRunner makes a checkout that has the program's source under tools, as the page says.
func newRunner(t *testing.T) *runner {
	t.Helper()
	program, err := exec.LookPath("epsiloscope")
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	r := &runner{t: t, folder: filepath.Join(scratch, "checkout"), temp: filepath.Join(scratch, "temp")}
	tools, installed := filepath.Join(scratch, "tools"), filepath.Join(scratch, "bin")
	for _, folder := range []string{filepath.Join(r.folder, "tools"), r.temp, tools, installed} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(source, filepath.Join(r.folder, "tools", "epsiloscope")); err != nil {
		t.Fatal(err)
	}
	if !gauge.All() { // else the real one compiles it
		write(t, filepath.Join(tools, "go"), fakeGo)
		if err := os.Chmod(filepath.Join(tools, "go"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := []string{tools, installed}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(folder, "epsiloscope")); err != nil {
			path = append(path, folder)
		}
	}
	r.env = append(os.Environ(), "PATH="+strings.Join(path, string(filepath.ListSeparator)), "GOBIN="+installed, "PROGRAM="+program,
		"RUNNER_TEMP="+r.temp, "GITHUB_STEP_SUMMARY="+filepath.Join(scratch, "summary.md"), "GITHUB_BASE_REF=main",
		"XDG_STATE_HOME="+filepath.Join(scratch, "state"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return r
}

// write puts a file into the checkout.
func (r *runner) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	write(r.t, path, text)
}

// bash runs a script in the checkout and returns its status and what it printed.
func (r *runner) bash(script string, args ...string) (int, string) {
	r.t.Helper()
	cmd := exec.Command("bash", append([]string{"-e", "-c", script, "step"}, args...)...)
	cmd.Dir, cmd.Env = r.folder, r.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// must runs a script that prepares a case.
func (r *runner) must(script string) {
	r.t.Helper()
	if status, out := r.bash(script); status != 0 {
		r.t.Fatalf("%s: status %d\n%s", script, status, out)
	}
}

// A workflow is what a runner reads of a file.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct{ Name, Uses, Run string }
	}
}

// failingStep runs a workflow and returns the name of the step that failed, with the status and what that printed; ""
// if all passed.
func (r *runner) failingStep(w workflow) (name string, status int, out string) {
	r.t.Helper()
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			if step.Uses != "" {
				if !slices.Contains([]string{"actions/checkout@v4", "actions/setup-go@v5"}, step.Uses) {
					r.t.Fatalf("the runner of this test does not know %s", step.Uses)
				}
				continue // the checkout is there, and so is the path
			}
			if status, out := r.bash(step.Run); status != 0 {
				return step.Name, status, out
			}
		}
	}
	return "", 0, ""
}

// blockOfCI decodes the block of ci.md that contains a text.
func blockOfCI(t *testing.T, mark string, to any) {
	t.Helper()
	for _, m := range fence.FindAllStringSubmatch(page(t, "../docs/ci.md"), -1) {
		if m[1] != "yaml" || !strings.Contains(m[2], mark) {
			continue
		}
		doc, err := yamltree.Read([]byte(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(doc.Root.Value())
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("ci.md has no block with %q", mark)
}

// needsBash skips a test where the workflows of ci.md cannot be run.
func needsBash(t *testing.T, tools ...string) {
	t.Helper()
	gauge.Sequential(t) // the program is run without it
	if runtime.GOOS == "windows" {
		t.Skip("the workflows are written for a Unix shell, and were not run")
	}
	for _, tool := range append(tools, "bash") {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here: the workflows of ci.md were not run", tool)
		}
	}
}

const overBudget = "version: 1\nname: Too much\nunit: person-month\nadjacency: add-remove\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 4}\n"

// The first workflow of ci.md passes a scenario that fits, and stops at one that is too expensive or wrong.
func TestWorkflowOfBudget(t *testing.T) {
	needsBash(t)
	var w workflow
	blockOfCI(t, "name: privacy budget", &w)
	plan := blocks(t, "yaml")[0]
	for _, c := range []struct {
		name, second, step string
		status             int
		want               string
	}{
		{"fits", "", "", 0, "ε = 0.9486"},
		{"over", overBudget, "The budget holds", 1, "Too much"},
		{"wrong", "version: 1\nstack: 3\n", "The files are right", 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRunner(t)
			r.write("privacy/plan.yaml", plan)
			if c.second != "" {
				r.write("privacy/second.yaml", c.second)
			}
			step, status, out := r.failingStep(w)
			if step != c.step || status != c.status {
				t.Errorf("stopped at %q with status %d, want %q with %d\n%s", step, status, c.step, c.status, out)
			}
			if summary, _ := os.ReadFile(filepath.Join(filepath.Dir(r.temp), "summary.md")); !strings.Contains(
				string(summary), c.want) {
				t.Errorf("the summary does not say %q:\n%s", c.want, summary)
			}
		})
	}
}

// The hook of ci.md is asked about scenarios alone, and refuses the commit of one that is too expensive, whatever its
// place.
func TestWorkflowBeforeCommit(t *testing.T) {
	needsBash(t)
	var config struct {
		Repos []struct {
			Hooks []struct{ Entry, Language, Files string }
		}
	}
	blockOfCI(t, "privacy-budget", &config)
	hook := config.Repos[0].Hooks[0]
	r := newRunner(t)
	r.write("privacy/plan.yaml", blocks(t, "yaml")[0])
	r.write("privacy/over.yaml", overBudget)
	var asked []string
	for _, file := range []string{"privacy/plan.yaml", "privacy/over.yaml", "privacy/notes.txt", "other/plan.yaml"} {
		if regexp.MustCompile(hook.Files).MatchString(file) {
			asked = append(asked, file)
		}
	}
	if hook.Language != "system" || !slices.Equal(asked, []string{"privacy/plan.yaml", "privacy/over.yaml"}) {
		t.Errorf("a hook of %s for %q", hook.Language, asked)
	}
	for _, c := range []struct {
		files  []string
		status int
	}{{asked[:1], 0}, {asked, 1}, {[]string{asked[1], asked[0]}, 1}} {
		if status, out := r.bash(hook.Entry+` "$@"`, c.files...); status != c.status {
			t.Errorf("%q: status %d, want %d\n%s", c.files, status, c.status, out)
		}
	}
}

// The workflow of ci.md for requests asks the base branch's ledger, whatever the pull request says of its own.
func TestWorkflowOfRequest(t *testing.T) {
	needsBash(t, "git")
	var w workflow
	blockOfCI(t, "name: privacy request", &w)
	plan := blocks(t, "yaml")[0]
	const fits, ledger = "The request fits what the base branch has left", "The ledger is changed by releases alone"
	for _, c := range []struct {
		name, request, change, step string
		status                      int
	}{
		{"fits", plan, "", "", 0},
		{"over", strings.ReplaceAll(plan, "sigma: 50", "sigma: 1"), "", fits, 1},
		{"another ledger", plan, "rm prod.ledger; epsiloscope ledger new prod.ledger --epsilon 30 --delta 1e-6 --unit person-month", ledger, 1},
		{"a program of its own", strings.ReplaceAll(plan, "sigma: 50", "sigma: 1"), "rm tools/epsiloscope; mkdir tools/epsiloscope; echo module x > tools/epsiloscope/go.mod", fits, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRunner(t)
			r.must(`git init -q -b main && ln -s "$PROGRAM" "$RUNNER_TEMP/epsiloscope" && export PATH="$RUNNER_TEMP:$PATH" XDG_STATE_HOME="$RUNNER_TEMP/other"
epsiloscope ledger new prod.ledger --epsilon 3 --delta 1e-6 --unit person-month
git add prod.ledger tools && git commit -q -m base && git update-ref refs/remotes/origin/main main && git checkout -q -b request`)
			r.write("request.yaml", c.request)
			r.must(`export PATH="$RUNNER_TEMP:$PATH" XDG_STATE_HOME="$RUNNER_TEMP/other"` + "\n" + c.change + "\n" + `git add prod.ledger request.yaml tools && git commit -q -m request && rm "$RUNNER_TEMP/epsiloscope"`)
			if step, status, out := r.failingStep(w); step != c.step || status != c.status {
				t.Errorf("stopped at %q with status %d, want %q with %d\n%s", step, status, c.step, c.status, out)
			}
		})
	}
}
