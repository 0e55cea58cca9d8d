package oracle_test

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting/internal/oracle"
)

// A world here is a few records, a training on batches of them, every way in which these may
// be drawn and every outcome of the noisy sums: no bound promises less than the worst pair of
// neighbours gives away.
func TestNoBoundIsBelowBatches(t *testing.T) {
	made := map[string]int{}
	worst := map[string]float64{}
	for n := range max(32, numbers/25) {
		w, kind := drawTraining(numbered(n))
		if made[kind] == perKind() {
			continue
		}
		for _, fault := range w.faults() {
			t.Errorf("world %d: %s\n%s", n, fault, w)
		}
		made[kind]++
		worst[kind] = math.Max(worst[kind], w.reached)
	}
	for kind, share := range worst {
		t.Logf("%s: %d worlds, of the promised δ at most %.2g reached", kind, made[kind], share)
		if share == 0 {
			t.Errorf("%s: no attack reaches anything", kind)
		}
	}
	if len(made) != 10 {
		t.Errorf("made %v", made)
	}
}

// drawTraining draws how batches are drawn, where that has a price.
func drawTraining(d draw) (w *world, kind string) {
	drawing := one(d, "fixed", "allocated", "shuffled", "truncated")
	w = &world{kinds: 2, group: 1, rounds: 1, made: map[string]int{}, delta: d.log(1e-3, 0.2), rough: true}
	w.adjacency = one(d, oracle.AddRemove, oracle.Replace, oracle.ZeroOut)
	for drawing == "shuffled" && w.adjacency == oracle.AddRemove || drawing == "truncated" && w.adjacency == oracle.ZeroOut {
		w.adjacency = one(d, oracle.AddRemove, oracle.Replace, oracle.ZeroOut)
	}
	for range one(d, 1, 2, 3) {
		w.others = append(w.others, d.IntN(w.kinds))
	}
	if drawing == "shuffled" && len(w.others)%2 == 0 {
		w.others = w.others[1:]
	}
	rows := len(w.others) + 1 // with the person's
	mu := d.log(0.2, 2)
	fields := fmt.Sprintf("mechanism: dp-sgd, noise_multiplier: %v, batches: %s", 1/mu, drawing)
	var draws func(oracle.Data) []oracle.Drawn
	cells := 7
	switch drawing {
	case "fixed":
		fewest := rows
		if w.adjacency == oracle.AddRemove {
			fewest--
		}
		size := d.between(1, fewest)
		fields += fmt.Sprintf(", batch: %d, records: %d, steps: 1", size, fewest)
		draws = oracle.FixedSize(size)
	case "allocated":
		batches := 2
		steps := d.between(1, batches)
		fields += fmt.Sprintf(", sampling_rate: 1/%d, steps: %d", batches, steps)
		draws = oracle.Broken(oracle.Allocated(batches), steps)
	case "shuffled":
		batches := rows // each alone, or two together
		if d.IntN(2) == 0 || rows > 2 {
			batches = 2
		}
		steps := d.between(1, batches)
		fields += fmt.Sprintf(", batch: %d, records: %d, steps: %d", rows/batches, rows, steps)
		draws = oracle.Broken(oracle.Shuffled(batches), steps)
	case "truncated":
		rate, most := 0.1+0.8*d.Float64(), d.between(1, rows)
		fields += fmt.Sprintf(", sampling_rate: %v, records: %d, max_batch: %d, steps: 1", rate, rows, most)
		draws = oracle.Truncated(rate, most)
	}
	p := promise{adjacency: w.adjacency, sums: 1, clipped: true}
	m := maker{draw: d, promise: p, kinds: w.kinds, rows: rows, rate: 1}
	list := m.additive(1, func(low, high int) oracle.Kernel { return oracle.NormalKernel(mu, cells, low, high) })
	for _, q := range list {
		q.Draws = draws
	}
	count := 1
	if drawing == "fixed" || drawing == "truncated" {
		count = d.between(1, 2)
	}
	w.entries = []entry{{fields: fields, promise: p, queries: list[:1], count: count}}
	return w, drawing + ", " + string(w.adjacency)
}

// The best of a random number of runs of something small, every outcome with its exact law.
func TestNoBoundIsBelowSelections(t *testing.T) {
	for n := range numbers / 50 {
		d := numbered(n)
		w := &world{kinds: 2, group: d.between(1, 2), rounds: 1, made: map[string]int{}, delta: d.log(1e-6, 0.1),
			adjacency: one(d, oracle.AddRemove, oracle.Replace, oracle.ZeroOut)}
		e, gamma := d.log(0.05, 2), d.log(0.02, 0.9)
		var g func(oracle.Real) oracle.Real
		runs, one := "", oracle.R(1)
		part := func(x oracle.Real) oracle.Real { return one.Sub(one.Sub(oracle.R(gamma)).Mul(x)) }
		switch d.IntN(3) {
		case 0:
			runs = fmt.Sprintf("distribution: logarithmic, mean: %v", (1/gamma-1)/-math.Log(gamma)*(1+1e-12))
			g = func(x oracle.Real) oracle.Real { return part(x).Log().Div(oracle.R(gamma).Log()) }
		case 1:
			runs = fmt.Sprintf("distribution: geometric, mean: %v", 1/gamma*(1+1e-12))
			g = func(x oracle.Real) oracle.Real { return oracle.R(gamma).Mul(x).Div(part(x)) }
		default:
			runs = fmt.Sprintf("distribution: poisson, mean: %v", 1/gamma)
			g = func(x oracle.Real) oracle.Real { return x.Sub(one).Div(oracle.R(gamma)).Exp() }
		}
		p := promise{adjacency: w.adjacency, sums: 1, silent: w.adjacency == oracle.ZeroOut}
		m := maker{draw: d, promise: p, kinds: w.kinds, rows: w.group, rate: 1}
		list := m.additive(1, func(low, high int) oracle.Kernel {
			return oracle.BestKernel(oracle.GeometricKernel(e, 1, low, high), g)
		})
		w.entries = []entry{{fields: fmt.Sprintf("mechanism: select, of: {mechanism: geometric, epsilon: %v}, runs: {%s}", e, runs), promise: p, queries: list, count: 1}}
		for _, fault := range w.faults() {
			t.Errorf("world %d: %s\n%s", n, fault, w)
		}
	}
}

// Of two candidates d noise scales apart Laplace noise takes the better one with probability
// 1 − e^{−d}(2+d)/4.
func TestLaplaceMaxOfTwo(t *testing.T) {
	for _, c := range []struct {
		rate float64
		gap  int
	}{{1, 0}, {0.5, 1}, {2, 3}} {
		got := oracle.LaplaceMaxKernel(c.rate, []int{c.gap, 0})([]int{0, 0})
		far := c.rate * float64(c.gap)
		if want := 1 - math.Exp(-far)*(2+far)/4; math.Abs(got[0].Float()-want) > 1e-14 ||
			math.Abs(got[0].Add(got[1]).Float()-1) > 1e-14 {
			t.Errorf("%+v: %v, want %v", c, got[0].Float(), want)
		}
	}
	three := oracle.LaplaceMaxKernel(0.7, []int{2, 0, 1})([]int{0, 1, -1})
	if sum := three[0].Add(three[1]).Add(three[2]).Float(); math.Abs(sum-1) > 1e-14 {
		t.Errorf("three candidates add up to %v", sum)
	}
}
