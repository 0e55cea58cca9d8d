package lectures

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// The closed forms stand below the answers of the theorems, and are a member of their JSON.
func TestCorollarySheet(t *testing.T) {
	ctx, ev := context.Background(), plan.New()
	s, err := scenarios.LoadBundled("bob-10000")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ev.All(ctx, s, plan.Request{Solve: "epsilon"})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Corollaries(ctx, ev, s)
	if err != nil {
		t.Fatal(err)
	}
	answers := sheet.Plans(s, s.Budget, all)
	answers.Append("corollaries", table.Sheet())
	for format, wants := range map[string][]string{
		"table":    {"1/1600", "1/800", "1/812.4", "1/806.3", "over by 1.5 %", "1.016", "safe after all, by optimal: 0.8917", "★", "49 %"},
		"markdown": {"1/812.4"},
		"csv":      {"method"},
		"json":     {`"solve": "epsilon"`, `"corollaries": [`, `"formula":`},
	} {
		var b strings.Builder
		if err := answers.Write(&b, format); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\r") || strings.Contains(b.String(), "NaN") {
			t.Errorf("as %s:\n%s", format, b.String())
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("as %s it lacks %q:\n%s", format, want, b.String())
			}
		}
	}
}
