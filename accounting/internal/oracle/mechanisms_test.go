package oracle_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/internal/oracle"
)

// families are the mechanisms of the small worlds.
var families = []string{"geometric", "geometric", "discrete-gaussian", "randomized-response", "exponential", "noisy-max, noise: gumbel",
	"pure", "pure", "noisy-max, noise: exponential", "noisy-max, noise: laplace", "above-threshold", "sparse-vector", "approximate", "zcdp", "rdp", "laplace", "gaussian", "dp-sgd"}

// drawMechanism draws one entry: its fields, and mechanisms that keep its promise.
func (w *world) drawMechanism(d draw, also bool) entry {
	var list []*oracle.Query
	var number float64
	p := promise{adjacency: w.adjacency, also: also}
	m := maker{draw: d, kinds: w.kinds, rows: w.group + len(w.others), rate: 1}
	sampling := ""
	if d.IntN(3) > 0 {
		m.rate = d.rate()
		sampling = fmt.Sprintf(", sampling: {rate: %v}", m.rate)
	}
	e := d.log(0.05, 3)
	sigma := d.log(0.4, 2)
	width := one(d, 1, 1, 2)
	geometric := func(low, high int) oracle.Kernel { return oracle.GeometricKernel(e, 1, low, high) }
	rounded := func(low, high int) oracle.Kernel {
		return oracle.DiscreteGaussianKernel(sigma, int(math.Ceil(2*sigma)), low, high)
	}
	family := one(d, families...)
	if also && family == "randomized-response" { // an error: reports can be counted
		family = "pure"
	}
	fields := "mechanism: " + family
	switch family { // what the entry states
	case "geometric", "discrete-gaussian":
		p.sums, p.silent = width, true
	case "exponential", "noisy-max, noise: gumbel", "noisy-max, noise: exponential", "noisy-max, noise: laplace":
		p.sums, p.silent = 1, true
		p.rising = w.adjacency != oracle.Replace && d.IntN(2) == 0
	case "above-threshold", "sparse-vector":
		p.silent, p.holds = true, atMost(e, 0)
	case "pure", "randomized-response":
		p.holds = atMost(e, 0)
	case "laplace", "gaussian":
		p.sums, p.silent = 1, true
	case "dp-sgd":
		p.sums, p.silent, p.clipped = 1, true, true
	}
	p.silent = p.silent && w.adjacency == oracle.ZeroOut
	if also && w.adjacency == oracle.Replace && (family == "geometric" || family == "discrete-gaussian") && d.IntN(2) == 0 {
		p.absent = one(d, 1, 2, 3) // a number of its own; records differ by twice as much at most
		if width > 2*p.absent {
			p.absent = width
		}
		number = float64(p.absent)
		if family == "geometric" {
			number *= e / float64(width)
		}
		w.note("also a number, " + family)
	}
	m.promise = p
	switch family { // and what is run
	case "geometric":
		fields += fmt.Sprintf(", epsilon: %v, sensitivity: %d", e, width)
		list = m.additive(width, func(low, high int) oracle.Kernel {
			return oracle.GeometricKernel(e, width, low, high)
		})
	case "discrete-gaussian":
		fields += fmt.Sprintf(", sigma: %v, sensitivity: %d", sigma, width)
		list = m.additive(width, rounded)
	case "randomized-response":
		k := d.between(2, 4)
		fields += fmt.Sprintf(", epsilon: %v, categories: %d", e, k)
		list = []*oracle.Query{m.reports(e, k)}
	case "exponential", "noisy-max, noise: gumbel":
		fields += fmt.Sprintf(", epsilon: %v, monotone: %v", e, p.rising)
		list = m.selections(e, oracle.SelectionKernel)
	case "noisy-max, noise: exponential":
		fields += fmt.Sprintf(", epsilon: %v, monotone: %v", e, p.rising)
		list = m.selections(e, func(rate float64, _ []float64, base []int) oracle.Kernel {
			return oracle.NoisyMaxKernel(rate, base)
		})
	case "noisy-max, noise: laplace":
		fields += fmt.Sprintf(", epsilon: %v, monotone: %v", e, p.rising)
		list = m.selections(e, func(rate float64, _ []float64, base []int) oracle.Kernel {
			return oracle.LaplaceMaxKernel(rate, base)
		})
	case "pure", "above-threshold": // the noise and the coin both keep a pure promise
		fields += fmt.Sprintf(", epsilon: %v", e)
		list = m.additive(1, geometric, func(int, int) oracle.Kernel { return oracle.ResponseKernel(e, 2) })
	case "sparse-vector": // two runs on one sample
		fields += fmt.Sprintf(", epsilon: %v, positives: 2", e)
		list = m.additive(1, func(low, high int) oracle.Kernel {
			return oracle.TwiceKernel(oracle.GeometricKernel(e/2, 1, low, high))
		})
	case "approximate":
		delta := d.log(1e-9, 1e-2)
		p.holds = atMost(e, delta)
		fields += fmt.Sprintf(", epsilon: %v, delta: %v", e, delta)
		list = m.additive(1, func(low, high int) oracle.Kernel {
			return oracle.FailingKernel(geometric(low, high), delta, low, high)
		})
	case "zcdp", "rdp":
		rho := 1 / (2 * sigma * sigma)
		at := map[float64]float64{1.5: 1.5 * rho, 3: 3 * rho, 10: 10 * rho, 60: 60 * rho}
		p.holds = divergences(at)
		if family == "zcdp" {
			fields += fmt.Sprintf(", rho: %v", rho)
		} else {
			fields += fmt.Sprintf(", points: {1.5: %v, 3: %v, 10: %v, 60: %v}", at[1.5], at[3], at[10], at[60])
		}
		list = m.additive(1, rounded)
	case "laplace":
		fields += fmt.Sprintf(", epsilon: %v", e)
		list = m.additive(1, func(low, high int) oracle.Kernel { return oracle.LaplaceKernel(e, 2, low, high) })
	default:
		mu := math.Min(e, 2)
		w.rough = true
		if family == "gaussian" {
			fields += fmt.Sprintf(", sigma: %v", 1/mu)
		} else {
			m.rate, sampling = d.rate(), ""
			fields += fmt.Sprintf(", noise_multiplier: %v, sampling_rate: %v, steps: 1", 1/mu, m.rate)
		}
		list = m.additive(1, func(low, high int) oracle.Kernel { return oracle.NormalKernel(mu, 11, low, high) })
	}
	w.note(family)
	if m.rate < 1 {
		w.note("sampled", "sampled, "+string(w.adjacency))
	}
	return entry{fields: fields + sampling, number: number, promise: p, queries: list}
}
