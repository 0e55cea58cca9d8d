package plain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"epsiloscope/scenarios"
	"epsiloscope/tui/store"
)

const counts = "version: 1\nname: counts\nunit: person\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 4}\n"

// talk answers the questions of a session about a scenario one by one, and returns what was said and how it ended.
func talk(t *testing.T, text string, answers ...string) (string, error) {
	t.Helper()
	s, err := scenarios.Parse("counts.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	at := t.TempDir()
	var out strings.Builder
	err = Run(t.Context(), Options{
		Scenario: s, In: strings.NewReader(strings.Join(answers, "\n") + "\n"), Out: &out,
		Store: store.Open(store.Locations{
			Recovery: filepath.Join(at, "recovery"), Recent: filepath.Join(at, "recent"), Log: filepath.Join(at, "log"),
		}),
	})
	return out.String(), err
}

// Every command says what it did in sentences; what is not understood is said, and changes nothing.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []string
		says    []string
		not     string
	}{
		{"the start", []string{"quit"}, []string{"Scenario: counts.", "Entry 1: 4 × Laplace", "The whole costs ε = 0.4000", "Budget: ", "What next? [show]: "}, "not saved"},
		{"compare", []string{"compare", "quit"}, []string{"basic: ε at most 0.4000", "the smallest proven bound", "GDP: does not apply. "}, ""},
		{"a beginning", []string{"comp", "quit"}, []string{"basic: ε at most 0.4000"}, ""},
		{"a wrong word", []string{"compair", "quit"}, []string{"Did you mean compare?"}, ""},
		{"change", []string{"change", "epsilon", "0.2", "quit", "no"}, []string{"The whole costs ε = 0.8000"}, ""},
		{"change to nonsense", []string{"change", "epsilon", "-1", "cancel", "show", "quit"}, []string{"The whole costs ε = 0.4000"}, "ε = -"},
		{"undo", []string{"change", "epsilon", "0.2", "undo", "show", "quit"}, []string{"Taken back: "}, "There are changes that are not saved."},
		{"undo of nothing", []string{"undo", "quit"}, []string{"Not done: "}, ""},
		{"drop", []string{"drop", "show", "undo", "quit"}, []string{"There are no entries yet: answer add."}, ""},
		{"cancel", []string{"change", "cancel", "quit"}, []string{"Cancelled; nothing was changed."}, ""},
		{"explain", []string{"explain", "basic", "quit"}, []string{"Basic composition"}, ""},
		{"statement", []string{"statement", "quit"}, []string{"differential privacy"}, ""},
		{"help", []string{"help", "quit"}, []string{"undo: take the last change back.", "cancel: leave a question"}, ""},
	} {
		said, err := talk(t, counts, c.answers...)
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not said:\n%s", c.name, want, said)
			}
		}
		if c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s: %q is said:\n%s", c.name, c.not, said)
		}
		if err != nil && !errors.Is(err, ErrUnsaved) {
			t.Errorf("%s: %v", c.name, err)
		}
		if i := strings.IndexAny(said, "\x1b│┃╭"); i >= 0 {
			t.Errorf("%s: something is drawn: %q", c.name, said[i:])
		}
	}
}

// An input that ends with changes loses nothing: the error says where they are kept.
func TestInputEndsUnsaved(t *testing.T) {
	said, err := talk(t, counts, "change", "epsilon", "0.2")
	if !errors.Is(err, ErrUnsaved) || !strings.Contains(err.Error(), "they are kept in ") {
		t.Fatalf("%v:\n%s", err, said)
	}
	file := strings.TrimSuffix(strings.SplitAfter(err.Error(), "kept in ")[1], ", and o lists them in the explorer")
	kept, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(kept), "epsilon: 0.2") {
		t.Errorf("%v, %q", err, kept)
	}
	if _, err := talk(t, counts, "show"); err != nil {
		t.Errorf("an end without changes: %v", err)
	}
}

// A scenario that cannot be evaluated is refused with its reason, and can be mended.
func TestRefusalCanBeMended(t *testing.T) {
	said, _ := talk(t, "version: 1\nname: none\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: gaussian, sigma: 1}\n", "change", "sigma", "0", "5", "quit", "no")
	if strings.Contains(said, "σ 0") || !strings.Contains(said, "ε = ") {
		t.Errorf("%s", said)
	}
}
