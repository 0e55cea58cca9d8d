package mechanisms

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

func cyclic(t testing.TB, steps, bands, z, batch, records float64) Matrix {
	m, err := New("matrix", param.Values{"factorisation": param.ChoiceValue("banded-sqrt"), "batches": param.ChoiceValue(CyclicPoisson), "bands": param.WholeValue(bands),
		"steps": param.WholeValue(steps), "noise_multiplier": param.NumberValue(z), "batch": param.NumberValue(batch), "records": param.WholeValue(records)})
	if err != nil {
		t.Fatal(err)
	}
	return m.(Matrix)
}

// 16 bands over 2048 steps at a rate of 1/512, which is 1/32 inside a group: 128 Poisson steps.
func TestCyclicPoissonFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "banded-") {
		m := cyclic(t, 2048, 16, 1, 512, 512*512)
		m.NoiseMultiplier = f.in("noise_over_column_norm") * m.sensitivity
		entries, _, err := Entries(m, Setting{Adjacency: AddRemove})
		if err != nil {
			t.Fatal(err)
		}
		lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta")})
		if entries[0].Count != f.in("steps") || f.Bound == "lower" && upper < f.Value || f.Bound == "upper" && (lower > f.Value || upper > f.Value*1.002) {
			t.Errorf("%s: [%v, %v] in %v steps, reference %v", f.Name, lower, upper, entries[0].Count, f.Value)
		}
	}
}

// Small worlds: bands over up to six steps. Column by column the steps of one group have disjoint
// supports, so the squared distance that a choice of steps makes is the sum of squared column
// norms, none above the one that is priced.
func TestCyclicPoissonColumns(t *testing.T) {
	for steps := 1; steps <= 6; steps++ {
		for bands := 1; bands <= steps; bands++ {
			m := cyclic(t, float64(steps), float64(bands), 1, 1, 100)
			c := rootSeries(bands)
			for group := range bands {
				used := make([]bool, steps)
				members := 0
				for step := group; step < steps; step += bands {
					norm := 0.0
					for j, x := range c {
						if row := step + j; row < steps {
							if norm += x * x; used[row] {
								t.Fatalf("T %d, %d bands: the columns of group %d overlap", steps, bands, group)
							}
							used[row] = true
						}
					}
					if members++; math.Sqrt(norm) > m.sensitivity {
						t.Errorf("T %d, %d bands: a column has norm %v, priced %v", steps, bands, math.Sqrt(norm), m.sensitivity)
					}
				}
				entries, _, _ := Entries(m, Setting{Adjacency: AddRemove})
				if float64(members) > entries[0].Count {
					t.Errorf("T %d, %d bands: group %d is sampled %d times, priced %v", steps, bands, group, members, entries[0].Count)
				}
			}
		}
	}
}

func TestCyclicPoissonRefusals(t *testing.T) {
	choice, whole, number := param.ChoiceValue, param.WholeValue, param.NumberValue
	good := param.Values{"factorisation": choice("banded-sqrt"), "batches": choice(CyclicPoisson), "bands": whole(4), "steps": whole(100),
		"noise_multiplier": number(1), "batch": number(10), "records": whole(1000)}
	for _, c := range []struct {
		field string
		value param.Value
		named string
	}{
		{"factorisation", choice("sqrt"), "batches"}, {"factorisation", choice("tree"), "batches"},
		{"batch", number(500), "batch"}, {"participations", whole(2), "participations"}, {"batches", choice("shuffled"), "batches"},
	} {
		v := good.Clone()
		v[c.field] = c.value
		if _, err := New("matrix", v); err == nil || !strings.HasPrefix(err.Error(), c.named+":") {
			t.Errorf("%s %v: %v", c.field, c.value, err)
		}
	}
	v := good.Clone()
	delete(v, "batch")
	if _, err := New("matrix", v); err == nil || !strings.HasPrefix(err.Error(), "batch:") {
		t.Errorf("without batch: %v", err)
	}
	m := cyclic(t, 100, 4, 1, 10, 1000)
	for _, s := range []Setting{{Adjacency: AddRemove, Group: 2}, {Adjacency: AddRemove, Sampling: 0.5}} {
		if _, _, err := Entries(m, s); err == nil {
			t.Errorf("%+v has a price", s)
		}
	}
}
