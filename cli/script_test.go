package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"epsiloscope/internal/gauge"
)

// The binary of these tests is the program itself when a test runs it by that name.
func TestMain(m *testing.M) {
	testscript.Main(tidied{m}, map[string]func(){
		"epsiloscope": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// tidied are the tests of the package, between making and removing the folders that they share.
type tidied struct{ *testing.M }

func (m tidied) Run() int {
	defer gauge.IsolateState()()
	folder, err := os.MkdirTemp("", "epsiloscope-program-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	linked = filepath.Join(folder, "epsiloscope")
	if runtime.GOOS == "windows" {
		linked += ".exe"
	}
	return m.M.Run()
}

// linked is the path of the program, once [linkProgram] has put it there.
var linked string

// linkProgram links the program as users start it, without the tests.
var linkProgram = sync.OnceValue(func() error {
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", linked, "..").CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build the program: %w\n%s", err, out)
	}
	return nil
})

// startQuickly lets tests that start the program often start that of [linkProgram], which takes two thirds of the
// time to start. The race detector looks at the binary of these tests.
func startQuickly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		return
	}
	if err := linkProgram(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(linked)+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestScripts(t *testing.T) {
	startQuickly(t)
	// Where tests run under nohup, commands would start with SIGHUP ignored and not pass it on.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// A command must not need a home, a configuration or a terminal.
			e.Setenv("HOME", "/nonexistent")
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, ".state"))
			e.Setenv("TERM", "dumb")
			docs, err := filepath.Abs("../docs")
			e.Setenv("DOCS", docs)
			for _, who := range []string{"AUTHOR", "COMMITTER"} { // git asks who it is
				e.Setenv("GIT_"+who+"_NAME", "tester")
				e.Setenv("GIT_"+who+"_EMAIL", "tester@localhost")
			}
			return err
		},
		Condition: func(name string) (bool, error) { // [all]: the long form
			if name != "all" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return gauge.All(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"json":  jsonField,
		},
	})
}

// exits runs a command and requires an exact exit status: exits STATUS COMMAND…
// A failing command has said why on standard error and shows no Go internals.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	stderr := ts.ReadFile("stderr")
	if (got != 0) == (stderr == "") && got != 0 {
		ts.Fatalf("exit status %d without a word on standard error", got)
	}
	for _, leak := range []string{"goroutine", "panic", "strconv.", "float64", "*scenarios", "nil pointer", ".go:"} {
		if strings.Contains(stderr, leak) {
			ts.Fatalf("standard error shows Go internals (%q)", leak)
		}
	}
}

// jsonField compares one field of the JSON on standard output:
//
//	json PATH VALUE [RELATIVE TOLERANCE]
//
// A path such as bounds.basic.epsilon goes through objects by key and through
// lists by index or by the value of "method".
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: json PATH VALUE [TOLERANCE]")
	}
	var root any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &root))
	got, err := at(root, strings.Split(args[0], "."))
	ts.Check(err)
	want := args[1]
	if x, ok := got.(float64); ok {
		w, err := strconv.ParseFloat(want, 64)
		ts.Check(err)
		tolerance := 0.0
		if len(args) == 3 {
			tolerance, err = strconv.ParseFloat(args[2], 64)
			ts.Check(err)
		}
		if !(math.Abs(x-w) <= tolerance*math.Abs(w)) {
			ts.Fatalf("%s is %.17g, want %s", args[0], x, want)
		}
		return
	}
	if text := fmt.Sprint(got); text != want && !(got == nil && want == "null") {
		ts.Fatalf("%s is %q, want %q", args[0], text, want)
	}
}

func at(v any, path []string) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	switch v := v.(type) {
	case map[string]any:
		next, ok := v[path[0]]
		if !ok {
			return nil, fmt.Errorf("there is no field %q", path[0])
		}
		return at(next, path[1:])
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(v) {
			return at(v[i], path[1:])
		}
		for _, item := range v {
			if o, ok := item.(map[string]any); ok && o["method"] == path[0] {
				return at(item, path[1:])
			}
		}
	}
	return nil, fmt.Errorf("there is no %q", path[0])
}
