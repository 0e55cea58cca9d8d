package chart

import (
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

// The same attacker has the same chance on the chart of the two errors and for a person, and
// the pages that explain round one figure in one way.
func TestOneRounding(t *testing.T) {
	for _, name := range []string{"welcome", "gaussian-composition", "hair-colour"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := report.NewPerson(t.Context(), s, r)
		if err != nil {
			t.Fatal(err)
		}
		chart, err := Tradeoff.Build(t.Context(), s, Options{Numerical: true})
		if err != nil {
			t.Fatal(err)
		}
		if want := "at most " + report.Chance((1+p.Advantage)/2) + " of the time"; !strings.Contains(strings.Join(chart.Notes, " "), want) || !strings.Contains(strings.Join(p.Lines(), " "), want) {
			t.Errorf("%s: %q is not in %q and %q", name, want, chart.Notes, p.Lines())
		}
		var page strings.Builder
		if err := sheet.Explain(s, r, report.Explain(r)).Write(&page, "table"); err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Bounds {
			if b.Method == accounting.Numerical && b.Lower > 0 {
				for _, want := range []string{"ε lower = " + report.Lower(b.Lower), "ε upper = " + report.Upper(b.Epsilon), report.Lower(b.Lower) + " ≤ ε ≤ " + report.Upper(b.Epsilon)} {
					if !strings.Contains(page.String(), want) {
						t.Errorf("%s: the explanation lacks %q", name, want)
					}
				}
			}
		}
	}
}
