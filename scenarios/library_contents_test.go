package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

func loadLibrary(t *testing.T) map[string]*scenarios.Scenario {
	t.Helper()
	library := map[string]*scenarios.Scenario{}
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Errorf("%s/%s: %v", info.Group, info.Name, err)
			continue
		}
		if library[info.Name] != nil {
			t.Errorf("%s: the name is taken twice", info.Name)
		}
		if info.Title != s.Name {
			t.Errorf("%s is listed as %q, and its name is %q", info.Name, info.Title, s.Name)
		}
		library[info.Name] = s
	}
	return library
}

// mechanismsOf collects the mechanisms of a stack, inside parallel branches too.
func mechanismsOf(stack []scenarios.Entry, into map[string]bool) {
	for _, e := range stack {
		if e.Mechanism != "" {
			into[e.Mechanism] = true
		}
		for _, branch := range e.Parallel {
			mechanismsOf(branch, into)
		}
	}
}

func TestLibraryShowsEverything(t *testing.T) {
	library := loadLibrary(t)
	if len(library) < 45 {
		t.Errorf("the library has %d scenarios, too few", len(library))
	}
	used, met := map[string]int{}, map[accounting.Method]int{}
	for _, s := range library {
		names, methods := map[string]bool{}, map[accounting.Method]bool{}
		mechanismsOf(s.Stack, names)
		for name := range names {
			used[name]++
		}
		for _, x := range s.Expect {
			methods[x.Method] = true
		}
		for m := range methods {
			met[m]++
		}
	}
	for _, name := range mechanisms.Names() {
		if used[name] < 2 {
			t.Errorf("the mechanism %s appears in %d scenarios", name, used[name])
		}
	}
	for _, m := range accounting.Methods() { // so that a user finds an example of each
		if met[m.Method] < 2 {
			t.Errorf("the method %s is expected by %d scenarios", m.Method, met[m.Method])
		}
	}
}

// What a user reads first must be there: a title, a text that teaches, whose data
// it is about, and for every figure where it comes from.
func TestLibraryScenariosExplainThemselves(t *testing.T) {
	for name, s := range loadLibrary(t) {
		if s.Name == "" || len(s.Description) < 80 || s.Unit == "" {
			t.Errorf("%s: a title, a description or a unit is missing", name)
		}
		for _, x := range s.Expect {
			if x.Source == "" {
				t.Errorf("%s: %s %g has no source", name, x.Method, x.Epsilon)
			}
		}
	}
}

// Editors find the schema by the first line of a file.
func TestLibraryNamesItsSchema(t *testing.T) {
	const modeline = "# yaml-language-server: $schema=epsiloscope.schema.json\n"
	for _, info := range scenarios.LibraryInfos() {
		source, err := scenarios.BundledSource(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(source), "\r\n", "\n")
		if !strings.HasPrefix(text, modeline) {
			t.Errorf("%s: does not begin with the line that names the schema", info.Name)
		}
	}
}

func TestLibraryReproducesItsFigures(t *testing.T) {
	for name, s := range loadLibrary(t) {
		t.Run(name, func(t *testing.T) {
			for _, f := range scenarios.CheckExpectations(context.Background(), name, s, nil) {
				t.Error(f)
			}
		})
	}
}
