package mechanisms

import (
	"strings"
	"testing"

	"epsiloscope/mechanisms/param"
)

// What cannot be is refused with the field, the reason and what to do, of the values of a file, a form
// or a flag, and of a struct alike.
func TestCrowdInputsAreRefused(t *testing.T) {
	number, whole, choice, list := param.NumberValue, param.WholeValue, param.ChoiceValue, param.ScoresValue
	report := Frequency{Protocol: OUE, Epsilon: 1, Domain: 4}
	for _, c := range []struct {
		kind     string
		values   param.Values
		of       Mechanism
		field    string
		sayings  []string
		inStruct string
	}{
		{"shuffle", param.Values{runKind: choice("pure"), "of.epsilon": number(1), "people": whole(0)}, Shuffle{Pure{1}, 0},
			"people", []string{"at least 1", "the person herself reports", "Give the number of honest reporters"}, "People"},
		{"shuffle", param.Values{runKind: choice("frequency"), "of.protocol": choice("oue"), "of.epsilon": number(1), "of.domain": whole(1), "people": whole(9)},
			Shuffle{Frequency{Protocol: OUE, Epsilon: 1, Domain: 1}, 9}, "of.domain", []string{"nothing to report", "Give the number of values"}, "Domain"},
		{"shuffle", param.Values{runKind: choice("frequency"), "of.protocol": choice("oue"), "of.epsilon": number(1), "of.domain": whole(4), "of.reports": choice("memoised"), "people": whole(9)},
			Shuffle{Frequency{Protocol: OUE, Epsilon: 1, Domain: 4, Memoised: true}, 9}, "of.reports", []string{"the difference of two shuffled sets"}, "Of"},
		{"frequency", param.Values{"protocol": choice("grr"), "epsilon": number(1), "domain": whole(1)}, Frequency{Protocol: GRR, Epsilon: 1, Domain: 1},
			"domain", []string{"at least 2", "nothing to report", "Give the number of values"}, "Domain"},
		{"frequency", param.Values{"protocol": choice("grr"), "epsilon": number(0), "domain": whole(4)}, Frequency{Protocol: GRR, Domain: 4}, "epsilon", []string{"greater than 0"}, "Epsilon"},
		{"frequency", param.Values{"protocol": choice("oue"), "epsilon": number(1), "domain": whole(4), "hash": choice("any")}, Frequency{Protocol: OUE, Epsilon: 1, Domain: 4, AnyHash: true},
			"hash", []string{"only olh", "leave it out"}, "AnyHash"},
		{"partition-selection", param.Values{"epsilon": number(1), "delta": number(0)}, PartitionSelection{1, 0, 1, OptimalSelection, "", 0},
			"delta", []string{"greater than 0", "no group that is taken from the data may ever be shown", "Give a small δ"}, "Delta"},
		{"partition-selection", param.Values{"epsilon": number(1), "delta": number(0), "strategy": choice("gaussian")}, PartitionSelection{1, 0, 1, GaussThreshold, "", 0},
			"delta", []string{"no group that is taken from the data may ever be shown", "fix the groups"}, "Delta"},
		{"partition-selection", param.Values{"epsilon": number(1), "delta": number(1e-5), "partitions": whole(0)}, PartitionSelection{1, 1e-5, 0, OptimalSelection, "", 0},
			"partitions", []string{"at least 1", "in one group at least", "Give the number of groups"}, "Partitions"},
		{"partition-selection", param.Values{"epsilon": number(1), "delta": number(0.9), "strategy": choice("laplace")}, PartitionSelection{1, 0.9, 1, LaplaceThreshold, "", 0},
			"delta", []string{"at most ½ per group", "strategy: optimal"}, "δ"},
		{"mixture-of-gaussians", param.Values{"sigma": number(1), "sensitivities": list(0, 1), "probabilities": list(0.5, 0.4)}, MixtureOfGaussians{1, []float64{0, 1}, []float64{0.5, 0.4}},
			"probabilities", []string{"add up to 1, got a sum of 0.9", "left out the sensitivity 0"}, "Probabilities"},
		{"mixture-of-gaussians", param.Values{"sigma": number(1), "sensitivities": list(0, 1), "probabilities": list(1)}, MixtureOfGaussians{1, []float64{0, 1}, []float64{1}},
			"probabilities", []string{"as many as sensitivities"}, "Probabilities"},
		{"matrix", param.Values{"factorisation": choice("banded-sqrt"), "batches": choice(CyclicPoisson), "bands": whole(4), "steps": whole(100), "noise_multiplier": number(1), "batch": number(500), "records": whole(1000)},
			nil, "batch", []string{"more than all records", "Use fewer bands or a smaller batch"}, ""},
	} {
		_, err := New(c.kind, c.values)
		if err == nil || !strings.HasPrefix(err.Error(), c.field+":") {
			t.Errorf("%s %v: %v, want the field %s", c.kind, c.values, err, c.field)
			continue
		}
		for _, saying := range c.sayings {
			if !strings.Contains(err.Error(), saying) {
				t.Errorf("%s: no %q in %q", c.kind, saying, err)
			}
		}
		if c.of == nil {
			continue
		}
		if err := Validate(c.of); err == nil || !strings.Contains(err.Error(), c.inStruct) {
			t.Errorf("%+v: %v, want the field %s", c.of, err, c.inStruct)
		}
		if _, err := c.of.Releases(1)[0].Release.Pair(); err == nil {
			t.Errorf("%+v has a price", c.of)
		}
		if last := c.sayings[len(c.sayings)-1]; strings.HasPrefix(last, "Give") || strings.HasPrefix(last, "fix") {
			if err := Validate(c.of); !strings.Contains(err.Error(), last) {
				t.Errorf("%+v: no %q in %q", c.of, last, err)
			}
		}
	}
	if err := Validate(Shuffle{report, 10}); err != nil {
		t.Error(err)
	}
}
