package report_test

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// TestStatementsNameTheConversion reads the statements of deployments that report a ρ: they once named basic
// composition, where nothing is composed, and opened with an advantage of at most 1.
func TestStatementsNameTheConversion(t *testing.T) {
	for _, name := range []string{"census-dhc", "census-dhc-housing", "census-detailed-dhc", "gboard-es", "meta-urls", "wikimedia-pageviews"} {
		st, r := stated(t, name)
		if r.BestBound().Method != "zcdp" || !strings.Contains(st.Paragraph, "[CanonneKS20]") {
			t.Errorf("%s by %s: %s", name, r.BestBound().Method, st.Paragraph)
		}
	}
}

// TestStatementsOpenWithWhatLimits finds no statement with a harm of 1: those open with the guarantee.
func TestStatementsOpenWithWhatLimits(t *testing.T) {
	for _, name := range []string{"pricing-machan", "apple-emoji", "census-detailed-dhc", "census-dhc-housing", "census-dhc", "linkedin-engagement", "msft-telemetry"} {
		st, _ := stated(t, name)
		if strings.Contains(st.Paragraph, "1.000") || !strings.HasPrefix(st.Paragraph, "The releases of ") {
			t.Errorf("%s: %s", name, st.Paragraph)
		}
	}
}

func stated(t *testing.T, name string) (*report.Statement, *scenarios.Result) {
	t.Helper()
	s, err := scenarios.LoadBundled(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := report.NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	return st, r
}
