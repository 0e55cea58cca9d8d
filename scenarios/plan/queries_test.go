package plan

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

func TestQueriesLeft(t *testing.T) {
	s := mustParse(t, "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 0.125, count: 3}, {mechanism: pure, epsilon: 0.25, disabled: true}]\n")
	for _, c := range []struct {
		entry int
		want  float64
	}{{1, 5}, {2, 2}} {
		got, err := New().QueriesLeft(context.Background(), s, c.entry, accounting.Basic)
		if err != nil || got != c.want {
			t.Errorf("entry %d: %g, %v; want %g", c.entry, got, err, c.want)
		}
	}
	s.Budget.Epsilon = 0.3
	if got, err := New().QueriesLeft(context.Background(), s, 1, ""); got != 0 || err != nil {
		t.Errorf("over budget: %g, %v", got, err)
	}
	s.Budget.Epsilon = 1e300 // more than a count may be fit
	if got, err := New().QueriesLeft(context.Background(), s, 1, ""); got != 1e12-3 || err != nil {
		t.Errorf("as many as may be: %g, %v", got, err)
	}
	// 1e12 of these cost nothing that δ does not pay for, and 1e16 of them would.
	s = mustParse(t, "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: pure, epsilon: 1e-12}]\n")
	if got, err := New().QueriesLeft(context.Background(), s, 1, ""); got != 1e12-1 || err != nil {
		t.Errorf("a small ε: %g, %v", got, err)
	}
	s = mustParse(t, "version: 1\nbudget: {epsilon: 1}\nstack: [{mechanism: approximate, epsilon: 0, delta: 0}]\n")
	if got, err := New().QueriesLeft(context.Background(), s, 1, ""); !math.IsInf(got, 1) || err != nil {
		t.Errorf("for nothing: %g, %v", got, err)
	}
	if _, err := New().QueriesLeft(context.Background(), scenarios.New(), 1, ""); err == nil {
		t.Error("there is no budget")
	}
}

// Where the search for the numerical count begins is a matter of time alone: from the
// entry's own count it ends at the same figure, in every bundled scenario, or every fifth.
func TestStartChangesNoCount(t *testing.T) {
	ev := New()
	ctx := ev.Context(context.Background())
	asked := 0
	for _, info := range gauge.Some(9, scenarios.LibraryInfos()) {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Budget.Epsilon == 0 || len(s.Stack) == 0 || s.Stack[0].Disabled {
			continue
		}
		got, err := ev.QueriesLeft(ctx, s, 1, accounting.Numerical)
		if err != nil {
			continue // no numerical bound
		}
		u, err := newUnknown(s, Request{Solve: "count", Entry: 1})
		if err != nil {
			t.Fatal(err)
		}
		p := &search{scenario: s, target: targetOf(s), unknown: u, method: accounting.Numerical}
		plain, _, err := p.find(ctx, u.start, false) // not from [search.start]
		if want := math.Max(0, plain.value-u.start); err != nil || !math.IsInf(got, 1) && got != want {
			t.Errorf("%s: %g, from its own count %g, %v", info.Name, got, want, err)
		}
		asked++
	}
	if asked < gauge.Cases(5, 40) {
		t.Errorf("only %d scenarios were asked", asked)
	}
}

func BenchmarkQueriesLeft(b *testing.B) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		b.Fatal(err)
	}
	ev := New()
	for b.Loop() {
		if _, err := ev.QueriesLeft(context.Background(), s, 1, accounting.RDP); err != nil {
			b.Fatal(err)
		}
	}
}

// A thousand different entries by the numerical accountant.
func BenchmarkQueriesLeftOfThousand(b *testing.B) {
	var text strings.Builder
	text.WriteString("version: 1\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "  - {mechanism: laplace, epsilon: %g}\n", 0.01+1e-5*float64(i))
	}
	s := mustParse(b, text.String())
	for b.Loop() {
		if _, err := New().QueriesLeft(context.Background(), s, 1, accounting.Numerical); err != nil {
			b.Fatal(err)
		}
	}
}
