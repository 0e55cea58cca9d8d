package oracle_test

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Attacks that once got through.
func TestFoundAttacks(t *testing.T) {
	answer := func(e, k float64) view { return viewOf(oracle.Response(e, k)) }
	noise := oracle.Gaussian(2, 400, 1)
	step := viewOf(noise.With(1, 0.05), noise.Mass(0))
	geometric := oracle.Geometric(1.3877156, 1, 1)
	for _, c := range []struct {
		name, text string
		seen       view
	}{
		{"one record in each of two branches tells more than both in either", `version: 1
group: 2
budget: {delta: 0.7504}
stack:
  - parallel:
      - [{mechanism: geometric, epsilon: 1.3877156}]
      - [{mechanism: randomized-response, epsilon: 5.31473, categories: 1000, count: 3}]
`, both(viewOf(geometric.Mass(1), geometric.Mass(0)), answer(5.31473, 1000).power(3))},
		{"a record leaves the sampled branch of both blocks, which list it first and last", `version: 1
adjacency: replace
budget: {delta: 1e-3}
stack:
  - parallel:
      - [{mechanism: dp-sgd, noise_multiplier: 0.5, sampling_rate: 0.05, steps: 1}]
      - [{mechanism: pure, epsilon: 2}]
  - parallel:
      - [{mechanism: pure, epsilon: 2}]
      - [{mechanism: dp-sgd, noise_multiplier: 0.5, sampling_rate: 0.05, steps: 1}]
`, both(step, answer(2, 2)).power(2)},
	} {
		r, err := scenarios.Evaluate(t.Context(), vouching(t, c.text), scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := r.Bounds[len(r.Bounds)-1]
		if d := attacked(c.seen, b.Epsilon); b.Method != accounting.Numerical || d > b.Delta || math.IsNaN(d) {
			t.Errorf("%s: %s says ε = %g at δ = %g, an attack reaches δ = %g", c.name, b.Method, b.Epsilon, b.Delta, d)
		}
	}
}

// vouching returns a scenario whose numbers in branches bound absence too.
func vouching(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("found.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range s.Stack {
		for _, branch := range block.Parallel {
			for i := range branch {
				branch[i].Also.AddRemove = s.Adjacency == mechanisms.Replace
			}
		}
	}
	return s
}

// The maximum of two nearly equal curves lost 1e-10 of δ between their largest losses,
// 1e-8 apart.
func TestFoundBetweenLargestLosses(t *testing.T) {
	text := `version: 1
adjacency: replace
budget: {delta: 0.3741387379309872}
stack:
  - parallel:
      - [{mechanism: geometric, epsilon: 1.0000073612007232, sampling: {rate: 2.0738288076105986e-08}}]
      - [{mechanism: pure, epsilon: 0.9995108123493921, count: 9}]
`
	r, err := scenarios.Evaluate(t.Context(), vouching(t, text), scenarios.Options{Precision: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	b := r.Bounds[len(r.Bounds)-1]
	if d := oracle.PureDelta(0.9995108123493921, 0, 9, b.Epsilon); d > b.Delta {
		t.Errorf("ε = %.15g at δ = %.15g, nine answers alone have δ = %.15g", b.Epsilon, b.Delta, d)
	}
}
