package interop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"epsiloscope/scenarios"
)

// Whatever of the library can be exported comes back at the same cost: never a
// smaller one, which would promise what nobody has proven.
func TestLibraryRoundTrips(t *testing.T) {
	python, _ := exec.LookPath("python3")
	names, _ := ExportFormats()
	for _, format := range names {
		carried := 0
		for _, info := range scenarios.Bundled() {
			s, err := scenarios.LoadBundled(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := Export(format, s)
			if err != nil || len(s.Stack) == 0 {
				continue // it says which entry has no place there; nothing needs none
			}
			carried++
			rec, err := Import(format, out)
			if err != nil {
				t.Errorf("%s as %s: %v\n%s", info.Name, format, err, out)
				continue
			}
			sameCost(t, info.Name+" as "+format, s, rec.Scenario)
			if format == "dp-accounting" && python != "" && carried <= 5 {
				parses(t, python, info.Name, out)
			}
		}
		if carried < 5 {
			t.Errorf("only %d scenarios of the library can be exported as %s", carried, format)
		}
	}
}

func sameCost(t *testing.T, what string, s, back *scenarios.Scenario) {
	t.Helper()
	delta := 1e-6
	opt := scenarios.Options{Closed: true, Delta: &delta}
	want, err := scenarios.Evaluate(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := scenarios.Evaluate(context.Background(), back, opt)
	if err != nil {
		t.Fatal(err)
	}
	if (want.Best < 0) != (got.Best < 0) {
		t.Errorf("%s: one of the two has no bound", what)
		return
	}
	if want.Best < 0 {
		return
	}
	before, after := want.Bounds[want.Best].Epsilon, got.Bounds[got.Best].Epsilon
	if after < before*(1-1e-9) || after > before*1.01 {
		t.Errorf("%s: ε was %v and came back as %v", what, before, after)
	}
}

// parses asks Python itself, where there is one.
func parses(t *testing.T, python, name string, program []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "check.py")
	if err := os.WriteFile(file, program, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())", file).CombinedOutput(); err != nil {
		t.Errorf("%s: Python cannot read the export: %s\n%s", name, out, program)
	}
}
