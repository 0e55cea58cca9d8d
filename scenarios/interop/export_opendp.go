package interop

import (
	"encoding/json"
	"fmt"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// maxCopies bounds how often a measurement is written out: OpenDP's composition is
// a list without counts.
const maxCopies = 10_000

// writeOpenDP writes a serialized composition of noise measurements, at
// sensitivity 1 after scaling.
func writeOpenDP(s *scenarios.Scenario) ([]byte, error) {
	var list []any
	var refused []string
	total := 0.0
	for i, e := range s.Stack {
		if e.Disabled {
			continue
		}
		call, ok := openDPCall(s, e)
		if !ok {
			refused = append(refused, fmt.Sprintf("entry %d: %s", i+1, entryName(e)))
			continue
		}
		if total += e.Count * s.Rounds; total > maxCopies {
			return nil, fmt.Errorf("OpenDP writes every release out; more than %d are too many", maxCopies)
		}
		for range int(e.Count * s.Rounds) {
			list = append(list, call)
		}
	}
	if err := refusal("OpenDP's noise measurements cover only part of the stack", refused); err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(odp("make_composition", "combinators", map[string]any{"measurements": list}), "", " ")
	return append(out, '\n'), err
}

func odp(function, module string, kwargs map[string]any) map[string]any {
	return map[string]any{"__function__": function, "__module__": module, "__kwargs__": kwargs}
}

// openDPCall is one release as a constructor call.
func openDPCall(s *scenarios.Scenario, e scenarios.Entry) (any, bool) {
	if e.Sampling != 1 && e.Sampling != 0 {
		return nil, false
	}
	m, err := mechanism(s, e)
	if err != nil || m == nil {
		return nil, false
	}
	noise := func(function, t string, scale float64) (any, bool) {
		return odp(function, "measurements", map[string]any{
			"input_domain": odp("atom_domain", "domains", map[string]any{"T": t, "nan": false}),
			"input_metric": odp("absolute_distance", "metrics", map[string]any{"T": t}),
			"scale":        scale,
		}), true
	}
	switch m := m.(type) {
	case mechanisms.Laplace:
		return noise("make_laplace", "f64", 1/m.Epsilon)
	case mechanisms.Gaussian:
		return noise("make_gaussian", "f64", 1/m.Mu())
	case mechanisms.Geometric:
		if m.Sensitivity != 1 {
			return nil, false // scaling would leave the integers
		}
		return noise("make_laplace", "i64", m.Scale())
	case mechanisms.DiscreteGaussian:
		if m.Sensitivity != 1 {
			return nil, false
		}
		return noise("make_gaussian", "i64", m.Sigma)
	case mechanisms.RandomizedResponse:
		if m.Categories != 2 {
			return nil, false
		}
		return odp("make_randomized_response_bool", "measurements", map[string]any{"prob": m.Truth()}), true
	}
	return nil, false
}
