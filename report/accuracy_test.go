package report

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

func accuracyOf(t *testing.T, text string) []AccuracyRow {
	t.Helper()
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\n"+text+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return AccuracyOf(s)
}

// The error of an estimate is that of those who were asked: a hundredth of the people are
// as many reports as in a hundredth of the data, and a branch has nobody knows how many.
func TestAccuracyCountsThoseWhoAreAsked(t *testing.T) {
	const response = "mechanism: randomized-response, epsilon: 1"
	some := accuracyOf(t, "records: 1000000\nstack: [{"+response+", sampling: {rate: 0.01}}]")[0]
	few := accuracyOf(t, "records: 10000\nstack: [{"+response+"}]")[0]
	if some.Reason != "" || some.Accuracy.Each != few.Accuracy.Each {
		t.Errorf("±%v of a sample of 10000, ±%v of 10000: %s", some.Accuracy.Each, few.Accuracy.Each, some.Reason)
	}
	for _, row := range accuracyOf(t, "records: 10000\nadjacency: replace\nstack: [{moves: never, parallel: [[{"+response+"}], [{mechanism: laplace, epsilon: 1}]]}]") {
		if row.Share != 0 || row.Sampling != 0 || strings.HasPrefix(row.What, "Random") && row.Reason == "" {
			t.Errorf("entry %s is compared with all records: %+v", row.Entry, row)
		}
	}
}

// What a statement counts is what the theorems' K says beside it.
func TestStatementCountsWhatIsComposed(t *testing.T) {
	for stack, want := range map[string]string{
		"[{mechanism: sparse-vector, epsilon: 1, positives: 5, queries: 100}]":                                        "one release, which counts as 5",
		"[{mechanism: above-threshold, epsilon: 1, queries: 9}]":                                                      "one release",
		"[{mechanism: sparse-vector, epsilon: 1, positives: 2, queries: 9, count: 2}, {mechanism: pure, epsilon: 1}]": "3 releases in 2 entries, which count as 5, composed sequentially and adaptively",
	} {
		s, err := scenarios.Parse("f.yaml", []byte("version: 1\nstack: "+stack+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := compositionFact(s); got != want {
			t.Errorf("%s: %q, want %q", stack, got, want)
		}
	}
}

// What is said of a δ, a budget, a prior or a group holds for the number that is printed.
func TestStatedNumbersAreTheOnesThatHold(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{{1e-6, "1e-6"}, {1.0004e-6, "1.0004e-6"}, {1.0 / 30_000, "3.334e-5"}, {1.0004, "1.0004"}, {1.0 / 3, "0.3334"}, {14062, "14062"},
		{math.NaN(), "–"}, {math.Inf(1), "∞"}} {
		if got := FormatGiven(c.x); got != c.want {
			t.Errorf("%v is stated as %s, want %s", c.x, got, c.want)
		}
	}
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\ngroup: 1234567\nbudget: {epsilon: 1.0004, delta: 1.0004e-6}\nstack: [{mechanism: laplace, scale: 1234567}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	st, err := NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"up to 1234567 records", "fits the budget ε = 1.0004"} {
		if !strings.Contains(st.Paragraph, want) {
			t.Errorf("no %q in %s", want, st.Paragraph)
		}
	}
	p, err := NewPerson(context.Background(), s, r, 0.123)
	if err != nil || StatedPercent(p.Beliefs[0].Prior) != "12.3 %" {
		t.Errorf("a prior of 0.123 is written %s, %v", StatedPercent(0.123), err)
	}
}
