package interop

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
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
	for name, known := range transformations {
		for _, argument := range known.takes {
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

// An exported response is never more private than the entry: near probability 1 the last digit
// of prob moves ε by more than any rounding may. The answers are those of ln(p/(1−p)) in 200 bits.
func TestExportedResponsesCostAtLeastTheEntry(t *testing.T) {
	for _, epsilon := range []float64{1e-12, 0.1, 1.0986122886681098, 5, 17.3, 30, 36} {
		p := leastTruth(epsilon)
		if !(p < 1) || odds(p).Cmp(exponential(epsilon)) < 0 {
			t.Errorf("ε = %v: prob %v costs less", epsilon, p)
		}
		if below := p - 8*(p-math.Nextafter(p, 0)); odds(below).Cmp(exponential(epsilon)) >= 0 {
			t.Errorf("ε = %v: prob %v is larger than it need be", epsilon, p)
		}
	}
	if p := leastTruth(40); p != 1 { // no number below 1 is large enough: such an entry is not exported
		t.Errorf("prob %v", p)
	}
}

func odds(p float64) *big.Float {
	of := new(big.Float).SetPrec(200).SetFloat64(p)
	rest := new(big.Float).SetPrec(200).Sub(big.NewFloat(1), of)
	return of.Quo(of, rest)
}

// exponential returns e^x by its series, after halving x to below 1.
func exponential(x float64) *big.Float {
	const halvings = 8
	y := new(big.Float).SetPrec(200).SetFloat64(x / (1 << halvings))
	sum, term := new(big.Float).SetPrec(200).SetInt64(1), new(big.Float).SetPrec(200).SetInt64(1)
	for n := int64(1); n < 60; n++ {
		term.Mul(term, y).Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}
