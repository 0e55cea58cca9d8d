package scenarios

import (
	"strings"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// samples are a value for the fields that a line of text can set, other than its
// default. One that is not here is tried with the value that a form offers first.
var samples = map[string]string{
	"name": "x", "description": "two\nlines", "unit": "household", "adjacency": "replace",
	"budget.epsilon": "3", "budget.delta": "1e-7", "alpha": "9", "rounds": "12", "group": "2",
	"claim.epsilon": "2", "claim.delta": "0", "claim.by": "Bureau", "claim.text": "two",
	"deployment.curator": "Bureau; Office", "deployment.use": "planning", "deployment.product": "dataset", "deployment.region": "Europe",
	"deployment.sector": "energy", "deployment.published": "2026-02-28", "deployment.model": "local", "deployment.releases": "many",
	"deployment.data": "dynamic", "deployment.access": "interactive", "deployment.unprotected": "state totals", "deployment.others": "a yearly table",
	"deployment.sources": "https://example.org", "deployment.authors": "A; B",
	"deployment.domain": "whole numbers", "deployment.actors": "the bureau", "deployment.model_details": "a", "deployment.releases_details": "b", "deployment.data_details": "c",
	"deployment.access_details": "d", "deployment.post_processing": "rounded", "deployment.preprocessing": "clipped", "deployment.justification": "a pilot", "deployment.notes": "e",
	"label": "y", "count": "7", "sampling.rate": "0.25", "disabled": "true", "also": "{add-remove: 0.5}", "moves": "never",
	"budget.tpr": "0.05", "budget.fpr": "0.01", "budget.reconstruction": "0.2", "budget.prior": "0.1",
}

// companions are the fields without which another is refused.
var companions = map[string]string{
	"budget.tpr": "budget.fpr", "budget.fpr": "budget.tpr", "budget.reconstruction": "budget.prior", "budget.prior": "budget.reconstruction",
	"claim.delta": "claim.epsilon", "claim.by": "claim.epsilon", "claim.text": "claim.epsilon",
}

// sampleOf returns a value to try a field with.
func sampleOf(path string, p param.Param) string {
	if sample := samples[path]; sample != "" || !p.Type.Numeric() {
		return sample
	}
	return numeral.Format(p.Initial.Number)
}

// TestTable follows every row through all that reads the tables: a new one is set,
// checked, written, read back, told apart and listed as a difference.
func TestTable(t *testing.T) {
	base := mustParse(t, "version: 1\nstack:\n  - {mechanism: rdp, points: {2: 0.1}} # kept\n  - parallel: [[{mechanism: pure, epsilon: 1}]] # kept\n")
	tried := 0
	try := func(path, sample string, aside, listed bool) {
		tried++
		base := base.Clone()
		if companion := companions[path]; companion != "" {
			if err := base.Set(companion, samples[companion]); err != nil {
				t.Fatal(err)
			}
		}
		s := base.Clone()
		if err := s.Set(path, sample); err != nil {
			t.Errorf("%s=%s: %v", path, sample, err)
			return
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s=%s: %v", path, sample, err)
		}
		if s.Equal(base) {
			t.Errorf("%s=%s makes no difference", path, sample)
		}
		if n := len(Changes(base, s)); n != 1 && (!aside || listed) {
			t.Errorf("%s=%s is %d changes: %v", path, sample, n, Changes(base, s))
		}
		if same := guaranteeOf(t, base) == guaranteeOf(t, s); same != aside {
			t.Errorf("%s=%s: the guarantee is the same: %t; the row says %t", path, sample, same, aside)
		}
		text, err := s.Marshal()
		if err != nil {
			t.Fatalf("%s=%s: %v", path, sample, err)
		}
		if back := mustParse(t, string(text)); !back.Equal(s) {
			t.Errorf("%s=%s reads back as %+v\n%s", path, sample, back, text)
		}
	}
	for _, f := range scenarioTable().Leaves {
		if point, answer := strings.CutPrefix(f.Path, "answers."); answer {
			rule, _ := AnswerRuleOf(ReviewPoint(point))
			if len(rule.Settles) > 0 {
				try(f.Path, rule.Settles[0]+", as agreed", f.Aside, f.Listed)
				continue
			}
			if err := base.Clone().Set(f.Path, "yes"); err == nil {
				t.Errorf("%s is answered in words", f.Path)
			}
			continue
		}
		if f.Single(base) {
			try(f.Path, sampleOf(f.Path, f.Param), f.Aside, f.Listed)
		}
	}
	for i, at := range []string{"1.", "2.", "2.1.1."} {
		e := []*Entry{&base.Stack[0], &base.Stack[1], &base.Stack[1].Parallel[0][0]}[i]
		for _, f := range e.table().Leaves {
			// the catalogue's suites try these
			if _, ours := f.At(e).(entryParam); f.Single(e) && !ours && f.Name != "mechanism" {
				try(at+f.Path, sampleOf(f.Path, f.Param), f.Aside, f.Listed)
			}
		}
	}
	if tried < len(samples) {
		t.Errorf("%d fields tried, %d have a sample", tried, len(samples))
	}
}

// guaranteeOf returns what the guarantee of a scenario depends on, as a certificate hashes it.
func guaranteeOf(t *testing.T, s *Scenario) string {
	t.Helper()
	text, err := s.GuaranteeJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGuaranteeOfLists follows the fields that no line of text sets: what is expected and the scores of candidates are
// aside, every parameter of a mechanism and every entry counts.
func TestGuaranteeOfLists(t *testing.T) {
	const base = "version: 1\nstack: [{mechanism: exponential, epsilon: 1, candidates: {a: 1, b: 2}}, {mechanism: rdp, points: {2: 0.1}}]\n"
	want := guaranteeOf(t, mustParse(t, base))
	for _, c := range []struct {
		from, to string
		same     bool
	}{
		{"stack:", "expect: [{method: basic, epsilon: 1}]\nstack:", true},
		{"b: 2", "b: 3", true},
		{"b: 2", "b: 2, c: 3", false},
		{"epsilon: 1", "epsilon: 2", false},
		{"2: 0.1", "2: 0.2", false},
		{"2: 0.1", "3: 0.1", false},
		{"}}]", "}}, {mechanism: pure, epsilon: 1}]", false},
		{"}}]", "}}, {parallel: [[{mechanism: pure, epsilon: 1}]]}]", false},
	} {
		if got := guaranteeOf(t, mustParse(t, strings.Replace(base, c.from, c.to, 1))); (got == want) != c.same {
			t.Errorf("%s instead of %s: the same: %t\n%s", c.to, c.from, got == want, got)
		}
	}
}
