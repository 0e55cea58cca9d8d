package oracle_test

import (
	"testing"

	"epsiloscope/accounting/internal/oracle"
)

// Worlds that a near miss of the rules about absence would let through: only one of the
// two data sets counted, a move paid as a change, a claim read as more than it is.
func TestClaimedWorlds(t *testing.T) {
	geometric := func(e float64, low, high int) oracle.Kernel { return oracle.GeometricKernel(e, 1, low, high) }
	coin := func(zero int, values ...int) *oracle.Query { // sampled; who is drawn may be told from absence only by ε
		q := summed(0.1, geometric(2, 0, 1), values...)
		sums := q.Sums
		q.Sums = func(d oracle.Data) []int {
			sum := sums(d.Part(func(r oracle.Record) bool { return r.Kind != oracle.Zero }))
			for _, r := range d {
				if r.Kind == oracle.Zero {
					sum[0] += zero
				}
			}
			return sum
		}
		return q
	}
	claim := func(a oracle.Adjacency, e float64) promise {
		return promise{adjacency: a, also: true, holds: atMost(e, 0)}
	}
	far := promise{adjacency: oracle.Replace, also: true, sums: 1, absent: 3}
	clipped := promise{adjacency: oracle.Replace, sums: 1, clipped: true}
	step := func(rate float64, values ...int) *oracle.Query {
		return summed(rate, oracle.NormalKernel(1, 20, -2, 2), values...)
	}
	for _, c := range []struct {
		name      string
		adjacency oracle.Adjacency
		group     int
		delta     float64
		stack     []entry
		reaches   float64 // how much of the promised δ the attack gets at least
	}{
		{"either record may be the one that counts", oracle.Replace, 1, 0.1, []entry{
			{fields: "mechanism: pure, epsilon: 2, sampling: {rate: 0.1}", count: 4, promise: claim(oracle.Replace, 2),
				queries: []*oracle.Query{coin(0, 0, 1), coin(0, 1, 0)}}}, 0.7},
		{"a zeroed record may be the one that counts", oracle.ZeroOut, 1, 0.1, []entry{
			{fields: "mechanism: pure, epsilon: 2, sampling: {rate: 0.1}", count: 4, promise: claim(oracle.ZeroOut, 2),
				queries: []*oracle.Query{coin(1, 0, 0), coin(0, 1, 1)}}}, 0.7},
		{"a record leaves one branch and enters another", oracle.Replace, 1, 1e-3, []entry{{count: 1, branches: [][]entry{
			{{fields: "mechanism: pure, epsilon: 1", count: 1, promise: claim(oracle.Replace, 1), queries: []*oracle.Query{summed(1, geometric(1, 0, 1), 1, 1)}}},
			{{fields: "mechanism: pure, epsilon: 0.5", count: 1, promise: claim(oracle.Replace, 0.5), queries: []*oracle.Query{summed(1, geometric(0.5, 0, 1), 1, 1)}}},
		}}}, 0.9},
		{"a move costs what an absent record does", oracle.Replace, 1, 1e-3, []entry{{count: 1, branches: [][]entry{
			{{fields: "mechanism: geometric, epsilon: 0.5", number: 1.5, count: 1, promise: far, queries: []*oracle.Query{summed(1, geometric(0.5, 0, 3), 3, 2)}}},
			{{fields: "mechanism: geometric, epsilon: 0.25", number: 0.75, count: 1, promise: far, queries: []*oracle.Query{summed(1, geometric(0.25, 0, 3), 2, 3)}}},
		}}}, 0.6},
		{"a sample of a record that is far from none", oracle.Replace, 1, 0.05, []entry{
			{fields: "mechanism: geometric, epsilon: 0.5, sampling: {rate: 0.3}", number: 1.5, count: 3, promise: far,
				queries: []*oracle.Query{summed(0.3, geometric(0.5, 0, 3), 3, 2),
					summed(0.3, geometric(0.5, 0, 3), 2, 3)}}}, 0.1},
		{"an absent record is half as far, on the same noise", oracle.Replace, 1, 1e-4, []entry{
			{fields: "mechanism: geometric, epsilon: 0.4, sensitivity: 2, sampling: {rate: 0.4}", number: 0.2, count: 9, fixed: true,
				promise: promise{adjacency: oracle.Replace, also: true, sums: 2, absent: 1},
				queries: []*oracle.Query{summed(0.4, oracle.GeometricKernel(0.2, 1, -1, 1), 1, -1)}}}, 0.9},
		{"a gradient turned round", oracle.Replace, 1, 1e-3, []entry{
			{fields: "mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.3, steps: 1", count: 2, promise: clipped, queries: []*oracle.Query{step(0.3, 1, -1)}}}, 0.7},
		{"two gradients turned round", oracle.Replace, 2, 1e-3, []entry{
			{fields: "mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.3, steps: 1", count: 1, promise: clipped, queries: []*oracle.Query{step(0.3, 1, -1)}}}, 0.7},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{adjacency: c.adjacency, kinds: 2, group: c.group, rounds: 1, entries: c.stack, delta: c.delta,
				rough: true, made: map[string]int{}}
			for _, fault := range w.faults() {
				t.Errorf("%s\n%s", fault, w)
			}
			if w.reached < c.reaches {
				t.Errorf("the attack reaches %.4g of the promised δ, so it would not notice", w.reached)
			}
		})
	}
}
