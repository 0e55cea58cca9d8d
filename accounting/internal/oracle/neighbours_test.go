package oracle_test

import (
	"math"
	"testing"

	"epsiloscope/accounting/internal/oracle"
)

// Worlds that once got through: a number stated for a changed record was taken for one
// about a record that is not there.

// summed puts noise on a sum to which the two kinds of record add these values. They
// lie within the stated distance of each other, and anywhere.
func summed(rate float64, noise oracle.Kernel, values ...int) *oracle.Query {
	return &oracle.Query{Rate: rate, Noise: noise, Sums: func(d oracle.Data) []int {
		sum := 0
		for _, r := range d {
			sum += values[r.Kind]
		}
		return []int{sum}
	}}
}

// rows lets a mechanism show which rows it got.
func rows(q *oracle.Query, n int) *oracle.Query {
	q.Shows, q.Shown = 1<<n, func(d oracle.Data) (rows int) {
		for _, r := range d {
			rows |= 1 << r.Row
		}
		return rows
	}
	return q
}

// reports returns randomized response, one report a row.
func reports(rate, epsilon float64, n int) *oracle.Query {
	m := maker{promise: promise{adjacency: oracle.Replace}, rows: n, rate: rate}
	return m.reports(epsilon, 2)
}

// favourite selects among three candidates: one that leads where nobody is drawn, and
// two far ahead of it, by one point of each other, where somebody is.
func favourite(rate, epsilon float64) *oracle.Query {
	return &oracle.Query{Rate: rate, Noise: oracle.SelectionKernel(epsilon/2, []float64{1, 1, 1}, []int{20, 0, 0}),
		Sums: func(d oracle.Data) []int {
			out := []int{0, 0, 0}
			for _, r := range d {
				out[1], out[2] = out[1]+40+r.Kind, out[2]+41-r.Kind
			}
			return out
		}}
}

func TestFoundWorlds(t *testing.T) {
	changed := promise{adjacency: oracle.Replace}
	pure := func(e float64) promise { p := changed; p.holds = atMost(e, 0); return p }
	noise := func(width int) promise { p := changed; p.sums = width; return p }
	line := func(fields string, count int, p promise, q ...*oracle.Query) entry {
		return entry{fields: "mechanism: " + fields, promise: p, queries: q, count: count}
	}
	block := func(branches ...[]entry) entry { return entry{branches: branches, count: 1} }
	ln3 := math.Log(3)
	geometric := func(e float64, high int) oracle.Kernel { return oracle.GeometricKernel(e, 1, 0, high) }
	for _, c := range []struct {
		name   string
		group  int
		others []int
		delta  float64
		stack  []entry
	}{
		{"a report shows who was drawn", 1, nil, 0, []entry{
			line("randomized-response, epsilon: 1.0986122886681098, sampling: {rate: 0.1}", 1, pure(ln3), reports(0.1, ln3, 1))}},
		{"two reports, and another person's", 1, []int{1}, 1e-3, []entry{
			line("randomized-response, epsilon: 1.0986122886681098, sampling: {rate: 0.2}", 2, pure(ln3), reports(0.2, ln3, 2))}},
		{"a sum of values of 10 or 11", 1, nil, 1e-6, []entry{
			line("geometric, epsilon: 1, sampling: {rate: 0.05}", 3, noise(1), summed(0.05, geometric(1, 11), 10, 11))}},
		{"a Gaussian sum of values of 10 or 11", 1, nil, 1e-6, []entry{
			line("gaussian, sigma: 1, sampling: {rate: 0.01}", 3, noise(1), summed(0.01, oracle.NormalKernel(1, 20, 9, 12), 10, 11))}},
		{"a sum and the rows it is of", 1, []int{0}, 1e-6, []entry{
			line("pure, epsilon: 0.5, sampling: {rate: 0.1}", 3, pure(0.5), rows(summed(0.1, geometric(0.5, 2), 0, 1), 2))}},
		{"a coin, and whether it was thrown for anybody", 1, nil, 0, []entry{
			line("above-threshold, epsilon: 2, sampling: {rate: 0.01}", 1, pure(2), rows(summed(0.01, oracle.ResponseKernel(2, 2), 0, 1), 1))}},
		{"a favourite where nobody is drawn", 1, nil, 1e-3, []entry{
			line("exponential, epsilon: 1, sampling: {rate: 0.1}", 2, noise(1), favourite(0.1, 1))}},
		{"a promise that fails at times", 1, nil, 1e-3, []entry{
			line("approximate, epsilon: 1, delta: 0.001, sampling: {rate: 0.1}", 2, promise{adjacency: oracle.Replace, holds: atMost(1, 1e-3)},
				summed(0.1, oracle.FailingKernel(geometric(1, 11), 1e-3, 0, 11), 10, 11))}},
		{"whole noise of which only ρ is said", 1, nil, 1e-6, []entry{
			line("zcdp, rho: 0.5, sampling: {rate: 0.01}", 3, promise{adjacency: oracle.Replace,
				holds: divergences(map[float64]float64{1.5: 0.75, 10: 5, 60: 30})},
				summed(0.01, oracle.DiscreteGaussianKernel(1, 3, 0, 11), 10, 11))}},
		{"two records of one person", 2, nil, 1e-6, []entry{
			line("pure, epsilon: 0.5, sampling: {rate: 0.05}", 2, pure(0.5), rows(summed(0.05, geometric(0.5, 2), 0, 1), 2))}},
		{"branches that say how many they have", 1, []int{0}, 1e-6, []entry{block(
			[]entry{line("pure, epsilon: 1", 1, pure(1), rows(summed(1, geometric(1, 2), 0, 1), 2))},
			[]entry{line("pure, epsilon: 1", 1, pure(1), summed(1, geometric(1, 2), 0, 1))})}},
		{"reports from a branch", 1, nil, 1e-6, []entry{block(
			[]entry{line("randomized-response, epsilon: 0.1", 1, pure(0.1), reports(1, 0.1, 1))},
			[]entry{line("laplace, epsilon: 0.1", 1, noise(1), summed(1, oracle.LaplaceKernel(0.1, 1, 0, 1), 0, 1))})}},
		{"a branch whose sum is of values of 10 or 11", 1, nil, 1e-6, []entry{block(
			[]entry{line("geometric, epsilon: 0.2", 1, noise(1), summed(1, geometric(0.2, 11), 10, 11))},
			[]entry{line("laplace, epsilon: 0.1", 1, noise(1), summed(1, oracle.LaplaceKernel(0.1, 1, 0, 1), 0, 1))})}},
		{"a sampled branch", 1, nil, 1e-6, []entry{block(
			[]entry{line("geometric, epsilon: 0.2, sampling: {rate: 0.5}", 1, noise(1), summed(0.5, geometric(0.2, 11), 10, 11))},
			[]entry{line("pure, epsilon: 0.1", 1, pure(0.1), summed(1, geometric(0.1, 1), 0, 1))})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{adjacency: oracle.Replace, kinds: 2, group: c.group, rounds: 1, others: c.others,
				entries: c.stack, delta: c.delta, made: map[string]int{}}
			for _, fault := range w.faults() {
				t.Errorf("%s\n%s", fault, w)
			}
			if w.mayBeRefused() != (w.made["(refused)"] == 1) {
				t.Error("not refused")
			}
		})
	}
}
