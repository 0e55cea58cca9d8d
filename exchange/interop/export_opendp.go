package interop

import (
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

const (
	// maxCopies bounds how often a measurement is written out: OpenDP's composition is
	// a list without counts.
	maxCopies = 10_000
	// odpVersion is the OpenDP that exports are written for.
	odpVersion = "0.14.0"
)

// writeOpenDP writes serialized noise measurements, at sensitivity 1 after scaling.
// OpenDP composes only what has one domain and one measure, so the record is a list
// of compositions, one for each kind of noise; of only one kind, it is that one.
func writeOpenDP(s *scenarios.Scenario, x *export) []byte {
	x.why = "OpenDP's noise measurements cover only part of the stack"
	x.remarkOmissions(s, "a serialized measurement")
	var kinds []string
	calls := map[string][]any{}
	total := 0.0
	for i, e := range s.Stack {
		kind, call := openDPCall(e, x.mechanism(e))
		if call == nil {
			x.refuse(i, e)
			continue
		}
		if total += e.Count * s.Rounds; total > maxCopies {
			x.why, x.refused = "OpenDP writes every release out", []string{"more than 10,000 releases"}
			return nil
		}
		if calls[kind] == nil {
			kinds = append(kinds, kind)
		}
		for range int(e.Count * s.Rounds) {
			calls[kind] = append(calls[kind], call)
		}
	}
	var list []any
	for _, kind := range kinds {
		composition := odp("make_composition", "combinators", map[string]any{"measurements": calls[kind]})
		composition["adjacency"] = s.Adjacency
		list = append(list, composition)
	}
	if len(list) == 1 {
		return x.json(list[0])
	}
	x.remark("OpenDP does not compose different kinds of noise: the record is a list of %d compositions", len(list))
	return x.json(list)
}

func odp(function, module string, kwargs map[string]any) map[string]any {
	return map[string]any{"__function__": function, "__module__": module, "__kwargs__": kwargs, "__version__": odpVersion}
}

// openDPCall returns one release as a constructor call, nil if there is none.
func openDPCall(e scenarios.Entry, m mechanisms.Mechanism) (kind string, call any) {
	if e.Sampling != 1 {
		return "", nil
	}
	noise := func(function, t string, scale float64) (string, any) {
		return function + t, odp(function, "measurements", map[string]any{
			"input_domain": odp("atom_domain", "domains", map[string]any{"T": t, "nan": false}),
			"input_metric": odp("absolute_distance", "metrics", map[string]any{"T": t}),
			"scale":        scale,
		})
	}
	switch m := m.(type) {
	case mechanisms.Laplace:
		return noise("make_laplace", "f64", 1/m.Epsilon)
	case mechanisms.Gaussian:
		return noise("make_gaussian", "f64", 1/m.Mu())
	case mechanisms.Geometric:
		if m.Sensitivity == 1 { // scaling would leave the integers
			return noise("make_laplace", "i64", m.Scale())
		}
	case mechanisms.DiscreteGaussian:
		if m.Sensitivity == 1 {
			return noise("make_gaussian", "i64", m.Sigma)
		}
	case mechanisms.RandomizedResponse:
		if prob := leastTruth(m.Epsilon); m.Categories == 2 && prob < 1 {
			return "response", odp("make_randomized_response_bool", "measurements", map[string]any{"prob": prob})
		}
	}
	return "", nil
}

// leastTruth returns the smallest p, up to a few units in the last place, with ln(p/(1−p)) ≥ ε. A p rounded
// down would state a smaller ε than the release has. It is 1, which has ε = ∞, if no smaller p suffices.
func leastTruth(epsilon float64) float64 {
	p := 1 / (1 + math.Exp(-epsilon))
	for p < 1 && math.Log(p/(1-p)) < epsilon*(1+1e-15) {
		p = math.Nextafter(p, 1)
	}
	return p
}
