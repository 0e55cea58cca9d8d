package cli

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/report/sheet"
)

// header returns the first line of a command's CSV.
func header(t *testing.T, args string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Main(append(strings.Fields(args), "-o", "csv"), strings.NewReader(""), &out, &errs); status != 0 {
		t.Errorf("%s: status %d: %s", args, status, &errs)
		return nil
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Errorf("%s: %v", args, err)
		return nil
	}
	seen := map[string]bool{}
	for _, name := range rows[0] {
		if !sheet.IsIdentifier(name) {
			t.Errorf("%s: the column %q is no identifier", args, name)
		}
		if seen[name] {
			t.Errorf("%s: two columns are called %q", args, name)
		}
		seen[name] = true
	}
	return rows[0]
}

// Every column that a program reads is an identifier, and docs/tables.md says what it means.
func TestColumnsAreDocumented(t *testing.T) {
	text := page(t, "../docs/tables.md")
	for _, args := range []string{
		"compare hair-colour", "compare hair-colour laplace-count", "plan hair-colour --solve count", "plan hair-colour --solve count --all",
		"explain hair-colour", "proof", "proof advanced-composition", "statement hair-colour", "person hair-colour", "split adv-vs-basic-small --epsilon 1",
		"margin hair-colour", "validate testdata/tables.yaml", "scenarios list", "lectures", "lectures bassi", "lab", "lab composition",
		"exercise", "paths", "curve hair-colour epsilon-k --points 3", "curve hair-colour profile --points 3", "curve laplace-count renyi --points 3",
		"curve hair-colour tradeoff --points 3", "curve gaussian-zcdp noise --points 3", "curve hair-colour utility", "curve laplace-count loss --points 3",
		"curve hair-colour cumulative",
	} {
		for _, name := range header(t, args) {
			if _, theorem := accounting.TheoremOf(accounting.Method(name)); theorem {
				continue // a series named after a theorem has the theorem's name, as the page says
			}
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("%s: docs/tables.md does not say what %q is", args, name)
			}
		}
	}
}
