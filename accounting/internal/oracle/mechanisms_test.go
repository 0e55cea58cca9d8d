package oracle_test

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"epsiloscope/accounting/internal/oracle"
)

// drawRate reaches from next to nothing to next to all.
func drawRate(t *rapid.T) float64 {
	switch rapid.IntRange(0, 9).Draw(t, "q") {
	case 0:
		return logDraw(t, "q", 1e-9, 0.05)
	case 1:
		return 1 - logDraw(t, "1−q", 1e-9, 0.05)
	}
	return rapid.Float64Range(0.05, 0.95).Draw(t, "q")
}

// drawMechanism draws one entry: its fields, and mechanisms that keep its promise.
func (w *world) drawMechanism(t *rapid.T, block bool) (fields string, list []*cached) {
	p := promise{world: w, block: block, rate: 1}
	sampling := ""
	if rapid.IntRange(0, 2).Draw(t, "sampled") > 0 {
		p.sampled, p.rate = true, drawRate(t)
		sampling = fmt.Sprintf(", sampling: {rate: %v}", p.rate)
	}
	e := logDraw(t, "ε", 0.05, 3)
	geometric := func(low, high int) oracle.Kernel { return oracle.GeometricKernel(e, 1, low, high) }
	rounded := func(sigma float64) func(low, high int) oracle.Kernel {
		return func(low, high int) oracle.Kernel {
			return oracle.DiscreteGaussianKernel(sigma, int(math.Ceil(2*sigma)), low, high)
		}
	}
	kind := rapid.SampledFrom([]string{"geometric", "discrete-gaussian", "randomized-response", "selection", "selection", "generic",
		"approximate", "zcdp", "rdp", "laplace", "gaussian", "dp-sgd"}).Draw(t, "mechanism")
	family := kind
	switch kind {
	case "geometric":
		d := rapid.IntRange(1, 2).Draw(t, "Δ")
		fields = fmt.Sprintf("mechanism: geometric, epsilon: %v, sensitivity: %d", e, d)
		list = p.additive(t, d, func(low, high int) oracle.Kernel { return oracle.GeometricKernel(e, d, low, high) })
	case "discrete-gaussian":
		sigma := logDraw(t, "σ", 0.4, 2)
		fields = fmt.Sprintf("mechanism: discrete-gaussian, sigma: %v", sigma)
		list = p.additive(t, 1, rounded(sigma))
	case "randomized-response":
		k := rapid.IntRange(2, 4).Draw(t, "k")
		fields = fmt.Sprintf("mechanism: randomized-response, epsilon: %v, categories: %d", e, k)
		c := p.contributions(t, 1, 1, false, true)
		list = []*cached{{Query: oracle.Query{Kernel: oracle.ResponseKernel(e, k), Contribution: c, Rate: p.rate}}}
	case "selection":
		fields, list = p.drawSelection(t, e)
	case "generic": // the noise and the coin both keep a pure promise
		family = rapid.SampledFrom([]string{"pure", "noisy-max", "above-threshold"}).Draw(t, "generic")
		fields = fmt.Sprintf("mechanism: %s, epsilon: %v", family, e)
		list = p.additive(t, 1, geometric, func(int, int) oracle.Kernel { return oracle.ResponseKernel(e, 2) })
	case "approximate":
		d := logDraw(t, "δ₀", 1e-9, 1e-2)
		fields = fmt.Sprintf("mechanism: approximate, epsilon: %v, delta: %v", e, d)
		list = p.additive(t, 1, func(low, high int) oracle.Kernel {
			return oracle.FailingKernel(geometric(low, high), d, low, high)
		})
	case "zcdp", "rdp":
		sigma := logDraw(t, "σ", 0.4, 2)
		rho := 1 / (2 * sigma * sigma)
		fields = fmt.Sprintf("mechanism: zcdp, rho: %v", rho)
		if kind == "rdp" {
			fields = fmt.Sprintf("mechanism: rdp, points: {1.5: %v, 3: %v, 10: %v, 60: %v}", 1.5*rho, 3*rho, 10*rho, 60*rho)
		}
		list = p.additive(t, 1, rounded(sigma))
	case "laplace":
		fields = fmt.Sprintf("mechanism: laplace, epsilon: %v", e)
		list = p.additive(t, 1, func(low, high int) oracle.Kernel { return oracle.LaplaceKernel(e, 2, low, high) })
	default:
		mu := math.Min(e, 2)
		w.rough = true
		fields = fmt.Sprintf("mechanism: gaussian, sigma: %v", 1/mu)
		if kind == "dp-sgd" {
			p.sampled, p.rate, sampling = true, drawRate(t), ""
			fields = fmt.Sprintf("mechanism: dp-sgd, noise_multiplier: %v, sampling_rate: %v, steps: 1", 1/mu, p.rate)
		}
		list = p.additive(t, 1, func(low, high int) oracle.Kernel { return oracle.NormalKernel(mu, 11, low, high) })
	}
	note(family, true)
	note("sampled", p.sampled)
	note("sampled, group", p.sampled && w.group > 1)
	note("sampled, replace", p.sampled && w.replace)
	note("sampled, in a branch", p.sampled && block)
	return fields + sampling, list
}

// drawSelection draws exponential mechanisms over three kinds of candidates, some of
// them many and tied.
func (p promise) drawSelection(t *rapid.T, epsilon float64) (fields string, list []*cached) {
	name := rapid.SampledFrom([]string{"exponential", "noisy-max, noise: gumbel"}).Draw(t, "selection")
	fields = fmt.Sprintf("mechanism: %s, epsilon: %v", name, epsilon)
	rate, rising := epsilon/2, false
	if !p.world.replace && rapid.Bool().Draw(t, "monotone") {
		rate, rising = epsilon, true
		fields += ", monotone: true"
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "choices") {
		c := p.contributions(t, 3, 1, rising, i == 0)
		var copies []float64
		var base []int
		for range 3 {
			copies = append(copies, math.Round(logDraw(t, "tied", 1, 1000)))
			base = append(base, rapid.IntRange(0, 3).Draw(t, "score"))
		}
		list = append(list, &cached{Query: oracle.Query{Kernel: oracle.SelectionKernel(rate, copies, base), Contribution: c, Rate: p.rate}})
	}
	return fields, list
}
