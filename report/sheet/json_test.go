package sheet

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"epsiloscope/accounting"
	_ "epsiloscope/internal/gauge" // the seed of property tests
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/query"
	"epsiloscope/scenarios"
)

func TestJSON(t *testing.T) {
	var got map[string]any
	r := sample()
	r.Entries[1].Sensitivity = query.Derived{Value: 30, Norm: mechanisms.L2, Source: query.FromQuery}
	if err := json.Unmarshal(printed(t, "json", r), &got); err != nil {
		t.Fatal(err)
	}
	bound := func(method, status string, epsilon any, delta any, note string) map[string]any {
		return map[string]any{"method": method, "status": status, "epsilon": epsilon, "delta": delta, "note": note}
	}
	with := func(b map[string]any, key string, value float64) map[string]any { b[key] = value; return b }
	want := map[string]any{
		"scenario": map[string]any{"name": "City open data", "adjacency": "add-remove", "rounds": 1.0, "entries": 3.0},
		"target":   map[string]any{"epsilon": 6.0, "delta": 1e-6},
		"bounds": []any{
			bound("basic", "valid", 12.8712, 1e-6, "52 Gaussian releases share δ evenly"),
			bound("advanced", "valid", 8.0201, 1e-6, ""),
			bound("optimal", "not-applicable", nil, nil, "Gaussian noise has no pure ε"),
			with(bound("rdp", "valid", 5.62, 1e-6, ""), "alpha", 11.7),
			bound("rdp-pinned", "valid", 100.0, 1e-6, "the best order is α = ∞: the sum of the pure ε"),
			bound("zcdp", "vacuous", nil, 1e-6, "the sum of ρ is infinite"),
			bound("gdp", "approximate", 5.0647, 1e-6, "central limit, not a bound"),
			with(bound("numerical", "valid", 5.3107, 1e-6, ""), "epsilon_lower", 5.3061),
		},
		"best": map[string]any{"method": "numerical", "epsilon": 5.3107},
		"entries": []any{
			map[string]any{"index": 1.0, "mechanism": "laplace", "count": 100.0, "share": 0.64, "sensitivity": nil, "norm": nil, "sensitivity_from": nil},
			map[string]any{"index": 2.0, "mechanism": "gaussian", "count": 52.0, "share": 0.36, "sensitivity": 30.0, "norm": "l2", "sensitivity_from": "query"},
			map[string]any{"index": 3.0, "mechanism": "pure", "count": 1e12, "share": 0.0, "sensitivity": nil, "norm": nil, "sensitivity_from": nil},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONWithoutBudgetOrBest(t *testing.T) {
	r := sample()
	r.Target.Epsilon, r.Best = 0, -1
	var got struct {
		Target struct{ Epsilon *float64 }
		Best   *struct{}
	}
	if err := json.Unmarshal(printed(t, "json", r), &got); err != nil {
		t.Fatal(err)
	}
	if got.Target.Epsilon != nil || got.Best != nil {
		t.Errorf("a missing budget or best bound is not null: %+v", got)
	}
}

// Whatever a bound holds, the JSON parses: NaN and infinity have no place in it.
func TestJSONNeverHoldsNaN(t *testing.T) {
	odd := rapid.OneOf(rapid.Float64(), rapid.SampledFrom(
		[]float64{0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324}))
	rapid.Check(t, func(rt *rapid.T) {
		r := &scenarios.Result{Name: rapid.String().Draw(rt, "name"), Rounds: odd.Draw(rt, "rounds"), Best: -1}
		r.Target = accounting.Target{Epsilon: odd.Draw(rt, "ε"), Delta: odd.Draw(rt, "δ")}
		status := rapid.SampledFrom([]accounting.Status{accounting.Valid, accounting.Unproven,
			accounting.NotApplicable, accounting.Vacuous})
		for range rapid.IntRange(1, 4).Draw(rt, "bounds") {
			r.Bounds = append(r.Bounds, accounting.Bound{
				Method: rapid.SampledFrom([]accounting.Method{accounting.RDP, accounting.Numerical}).Draw(rt, "method"),
				Status: status.Draw(rt, "status"), Epsilon: odd.Draw(rt, "bound"), Lower: odd.Draw(rt, "lower"),
				Delta: odd.Draw(rt, "at"), Alpha: odd.Draw(rt, "α"), Note: rapid.String().Draw(rt, "note"),
			})
		}
		r.Best = rapid.IntRange(-1, len(r.Bounds)-1).Draw(rt, "best")
		r.Entries = []scenarios.EntryResult{{Count: odd.Draw(rt, "count"), Share: odd.Draw(rt, "share")}}
		if out := printed(t, "json", r); !json.Valid(out) {
			rt.Fatalf("not JSON: %s", out)
		}
	})
}
