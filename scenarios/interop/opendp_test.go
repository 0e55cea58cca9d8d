package interop

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"epsiloscope/mechanisms"
)

// The constructors of OpenDP 0.14.0 that exports call or imports take, by module, with
// their arguments; those with ? may be left out (tag v0.14.0: the extern "C" functions and
// the defaults declared beside them under rust/src).
var constructors = map[string]string{
	"combinators.make_approximate":               "measurement",
	"combinators.make_basic_composition":         "measurements",
	"combinators.make_chain_mt":                  "measurement1 transformation0",
	"combinators.make_chain_tt":                  "transformation1 transformation0",
	"combinators.make_composition":               "measurements",
	"combinators.make_pureDP_to_zCDP":            "measurement",
	"combinators.make_zCDP_to_approxDP":          "measurement",
	"domains.atom_domain":                        "bounds? nan? T?",
	"domains.vector_domain":                      "atom_domain size?",
	"measurements.make_gaussian":                 "input_domain input_metric scale k? MO?",
	"measurements.make_geometric":                "input_domain input_metric scale bounds? MO?",
	"measurements.make_laplace":                  "input_domain input_metric scale k? MO?",
	"measurements.make_noisy_max":                "input_domain input_metric output_measure scale negate?",
	"measurements.make_randomized_response":      "categories prob T?",
	"measurements.make_randomized_response_bool": "prob constant_time?",
	"measures.max_divergence":                    "",
	"measures.zero_concentrated_divergence":      "",
	"metrics.absolute_distance":                  "T",
	"metrics.l1_distance":                        "T",
	"metrics.l2_distance":                        "T",
	"metrics.linf_distance":                      "monotonic? T",
	"transformations.make_cast_default":          "input_domain input_metric TOA",
	"transformations.make_clamp":                 "input_domain input_metric bounds",
	"transformations.make_count":                 "input_domain input_metric TO?",
	"transformations.make_count_distinct":        "input_domain input_metric TO?",
	"transformations.make_impute_constant":       "input_domain input_metric constant",
	"transformations.make_select_column":         "key K? TOA",
}

// Every exported measurement calls constructors that its version has, with arguments that
// they take: OpenDP's own loader looks the function up in the module and calls it with
// __kwargs__ by name, and reads over all other keys.
func TestOpenDPExportsNameWhatThereIs(t *testing.T) {
	used := map[string]bool{}
	eachExport(t, "opendp", func(name string, _ mechanisms.Adjacency, out []byte) {
		var record any
		if err := json.Unmarshal(out, &record); err != nil {
			t.Fatal(err)
		}
		checkCalls(t, name, record, used)
	})
	for _, name := range []string{"combinators.make_composition", "measurements.make_laplace", "measurements.make_gaussian", "measurements.make_randomized_response_bool"} {
		if !used[name] {
			t.Errorf("no export calls %s", name)
		}
	}
	for name, takes := range stableTransformations {
		for _, argument := range takes {
			if !slices.Contains(strings.Fields(strings.ReplaceAll(constructors["transformations."+name], "?", "")), argument) {
				t.Errorf("imports take %s of %s, which OpenDP does not have", argument, name)
			}
		}
	}
}

func checkCalls(t *testing.T, file string, v any, used map[string]bool) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			checkCalls(t, file, x, used)
		}
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if keys = slices.DeleteFunc(keys, func(k string) bool { return k == "adjacency" }); strings.Join(keys, " ") != "__function__ __kwargs__ __module__ __version__" {
			t.Errorf("%s: a call has the keys %v", file, keys)
			return
		}
		name, kwargs := v["__module__"].(string)+"."+v["__function__"].(string), v["__kwargs__"].(map[string]any)
		takes, known := constructors[name]
		if used[name] = true; !known {
			t.Errorf("%s: OpenDP %s has no %s", file, odpVersion, name)
		}
		for _, argument := range strings.Fields(takes) {
			if _, given := kwargs[argument]; !given && !strings.HasSuffix(argument, "?") {
				t.Errorf("%s: %s lacks %s", file, name, argument)
			}
		}
		for argument, x := range kwargs {
			if !slices.Contains(strings.Fields(strings.ReplaceAll(takes, "?", "")), argument) {
				t.Errorf("%s: %s has no %s", file, name, argument)
			}
			checkCalls(t, file, x, used)
		}
		checkSpace(t, file, kwargs)
	}
}

// checkSpace sees that a distance is in the type of its domain, and that there is no NaN,
// which noise on floats asks for.
func checkSpace(t *testing.T, file string, kwargs map[string]any) {
	t.Helper()
	domain, noise := kwargs["input_domain"].(map[string]any)
	if !noise {
		return
	}
	of := domain["__kwargs__"].(map[string]any)
	metric := kwargs["input_metric"].(map[string]any)["__kwargs__"].(map[string]any)
	if of["T"] != metric["T"] || of["nan"] != false {
		t.Errorf("%s: a domain %v with a metric %v", file, of, metric)
	}
}
