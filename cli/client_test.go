package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"epsiloscope/exchange/client"
	"epsiloscope/internal/gauge"
)

// pythonHere returns a Python to run the client with, in an environment that finds the client, a
// stand-in for Opacus and the program, which is the binary of these tests.
func pythonHere(t *testing.T) func(args ...string) ([]byte, error) {
	t.Helper()
	gauge.Sequential(t)
	python := gauge.Python("python3.9", "python3", "python") // the oldest that the client promises, if it is here
	if python == "" {
		t.Skip("no Python here: the client for Python was not tested")
	}
	startQuickly(t)
	program, err := exec.LookPath("epsiloscope")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "epsiloscope.py"), string(client.Python))
	stand, err := filepath.Abs("testdata/client")
	if err != nil {
		t.Fatal(err)
	}
	return func(args ...string) ([]byte, error) {
		cmd := exec.Command(python, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "EPSILOSCOPE="+program, "PYTHONPATH="+folder+string(filepath.ListSeparator)+stand,
			"PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1", "HOME="+folder)
		return cmd.CombinedOutput()
	}
}

// The client as it is printed does what it says, with the real Python and the real program.
func TestPythonClient(t *testing.T) {
	python := pythonHere(t)
	tests, err := filepath.Abs("testdata/client/test_client.py")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := python("-W", "error", tests); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	status, out, warned := run("", "client", "python")
	if status != 0 || out != string(client.Python) || warned != "" {
		t.Errorf("client python: status %d, %d bytes, %q", status, len(out), warned)
	}
	if status, _, warned := run("", "client", "cobol"); status != statusInput || !strings.Contains(warned, "python") {
		t.Errorf("client cobol: status %d, %q", status, warned)
	}
}

// The client imports nothing but the standard library, and Opacus only inside functions.
func TestPythonClientNeedsNothingElse(t *testing.T) {
	standard := regexp.MustCompile(`^(__future__|contextlib|dataclasses|json|math|os|re|shutil|subprocess|typing|warnings)$`)
	for _, m := range regexp.MustCompile(`(?m)^(?:import|from) (\w+)`).FindAllSubmatch(client.Python, -1) {
		if !standard.Match(m[1]) {
			t.Errorf("the client imports %s", m[1])
		}
	}
}

// The session of docs/python.md, typed into Python, prints what the page shows, and so do the examples in the client.
func TestPythonPage(t *testing.T) {
	python := pythonHere(t)
	var session strings.Builder
	for _, m := range fence.FindAllStringSubmatch(page(t, "../docs/python.md"), -1) {
		if m[1] == "pycon" {
			session.WriteString(m[2] + "\n")
		}
	}
	if strings.Count(session.String(), ">>>") < 10 {
		t.Fatal("docs/python.md has no session")
	}
	file := filepath.Join(t.TempDir(), "session.txt")
	write(t, file, session.String())
	const check = "import doctest, sys; sys.exit(any([doctest.testfile(name, module_relative=False, optionflags=doctest.ELLIPSIS)[0] for name in sys.argv[1:]]))"
	if out, err := python("-c", check, file, "epsiloscope.py"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
