package mechanisms

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// If 1/q is not whole, a pass has the whole number of batches below or above it. 51 to 99 of 100 records in
// a batch used to be priced as one batch per pass, and that certified from below too. Two batches cost less.
func TestBatchesPerPassThatAreNotWhole(t *testing.T) {
	target, look := accounting.Target{Delta: 1e-6}, gauge.OneIn(4)
	for _, scheme := range []SamplingScheme{Allocated, Shuffled} {
		for _, q := range []float64{0.51, 0.99, 0.3} {
			if !look() {
				continue
			}
			m := DPSGD{NoiseMultiplier: 1, SamplingRate: q, Steps: 12, Batches: scheme}
			entries, notes, err := Entries(m, Setting{Adjacency: ZeroOut})
			if err != nil {
				t.Fatal(err)
			}
			told := false
			for _, n := range notes {
				told = told || n.Code == "batches-per-pass"
			}
			if !told {
				t.Errorf("%s, rate %g: nothing is said of the batches per pass", scheme, q)
			}
			fewest, most, _ := m.batchesPerPass()
			got := accounting.Evaluate(context.Background(), accounting.Numerical, entries, target)
			cost := func(batches float64) accounting.Bound {
				of := m
				of.SamplingRate = 1 / batches
				whole, _, err := Entries(of, Setting{Adjacency: ZeroOut})
				if err != nil {
					t.Fatal(err)
				}
				return accounting.Evaluate(context.Background(), accounting.Numerical, whole, target)
			}
			dear, cheap := cost(fewest), cost(most)
			if got.Epsilon < dear.Lower || got.Lower > cheap.Epsilon {
				t.Errorf("%s, rate %g: [%g, %g]; %g batches cost [%g, %g], %g batches [%g, %g]", scheme, q,
					got.Lower, got.Epsilon, fewest, dear.Lower, dear.Epsilon, most, cheap.Lower, cheap.Epsilon)
			}
		}
		whole := DPSGD{NoiseMultiplier: 1, SamplingRate: 1. / 3, Steps: 12, Batches: scheme}
		if _, notes, _ := Entries(whole, Setting{Adjacency: ZeroOut}); len(notes) > 0 &&
			notes[len(notes)-1].Code == "batches-per-pass" {
			t.Errorf("%s: three batches are said not to be whole", scheme)
		}
	}
}

// A valid closed bound that is smaller than the certified upper end is the upper end: one pass over two
// allocated batches, z 0.3, δ 0.01, was 11.8651 where its own profile gives 11.86497.
func TestNumericalIsNotAboveAClosedBound(t *testing.T) {
	entries, _, err := Entries(DPSGD{NoiseMultiplier: 0.3, SamplingRate: 0.5, Steps: 2, Batches: Allocated},
		Setting{Adjacency: AddRemove})
	if err != nil {
		t.Fatal(err)
	}
	bounds := accounting.Compare(context.Background(), entries, accounting.Target{Delta: 0.01})
	numerical := bounds[len(bounds)-1]
	for _, b := range bounds {
		if b.Status == accounting.Valid && b.Epsilon < numerical.Epsilon {
			t.Errorf("%s: %g, numerical [%g, %g]", b.Method, b.Epsilon, numerical.Lower, numerical.Epsilon)
		}
	}
}

// Batches that are cut from the data are stated with how many a pass has, whether or not 1/q is whole.
func TestStatementsCountBatchesPerPass(t *testing.T) {
	for _, c := range []struct {
		m       DPSGD
		records float64
		want    string
	}{
		{DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 10, Batches: Shuffled}, 0, "a pass has 100 batches"},
		{DPSGD{NoiseMultiplier: 1, SamplingRate: 0.3, Steps: 10, Batches: Allocated}, 0, "a pass has 3 or 4 batches"},
		{DPSGD{NoiseMultiplier: 1, Batch: 50, Steps: 10, Batches: Allocated}, 1000, "a pass has 20 batches"},
	} {
		if says := c.m.BatchAssumption(c.records); !strings.HasSuffix(says, c.want) {
			t.Errorf("%+v: %s", c.m, says)
		}
	}
	if says := (DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 10, Batches: Fixed}).BatchAssumption(
		0); strings.Contains(says, "a pass has") {
		t.Errorf("fixed: %s", says)
	}
}
