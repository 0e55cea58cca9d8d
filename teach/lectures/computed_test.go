package lectures_test

import (
	"context"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/teach/lectures"
)

// A statement counts as computed by a scenario or a screen only if a bound of the scenario is named: one that is valid
// there, and that the scenario's own expectations, from a source of their own, pin down. A remark without a value is
// told.
func TestComputedStatementsHaveAValue(t *testing.T) {
	count := map[string]int{}
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			for _, x := range topic.Statements {
				count[x.Treatment()]++
				if x.Method == "" {
					continue
				}
				name := topic.Scenario()
				switch x.See.Kind() {
				case "scenario":
					name = x.See.Name()
				case "screen":
				default:
					t.Errorf("%s: %q links to %s, which needs no method", topic.Slides, x.Says, x.See)
				}
				s, err := scenarios.LoadBundled(name)
				if err != nil {
					t.Fatal(err)
				}
				expected := false
				for _, e := range s.Expect {
					expected = expected || e.Method == accounting.Method(x.Method)
				}
				r, err := scenarios.Evaluate(context.Background(), s,
					scenarios.Options{ClosedFormsOnly: x.Method != "numerical"})
				if err != nil {
					t.Fatal(err)
				}
				b, ok := r.Bound(accounting.Method(x.Method))
				if !ok || !b.Finite() || !expected {
					t.Errorf("%s: %q is said to be computed in %s by %s: %v, expected there %t", topic.Slides, x.Says, name, x.Method, b, expected)
				}
				if got := numeral.Upper(b.Epsilon); got != numeral.Upper(x.Value) {
					t.Errorf("%s: %q is ε = %s in %s by %s, and the index says %v", topic.Slides, x.Says, got, name, x.Method, x.Value)
				}
			}
		}
	}
	if count["computed"] < 90 || count["described"] < 80 {
		t.Errorf("%v", count)
	}
	t.Log(count)
}

// A deck's own examples are under its neighbours. Bellet and Bassi write ‖D − D′‖₁ ≤ 1; Machanavajjhala changes one
// entry; Park's survey differs in one coordinate and his training sets in one example.
func TestExamplesAreUnderTheNeighboursOfTheirDeck(t *testing.T) {
	for adjacency, names := range map[mechanisms.Adjacency][]string{
		mechanisms.AddRemove: {"hair-colour", "pricing-bellet", "smokers-differencing", "bob-10000", "many-general-counts", "noisy-max", "sparse-pure"},
		mechanisms.Replace:   {"nationality", "pricing-machan", "laplace-vs-em", "median-toy", "correlated-queries", "histogram-adjacency", "coin-survey", "erm-logistic", "erm-objective"},
	} {
		for _, name := range names {
			if s, err := scenarios.LoadBundled(name); err != nil || s.Adjacency != adjacency || s.Unit == "" {
				t.Errorf("%s: %v, adjacency %s, unit %q, want %s", name, err, s.Adjacency, s.Unit, adjacency)
			}
		}
	}
}
