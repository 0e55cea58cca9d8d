package chart

import (
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// The same attacker has the same chance on the chart of the two errors and for a person, and
// the pages that explain round one figure in one way.
func TestOneRounding(t *testing.T) {
	for _, name := range gauge.Some(2, []string{"gaussian-composition", "welcome", "hair-colour"}) {
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
		if want := "at most " + report.Chance((1+p.Advantage)/2) +
			" of the time"; !strings.Contains(strings.Join(chart.Notes, " "), want) ||
			!strings.Contains(strings.Join(p.HarmLines(), " "), want) {
			t.Errorf("%s: %q is not in %q and %q", name, want, chart.Notes, p.HarmLines())
		}
		var page strings.Builder
		if err := sheet.Explain(s, r, report.Explain(r)).Write(&page, "table"); err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Bounds {
			if b.Method == accounting.Numerical && b.Lower > 0 {
				for _, want := range []string{"ε lower = " + report.Lower(b.Lower), "ε upper = " +
					report.Upper(b.Epsilon), report.Lower(b.Lower) + " ≤ ε ≤ " + report.Upper(b.Epsilon)} {
					if !strings.Contains(page.String(), want) {
						t.Errorf("%s: the explanation lacks %q", name, want)
					}
				}
			}
		}
	}
}

// What stands beside a claim is rounded to the side on which the claim stays true, or not at all.
func TestRoundingBesideClaims(t *testing.T) {
	parse := func(text string) *scenarios.Scenario {
		s, err := scenarios.Parse("f.yaml", []byte("version: 1\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	written := func(s *sheet.Sheet) string {
		var page strings.Builder
		if err := s.Write(&page, "table"); err != nil {
			t.Fatal(err)
		}
		return page.String()
	}
	build := func(k Kind, s *scenarios.Scenario) Chart {
		c, err := k.Build(t.Context(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	pure := parse("budget: {epsilon: 1.0004, delta: 1.0004e-6}\nstack: [{mechanism: laplace, scale: 0.810103}]") // ε = 1.23441…
	r, err := scenarios.Evaluate(t.Context(), pure, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	choice := parse("budget: {delta: 1e-6}\nstack: [{mechanism: exponential, epsilon: 1, sensitivity: 1, scores: [8, 4, 4]}]")
	for _, c := range []struct{ what, text, want, not string }{
		{"an explanation", written(sheet.Explain(pure, r, report.Explain(r))), "Σε = 1.235", "Σε = 1.234 "},
		{"the ladder", written(build(EpsilonK, pure).Sheet()), "budget 1.0004", "budget 1\n"},
		{"the profile", written(build(Profile, pure).Sheet()), "δ = 1.0004e-6", "δ = 1e-6"},
		{"the noise", written(build(Noise, pure).Sheet()), "at most e^1.235 = 3.437 times", "e^1.234 "},
		{"a choice", written(build(Utility, choice).Sheet()), "at most 0.4061 by the theorem", "at most 0.4060"}, // 3·e^−2 = 0.406005…
	} {
		if !strings.Contains(c.text, c.want) || strings.Contains(c.text, c.not) {
			t.Errorf("%s lacks %q or has %q:\n%s", c.what, c.want, c.not, c.text)
		}
	}
	misses := Chart{Y: build(Tradeoff, pure).Y, Series: []Series{{X: []float64{0.1}, Y: []float64{0.123456}}}}
	if text := written(misses.Sheet()); !strings.Contains(text, "0.1234") {
		t.Errorf("an attacker's misses are rounded up:\n%s", text)
	}
}
