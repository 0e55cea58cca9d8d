package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// readOpenDP reads a serialized measurement: JSON of constructor calls. The noise
// measurements, chains and compositions are understood; the sensitivity is taken as
// 1, as a serialized measurement does not say for which d_in it will be used.
func readOpenDP(data []byte) (*Record, error) {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, jsonProblem(data, err)
	}
	rec := record("OpenDP")
	rec.noDelta()
	rec.remark("a serialized measurement does not say at which sensitivity it is used; 1 was taken")
	w := odpWalker{rec: rec}
	w.walk("measurement", v, 0)
	if w.err != nil {
		return nil, w.err
	}
	if len(rec.Scenario.Stack) == 0 {
		return nil, fmt.Errorf("no noise measurement found")
	}
	return rec, nil
}

type odpWalker struct {
	rec *Record
	err error
}

func (w *odpWalker) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// walk visits every call inside v, depth first.
func (w *odpWalker) walk(where string, v any, depth int) {
	if depth > maxDepth {
		w.fail("nested more than %d deep", maxDepth)
	}
	if w.err != nil {
		return
	}
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			w.walk(fmt.Sprintf("%s[%d]", where, i), x, depth+1)
		}
	case map[string]any:
		if items, ok := v["__tuple__"]; ok {
			w.walk(where, items, depth+1)
			return
		}
		name, ok := v["__function__"].(string)
		if !ok {
			return
		}
		kwargs, _ := v["__kwargs__"].(map[string]any)
		w.call(where, strings.TrimPrefix(strings.TrimPrefix(name, "make_"), "then_"), name, v, kwargs, depth)
	}
}

// call handles one constructor by its name without make_ or then_.
func (w *odpWalker) call(where, short, name string, v, kwargs map[string]any, depth int) {
	scale := func() float64 { return w.positiveArg(where, name, kwargs, "scale") }
	add := func(mechanism string, params map[string]float64) {
		if w.err == nil {
			w.rec.add(entry(mechanism, 1, params))
		}
	}
	switch short {
	case "laplace", "base_laplace", "geometric", "base_geometric", "discrete_laplace":
		mechanism := "laplace"
		if strings.Contains(short, "geometric") || strings.Contains(short, "discrete") || integerDomain(kwargs) {
			mechanism = "geometric"
		}
		add(mechanism, map[string]float64{"scale": scale()})
	case "gaussian", "base_gaussian":
		mechanism := "gaussian"
		if integerDomain(kwargs) {
			mechanism = "discrete-gaussian"
		}
		add(mechanism, map[string]float64{"sigma": scale()})
	case "base_discrete_gaussian":
		add("discrete-gaussian", map[string]float64{"sigma": scale()})
	case "randomized_response_bool":
		add("randomized-response", map[string]float64{"truth": w.positiveArg(where, name, kwargs, "prob")})
	case "randomized_response":
		k := float64(0)
		if c, ok := kwargs["categories"].([]any); ok {
			k = float64(len(c))
		}
		add("randomized-response", map[string]float64{"truth": w.positiveArg(where, name, kwargs, "prob"), "categories": k})
	case "noisy_max", "report_noisy_max_gumbel":
		e := entry("noisy-max", 1, map[string]float64{"epsilon": 2 / scale()})
		noise := "gumbel"
		if short == "noisy_max" && !strings.Contains(fmt.Sprint(kwargs["output_measure"]), "concentrated") {
			noise = "exponential" // under pure DP OpenDP draws exponential noise (permute and flip)
		}
		e.Values["noise"] = mechanisms.ChoiceValue(noise)
		if w.err == nil {
			w.rec.add(e)
		}
	case "composition", "basic_composition", "sequential_composition", "adaptive_composition", "chain_mt", "chain_tm", "chain_pm":
		for _, k := range sortedKeys(kwargs) {
			w.walk(where+"."+k, kwargs[k], depth+1)
		}
	default:
		if module, _ := v["__module__"].(string); module == "measurements" || module == "combinators" {
			w.fail("%s: %s spends privacy and has no counterpart in a scenario", where, name)
		}
	}
}

func (w *odpWalker) positiveArg(where, name string, kwargs map[string]any, key string) float64 {
	x, ok := kwargs[key].(float64)
	if !ok || !(x > 0) || math.IsInf(x, 0) {
		w.fail("%s: %s needs a number %s above 0", where, name, key)
	}
	return x
}

// integerDomain tells whether the noise is drawn on the integers.
func integerDomain(kwargs map[string]any) bool {
	text := fmt.Sprint(kwargs["input_domain"])
	for _, t := range []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "int"} {
		if strings.Contains(text, "T:"+t) || strings.Contains(text, "["+t+"]") || strings.Contains(text, ":"+t) {
			return true
		}
	}
	return false
}

func entryName(e scenarios.Entry) string {
	if e.Parallel != nil {
		return "a parallel block"
	}
	if e.Label != "" {
		return e.Mechanism + " (" + e.Label + ")"
	}
	return e.Mechanism
}
