package interop

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"go.starlark.net/syntax"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Whatever of the library can be exported comes back with every column, its
// adjacency, and unit and labels where the format has room. Where it has none, the
// export says so.
func TestLibraryRoundTrips(t *testing.T) {
	names, _ := ExportFormats()
	for _, format := range names {
		carried := 0
		for i, info := range scenarios.LibraryInfos() {
			s, err := scenarios.LoadBundled(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			if format == "registry" && i%gauge.Cases(9, 1) != 0 { // a statement is dear
				continue
			}
			out, remarks, err := bundledExport(format, info.Name, s)
			if err != nil {
				continue // it says which entry has no place there
			}
			carried++
			what := info.Name + " as " + format
			rec, err := Import(format, out)
			if err != nil {
				t.Errorf("%s: %v\n%s", what, err, out)
				continue
			}
			back := rec.Scenario
			if back.Adjacency != s.Adjacency {
				t.Errorf("%s: the adjacency was %s and came back as %s", what, s.Adjacency, back.Adjacency)
			}
			said := strings.Join(remarks, "\n")
			if s.Unit != back.Unit && !strings.Contains(said, "unit") {
				t.Errorf("%s: the unit is lost and nobody said so", what)
			}
			if strings.Join(labels(s), "; ") != strings.Join(labels(back), "; ") && !strings.Contains(said, "labels") {
				t.Errorf("%s: the labels were %q and came back as %q", what, labels(s), labels(back))
			}
			if i%gauge.Cases(3, 1) == 0 {
				if format == "registry" {
					notCheaper(t, what, s, back)
				} else {
					sameColumns(t, what, s, back, strings.Contains(said, "costs more: dp_accounting has no event"))
				}
			}
		}
		t.Logf("%s: %d of %d scenarios", format, carried, len(scenarios.LibraryInfos()))
		if least := map[string]int{"dp-accounting": 98, "opacus": 27, "opendp": 43}[format]; carried < least {
			t.Errorf("only %d scenarios of the library can be exported as %s", carried, format)
		}
	}
}

func labels(s *scenarios.Scenario) (all []string) {
	for _, e := range s.Stack {
		if !e.Disabled {
			all = append(all, e.Label)
		}
	}
	return all
}

// sameColumns compares all columns: closed ones to round-off, and the numerical one by
// its interval. What is said to cost more in the other tool may come back dearer, never cheaper.
func sameColumns(t *testing.T, what string, s, back *scenarios.Scenario, dearer bool) {
	t.Helper()
	s, back = s.Clone(), back.Clone()
	s.Budget.Delta, back.Budget.Delta = 1e-6, 1e-6
	if s.Alpha != 0 {
		back.Alpha = s.Alpha
	}
	opt := scenarios.Options{Precision: 1e-3}
	want, err := scenarios.Evaluate(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := scenarios.Evaluate(context.Background(), back, opt)
	if err != nil {
		t.Fatal(err)
	}
	value := func(b accounting.Bound) float64 {
		if !b.Finite() {
			return math.Inf(1)
		}
		return b.Epsilon
	}
	for i, b := range want.Bounds {
		before, after, slack := value(b), value(got.Bounds[i]), 1e-9
		if b.Method == accounting.Numerical {
			slack = opt.Precision
			if !dearer && math.Max(b.Lower, got.Bounds[i].Lower) > math.Min(before, after)*(1+1e-9) {
				t.Errorf("%s: the numerical interval was [%v, %v] and came back as [%v, %v]", what, b.Lower, before, got.Bounds[i].Lower, after)
			}
		}
		if after < before*(1-slack) || after > before*(1+slack) && !dearer {
			t.Errorf("%s: %s was %v and came back as %v", what, b.Method, before, after)
		}
	}
}

// notCheaper checks a draft for the registry, which has the entries in words only: it states the best bound of the
// whole, so that no bound of what comes back is below that.
func notCheaper(t *testing.T, what string, s, back *scenarios.Scenario) {
	t.Helper()
	s, back = s.Clone(), back.Clone()
	s.Budget.Delta, back.Budget.Delta = 1e-6, 1e-6
	want, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Precision: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scenarios.Evaluate(context.Background(), back, scenarios.Options{Precision: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	least := want.BestBound()
	for _, b := range got.Bounds {
		if b.Status == accounting.Valid && b.Epsilon < math.Max(least.Lower, least.Epsilon*(1-1e-3))*(1-1e-9) {
			t.Errorf("%s: %s came back as %v, and the best bound was %v", what, b.Method, b.Epsilon, least.Epsilon)
		}
	}
}

// The names of dp_accounting 0.6.0 that exports use, by the module that holds them
// (python/dp_accounting/dp_accounting/__init__.py, pld/__init__.py, rdp/__init__.py,
// dp_event.py at google/differential-privacy b5b0286).
var namesOfPeer = map[string][]string{
	"dp_accounting": {"ComposedDpEvent", "DiscreteGaussianDpEvent", "ExponentialMechanismDpEvent", "GaussianDpEvent", "LaplaceDpEvent",
		"NeighboringRelation", "PermuteAndFlipDpEvent", "PoissonSampledDpEvent", "RandomizedResponseDpEvent", "SampledWithoutReplacementDpEvent", "SelfComposedDpEvent", "ZCDpEvent",
		"dp_event", "pld", "rdp"},
	"dp_accounting.dp_event":            {"DiscreteLaplaceDpEvent", "EpsilonDeltaDpEvent", "MixtureOfGaussiansDpEvent", "RepeatAndSelectDpEvent", "TruncatedSubsampledGaussianDpEvent"},
	"dp_accounting.pld":                 {"PLDAccountant"},
	"dp_accounting.rdp":                 {"RdpAccountant"},
	"dp_accounting.NeighboringRelation": {"ADD_OR_REMOVE_ONE", "REPLACE_ONE", "REPLACE_SPECIAL"},
}

// eachExport writes every bundled scenario that the format can hold, under every adjacency.
func eachExport(t *testing.T, format string, check func(name string, adjacency mechanisms.Adjacency, out []byte)) {
	t.Helper()
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, adjacency := range []mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace, mechanisms.ZeroOut} {
			s.Adjacency = adjacency
			if out, _, err := Export(format, s); err == nil {
				check(info.Name, adjacency, out)
			}
		}
	}
}

// Every exported Python file parses, here and by Python where there is one, and uses
// only names that the version it is written for has.
func TestExportsAreProgramsOfTheirVersion(t *testing.T) {
	dir, used := t.TempDir(), map[string]bool{}
	eachExport(t, "dp-accounting", func(name string, adjacency mechanisms.Adjacency, out []byte) {
		checkNames(t, name, out, used)
		file := filepath.Join(dir, name+"-"+string(adjacency)+".py")
		if err := os.WriteFile(file, out, 0o644); err != nil {
			t.Fatal(err)
		}
	})
	for module, names := range namesOfPeer {
		for _, name := range names {
			if !used[module+"."+name] {
				t.Errorf("no export uses %s.%s", module, name)
			}
		}
	}
	python := gauge.Python("python3")
	if python == "" {
		t.Skip("no Python here to parse the exports with")
	}
	const parse = "import ast, pathlib, sys\nfor f in pathlib.Path(sys.argv[1]).glob('*.py'): ast.parse(f.read_text(encoding='utf-8'), str(f))"
	if out, err := exec.Command(python, "-c", parse, dir).CombinedOutput(); err != nil {
		t.Errorf("Python cannot read an export: %s", out)
	}
}

// checkNames resolves every dotted name of a program to its module.
func checkNames(t *testing.T, name string, program []byte, used map[string]bool) {
	t.Helper()
	var s script
	f := s.parse(program)
	known := func(full string) {
		i := strings.LastIndexByte(full, '.')
		if used[full] = true; !slices.Contains(namesOfPeer[full[:i]], full[i+1:]) {
			t.Errorf("%s: dp_accounting %s has no %s", name, dpaVersion, full)
		}
	}
	for _, b := range s.names {
		if b.text != "dp_accounting" {
			known(b.text)
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if dot, ok := n.(*syntax.DotExpr); ok {
			if path := dotted(dot, &s); path != "" {
				known(path)
			}
		}
		return true
	})
}

// dotted returns the full name of module.name, or "" for the method of a value.
func dotted(e syntax.Expr, s *script) string {
	switch e := e.(type) {
	case *syntax.Ident:
		if b, ok := s.names[e.Name]; ok {
			return b.text
		}
	case *syntax.DotExpr:
		if of := dotted(e.X, s); of != "" {
			return of + "." + e.Name.Name
		}
	}
	return ""
}

// Text of others stays text in an export: one line, no control character, nothing
// that turns the writing; and the program stays the same program.
func TestExportsOfHostileText(t *testing.T) {
	for _, hostile := range []string{
		"a\nevent = dpa.NoOpDpEvent()", "a\r\nimport os", "\u202eevil\u202c", "\u2066x", "\x1b[2J", "a\u0085b", "a\u2028import os", "'''", "\"\"\"", "\\", "#", "\x00",
	} {
		for _, format := range []string{"dp-accounting", "opendp"} {
			var code [2]string
			for i, said := range []string{"", hostile} {
				s, err := scenarios.LoadBundled("adv-vs-basic-large")
				if err != nil {
					t.Fatal(err)
				}
				s.Name, s.Unit, s.Stack[0].Label = said, said, said
				out, _, err := Export(format, s)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range string(out) {
					if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
						t.Errorf("%q as %s: %U came through", hostile, format, r)
					}
				}
				code[i] = regexp.MustCompile(`(?m)^ *#.*\n`).ReplaceAllString(string(out), "")
			}
			if code[0] != code[1] {
				t.Errorf("%q changed the export as %s:\n%s", hostile, format, code[1])
			}
		}
	}
}

// bundledExport is [Export] of a bundled scenario, which several tests read.
func bundledExport(format, name string, s *scenarios.Scenario) ([]byte, []string, error) {
	type export struct {
		out     []byte
		remarks []string
		err     error
	}
	made, _ := bundledExports.LoadOrStore(format+" "+name, sync.OnceValue(func() export {
		out, remarks, err := Export(format, s)
		return export{out, remarks, err}
	}))
	e := made.(func() export)()
	return slices.Clone(e.out), e.remarks, e.err
}

var bundledExports sync.Map
