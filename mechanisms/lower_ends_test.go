package mechanisms

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
)

// trainingEnds returns the certified ends of a training.
func trainingEnds(t interface{ Fatal(...any) }, m DPSGD, at Setting, delta float64) (lower, upper float64) {
	entries, _, err := Entries(m, at)
	if err != nil {
		t.Fatal(err)
	}
	b := accounting.Evaluate(context.Background(), accounting.Numerical, entries, accounting.Target{Delta: delta})
	return b.Lower, b.Epsilon
}

// One pass where 1/q is not whole: what 32 steps release is part of what 33 release. With 33 steps the lower end was 0.
func TestLowerEndOfOnePass(t *testing.T) {
	before := 0.0
	for steps := 31.0; steps <= 35; steps++ {
		lower, upper := trainingEnds(t, DPSGD{NoiseMultiplier: 1, SamplingRate: 0.03, Steps: steps, Batches: Allocated},
			Setting{Adjacency: AddRemove}, 1e-6)
		if lower < before || lower < 1.57 || steps == 33 && (lower < 1.580 || upper > 1.6153) {
			t.Errorf("%v steps: [%v, %v], one less %v", steps, lower, upper, before)
		}
		before = lower
	}
	for batch, least := range map[float64]float64{64: 3.76, 128: 4.16, 256: 4.45} { // was 0, of 4.887
		m := DPSGD{NoiseMultiplier: 1, Batch: batch, Epochs: 1, Batches: Shuffled}
		lower, upper := trainingEnds(t, m, Setting{Adjacency: ZeroOut, Records: 60000}, 1e-6)
		if lower < least || upper > 4.8866 {
			t.Errorf("60,000 records in batches of %v: [%v, %v]", batch, lower, upper)
		}
	}
}

// Shuffled training of many passes with much noise: the optimal test on the sums of all batches reaches several times
// what the largest one does (0.130 and 0.230 at z 5, 1.71 at z 3).
func TestLowerEndOfManyPasses(t *testing.T) {
	for _, c := range []struct {
		z, steps  float64
		adjacency Adjacency
		least     float64
	}{{5, 1000, ZeroOut, 0.245}, {5, 1000, Replace, 0.533}, {3, 10000, Replace, 3.52}, {1, 1000, ZeroOut, 10.8}} {
		m := DPSGD{NoiseMultiplier: c.z, SamplingRate: 0.01, Steps: c.steps, Batches: Shuffled}
		if lower, upper := trainingEnds(t, m, Setting{Adjacency: c.adjacency}, 1e-6); lower < c.least {
			t.Errorf("z %v, %v steps, %s: [%v, %v]", c.z, c.steps, c.adjacency, lower, upper)
		}
	}
}

// Shuffled Hadamard reports of 2,000 people, ε₀ 4, three values, at the δ where ε is at most 0.771: counting the
// reports that support a value reached 0.0285; half of them support both values, and counting the others reaches more
// than 0.24.
func TestLowerEndOfShuffledHadamard(t *testing.T) {
	m := Shuffle{Of: Frequency{Protocol: Hadamard, Epsilon: 4, Domain: 3}, People: 2000}
	entries, _, err := Entries(m, Setting{Adjacency: Replace})
	if err != nil {
		t.Fatal(err)
	}
	b := accounting.Evaluate(context.Background(), accounting.Numerical, entries, accounting.Target{Delta: 1e-3})
	if b.Lower < 0.24 || b.Epsilon > 0.7716 || !b.LowerByAttack() {
		t.Errorf("[%v, %v], %s", b.Lower, b.Epsilon, b.Note)
	}
}

// Lower ends do not fall with more steps, whatever the sampling scheme, by more than the width that is asked of the
// accountant.
func TestLowerEndsRiseWithSteps(t *testing.T) {
	gauge.Check(t, gauge.Cases(2, 60), func(t *rapid.T) {
		m := DPSGD{
			NoiseMultiplier: math.Round(100*rapid.Float64Range(0.6, 4).Draw(t, "z")) / 100,
			SamplingRate:    math.Round(1000*rapid.Float64Range(0.02, 0.6).Draw(t, "q")) / 1000,
			Batches:         rapid.SampledFrom([]SamplingScheme{Poisson, Fixed, Shuffled, Allocated}).Draw(t, "scheme"),
		}
		at := Setting{Adjacency: ZeroOut}
		fewest, _, _ := m.batchesPerPass()
		passes, before := float64(rapid.IntRange(0, 3).Draw(t, "passes")), 0.0
		for _, steps := range []float64{passes*fewest + fewest - 1, passes*fewest + fewest, passes*fewest + fewest + 1,
			(passes+1)*fewest + 2, (passes + 2) * (fewest + 1)} {
			if m.Steps = steps; steps < 1 {
				continue
			}
			lower, upper := trainingEnds(t, m, at, 1e-6)
			if lower < before*(1-pld.DefaultWidth) {
				t.Fatalf("%s: [%v, %v], fewer steps %v", fmt.Sprintf("%+v", m), lower, upper, before)
			}
			before = lower
		}
	})
}
