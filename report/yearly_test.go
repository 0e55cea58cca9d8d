package report

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

func evaluated(t *testing.T, name string) (*scenarios.Scenario, *scenarios.Result) {
	t.Helper()
	s, err := scenarios.LoadBundled(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

// A year is composed by the theorems, with its δ, one round per span: it was the whole ε times the
// spans of a year, so that 1,460 rounds of six hours were counted 1,460 times.
func TestYearIsComposedOnce(t *testing.T) {
	for _, c := range []struct {
		name        string
		rounds      float64
		most        float64 // basic composition of what was published
		round, unit string  // what the paragraph says of one round
		delta       float64
	}{
		// 4 × 365 × 1.672 (Ding, Kulkarni & Yekhanin 2017); 365 × 4 (Apple); 365 days at ρ = 0.015 (Adeleye et al.
		// 2023).
		{"msft-telemetry", 1460, 2441.12, "ε = 1.672 (pure, δ = 0)", "one user-6h", 1e-6},
		{"apple-emoji", 365, 1460, "ε = 4.000 (pure, δ = 0)", "one user-day", 1e-6},
		{"wikimedia-pageviews", 365, 365 * 0.8546, "", "one device-day", 1e-7},
	} {
		s, r := evaluated(t, c.name)
		y, err := newYearly(context.Background(), s, r)
		if err != nil || y == nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if y.Rounds != c.rounds || !(y.Bound.Epsilon <= c.most*(1+1e-12)) || y.Bound.Delta > c.delta ||
			y.Bound.Delta == 0 && y.Bound.Epsilon < c.most*(1-1e-12) {
			t.Errorf("%s: ε = %v at δ = %v over %v rounds", c.name, y.Bound.Epsilon, y.Bound.Delta, y.Rounds)
		}
		if text := y.Text(); y.Bound.Delta > 0 && !strings.Contains(text, "δ = "+FormatGiven(y.Bound.Delta)) {
			t.Errorf("%s: the year has no δ: %s", c.name, text)
		}
		year := s.Clone()
		year.Rounds = c.rounds
		again, err := scenarios.Evaluate(context.Background(), year, scenarios.Options{ClosedFormsOnly: true})
		if err != nil || again.BestBound().Epsilon != y.Bound.Epsilon {
			t.Errorf("%s: compare says %v, %v", c.name, again.BestBound().Epsilon, err)
		}
		st, err := NewStatement(context.Background(), s, r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(st.Paragraph, "for "+c.unit) {
			t.Errorf("%s: no unit: %s", c.name, st.Paragraph)
		}
		// The published ε is that of one span; the whole is no guarantee for one alone.
		if c.round != "" && !strings.Contains(st.Paragraph, "One round alone satisfies ε-differential privacy with "+c.round+" for "+c.unit+".") {
			t.Errorf("%s: one round is not named: %s", c.name, st.Paragraph)
		}
		if c.round != "" && !strings.Contains(st.Paragraph, c.unit+" in each of ") {
			t.Errorf("%s: the whole is claimed for one span: %s", c.name, st.Paragraph)
		}
	}
}

// (0.5, 0) is more than (0.5, 1e-6): a pure bound that reads the same is quoted, unless it would
// miss the budget that the other meets.
func TestPureBoundsAreQuoted(t *testing.T) {
	quoted := 0
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil || r.Best < 0 {
			continue
		}
		best := r.BestBound()
		for _, b := range r.Bounds {
			if b.Status != accounting.Valid || b.Delta != 0 || Upper(b.Epsilon) != Upper(best.Epsilon) {
				continue
			}
			if best.Delta > 0 && (b.Fits(r.Target.Epsilon) || !best.Fits(r.Target.Epsilon)) {
				t.Errorf("%s: quotes %v at δ = %v by %s, and %s has %v at δ = 0", info.Name, best.Epsilon, best.Delta, best.Method, b.Method, b.Epsilon)
			}
			if smallest := r.Bounds[accounting.Best(r.Bounds)]; smallest.Delta > 0 {
				quoted++
				break
			}
		}
	}
	if quoted < 5 {
		t.Errorf("only %d bundled scenarios show the case", quoted)
	}
}

// A budget is quoted with every digit that was typed, not rounded.
func TestBudgetsAreQuotedAsTyped(t *testing.T) {
	for _, budget := range []float64{1.23456789, 0.123456789012, 3} {
		s, err := scenarios.Parse("f.yaml", []byte("version: 1\nunit: person\nbudget: {epsilon: "+numeral.Format(budget)+", delta: 1e-6}\nstack: [{mechanism: pure, epsilon: 0.1}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if st, err := NewStatement(context.Background(), s, r); err != nil ||
			!strings.Contains(st.Paragraph, "budget ε = "+numeral.Format(budget)+".") {
			t.Errorf("%v: %v, %s", budget, err, st.Paragraph)
		}
	}
}

// The error of a sum is in units of what is summed: it is no number of people.
func TestErrorOfASumIsNoNumberOfPeople(t *testing.T) {
	for stack, share := range map[string]bool{
		"{mechanism: laplace, epsilon: 1, label: people over 60}":             false,
		"{mechanism: laplace, epsilon: 1, sensitivity: 100, label: hours}":    true,
		"{mechanism: gaussian, sigma: 5, label: sum of incomes in thousands}": true,
	} {
		row := accuracyOf(t, "records: 10000\nstack: ["+stack+"]")[0]
		if none := row.Share == 0 && row.Sampling == 0; none != share || row.Reason != "" {
			t.Errorf("%s: %v of n, sampling %v, %s", stack, row.Share, row.Sampling, row.Reason)
		}
	}
}
