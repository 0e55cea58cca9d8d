package scenarios

import (
	"context"
	"strings"
	"testing"
)

// Under replace an entry that states no sensitivity is a question, wherever it stands; one that is
// written down, whatever it is, is the answer. Other adjacencies ask nothing.
func TestSensitivityUnderReplaceIsAQuestion(t *testing.T) {
	for _, c := range []struct {
		text string
		open []string
	}{
		{"adjacency: replace\nstack: [{mechanism: laplace, epsilon: 1}]", []string{"stack[1].sensitivity"}},
		{"adjacency: replace\nstack: [{mechanism: laplace, epsilon: 1, sensitivity: 1}]", nil},
		{"adjacency: replace\nstack: [{mechanism: laplace, epsilon: 1, disabled: true}, {mechanism: pure, epsilon: 1}]", nil},
		{"adjacency: replace\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10}]", nil},
		{"adjacency: replace\nstack: [{moves: never, parallel: [[{mechanism: gaussian, sigma: 2}], [{mechanism: gaussian, sigma: 2, sensitivity: 2}]]}]", []string{"stack[1].parallel[1][1].sensitivity"}},
		{"adjacency: replace\nstack: [{mechanism: select, of: {mechanism: laplace, epsilon: 1}, runs: {distribution: geometric, mean: 5}}]", []string{"stack[1].of.sensitivity"}},
		{"adjacency: add-remove\nstack: [{mechanism: laplace, epsilon: 1}]", nil},
		{"adjacency: zero-out\nstack: [{mechanism: laplace, epsilon: 1}]", nil},
	} {
		s, err := Parse("f.yaml", []byte("version: 1\nbudget: {epsilon: 9, delta: 1e-6}\n"+c.text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		var open []string
		for _, e := range s.OpenSensitivities() {
			open = append(open, e.Field)
		}
		if strings.Join(open, " ") != strings.Join(c.open, " ") {
			t.Errorf("%s: %q is open, want %q", c.text, open, c.open)
		}
		r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsOpen() != (len(c.open) > 0) {
			t.Errorf("%s: the notes are %v", c.text, r.Notes)
		}
		// Every answer is one, and is still there when the file is read again.
		if err := s.ScaleSensitivities(2, true); err != nil {
			t.Fatal(err)
		}
		data, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Parse("f.yaml", data); err != nil || len(again.OpenSensitivities()) != 0 ||
			strings.Count(string(data), "sensitivity: 2") < len(c.open) {
			t.Errorf("answered and saved: %v\n%s", err, data)
		}
	}
}

// No bundled scenario leaves the question open.
func TestBundledScenariosSayWhatARecordMoves(t *testing.T) {
	for _, info := range LibraryInfos() {
		s, err := LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if open := s.OpenSensitivities(); len(open) > 0 {
			t.Errorf("%s: %v", info.Name, open)
		}
	}
}
