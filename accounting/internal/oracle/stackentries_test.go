package oracle_test

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"epsiloscope/accounting/internal/oracle"
)

// cells is how finely continuous noise is cut.
const cells = 160

// drawEntry draws one entry: the fields of its YAML mapping, and an attack on it. An
// attack is any pair of neighbours, so the worst one need not be found; where the
// promise is generic, it is the worst.
func drawEntry(t *rapid.T, s setting) (text string, seen view) {
	rate, sampling := 1.0, ""
	if rapid.IntRange(0, 2).Draw(t, "sampled") == 0 {
		rate = drawRate(t)
		note("sampled", true)
		note("sampled, group", s.group > 1)
		note("sampled, replace", s.replace)
		sampling = fmt.Sprintf(", sampling: {rate: %v}", rate)
	}
	e := logDraw(t, "ε", 0.02, 4)
	k := float64(s.group)
	plain := func(n oracle.Noise) view { return viewOf(n.With(s.group, rate), n.Mass(0)) }
	// Under replace the values may lie anywhere, so that a sum shows how many of the
	// person's records were drawn.
	additive := func(n oracle.Noise) view {
		if s.replace {
			return revealed(s.group, rate, func(j int) (p, q []float64) { return n.Mass(float64(j)), n.Mass(0) })
		}
		return plain(n)
	}
	// The worst ε-DP mechanism: for one record a coin; for k of them noise that each
	// record moves by one step, as no coin can turn over by e^{kε} in k steps of e^ε.
	generic := func(e float64) view { return additive(oracle.Geometric(e, 1, k)) }
	mixed := func(p, q []float64) view {
		if s.replace {
			return revealed(1, rate, func(j int) (a, b []float64) {
				if j == 0 {
					return q, q
				}
				return p, q
			})
		}
		return viewOf(oracle.Mixed(p, q, rate), q)
	}
	switch kind := rapid.IntRange(0, 12).Draw(t, "mechanism"); kind {
	case 0:
		return fmt.Sprintf("mechanism: laplace, epsilon: %v%s", e, sampling), additive(oracle.Laplace(e, cells, k))
	case 1:
		mu := math.Min(e, 2)
		return fmt.Sprintf("mechanism: gaussian, sigma: %v%s", 1/mu, sampling), additive(oracle.Gaussian(mu, cells, k))
	case 2:
		seen := mixed(oracle.Response(e, 2)).power(s.group) // one answer a record
		return fmt.Sprintf("mechanism: randomized-response, epsilon: %v%s", e, sampling), seen
	case 3:
		c := float64(rapid.IntRange(3, 60).Draw(t, "k"))
		p, q := oracle.Response(e, c)
		return fmt.Sprintf("mechanism: randomized-response, epsilon: %v, categories: %v%s", e, c, sampling), mixed(p, q)
	case 4:
		d := rapid.IntRange(1, 4).Draw(t, "Δ")
		return fmt.Sprintf("mechanism: geometric, epsilon: %v, sensitivity: %d%s", e, d, sampling), additive(oracle.Geometric(e, d, k))
	case 5:
		d := rapid.IntRange(1, 2).Draw(t, "Δ")
		sigma := logDraw(t, "σ", 0.6, 6)
		return fmt.Sprintf("mechanism: discrete-gaussian, sigma: %v, sensitivity: %d%s", sigma, d, sampling),
			additive(oracle.DiscreteGaussian(sigma, d, k))
	case 6:
		name := rapid.SampledFrom([]string{"pure", "above-threshold"}).Draw(t, "generic")
		return fmt.Sprintf("mechanism: %s, epsilon: %v%s", name, e, sampling), generic(e)
	case 7:
		d := logDraw(t, "δ₀", 1e-9, 1e-3)
		text := fmt.Sprintf("mechanism: approximate, epsilon: %v, delta: %v%s", e, d, sampling)
		if noise := oracle.Geometric(e, 1, k); rate < 1 && s.replace {
			return text, revealed(s.group, rate, func(j int) (p, q []float64) {
				p, q = scaled(noise.Mass(float64(j)), 1-d), scaled(noise.Mass(0), 1-d)
				if j == 0 {
					return append(p, d), append(q, d)
				}
				return append(p, d, 0), append(q, 0, d)
			})
		} else if rate < 1 {
			return text, viewOf(failingSample(noise, s.group, rate, d))
		}
		seen := generic(e)
		return text, view{failing(seen.remove, d), failing(seen.add, d)}
	case 8:
		top := rapid.Float64Range(0.02, 0.98).Draw(t, "t/ε")
		name := rapid.SampledFrom([]string{"exponential", "noisy-max, noise: gumbel"}).Draw(t, "range")
		if rate < 1 {
			p, q := oracle.Range(e, e*top)
			return fmt.Sprintf("mechanism: %s, epsilon: %v%s", name, e, sampling), mixed(p, q)
		}
		return fmt.Sprintf("mechanism: %s, epsilon: %v%s", name, e, sampling), viewOf(oracle.Range(k*e, k*e*top))
	case 9:
		c := rapid.IntRange(1, 4).Draw(t, "c")
		if rate < 1 { // one sample for all runs: a sum of ε's is a valid, whole attack on one
			return fmt.Sprintf("mechanism: sparse-vector, epsilon: %v, positives: %d%s", e, c, sampling), generic(e / float64(c))
		}
		return fmt.Sprintf("mechanism: sparse-vector, epsilon: %v, positives: %d", e, c),
			generic(e / float64(c)).power(c)
	case 10:
		b := rapid.IntRange(1, 3).Draw(t, "B")
		each := e / 4
		text := fmt.Sprintf("mechanism: thresholdout, overfit_budget: %d, sigma: %v, n: 1000%s", b, 1/(each*1000), sampling)
		laplace := plain(oracle.Laplace(each, cells, k)) // of values from 0 to 1
		if rate < 1 {
			return text, laplace
		}
		return text, both(generic(each).power(b), laplace.power(b))
	case 11:
		mu, q, steps := math.Min(e, 2), drawRate(t), rapid.IntRange(1, 4).Draw(t, "T")
		rate = q
		return fmt.Sprintf("mechanism: dp-sgd, noise_multiplier: %v, sampling_rate: %v, steps: %d", 1/mu, q, steps),
			clipped(oracle.Gaussian(mu, cells, k), s, q).power(steps)
	default:
		d := logDraw(t, "δ₀", 1e-9, 0.1)
		c := rapid.IntRange(2, 6).Draw(t, "c")
		// With δ the runs get more each; that they keep (ε, δ) together is checked
		// against the runs themselves.
		each := sparseEach(e, d, float64(c))
		rate = 1
		return fmt.Sprintf("mechanism: sparse-vector, epsilon: %v, positives: %d, delta: %v", e, c, d),
			generic(each).power(c)
	}
}

// revealed returns a mechanism that shows how many of the person's records were drawn.
func revealed(records int, rate float64, given func(drawn int) (p, q []float64)) view {
	var p, q []float64
	for j := 0; j <= records; j++ {
		w := binomial(records, j, rate)
		a, b := given(j)
		p, q = append(p, scaled(a, w)...), append(q, scaled(b, w)...)
	}
	return viewOf(p, q)
}

func scaled(list []float64, by float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = by * x
	}
	return out
}

// clipped returns noise on sampled vectors of length 1 at most: a record that comes or goes
// adds one, a changed one may point the other way.
func clipped(n oracle.Noise, s setting, rate float64) view {
	here, there := n.With(s.group, rate), n.Mass(0)
	if s.replace {
		there = scaled(there, 0)
		for j := 0; j <= s.group; j++ {
			for i, m := range n.Mass(-float64(j)) {
				there[i] += binomial(s.group, j, rate) * m
			}
		}
	}
	return viewOf(here, there)
}

// sparseEach returns the larger of ε/c and the ε₀ that the advanced bound allows.
func sparseEach(epsilon, delta, c float64) float64 {
	low, high := epsilon/c, epsilon
	for range 200 {
		x := (low + high) / 2
		if math.Sqrt(2*c*math.Log(1/delta))*x+c*x*math.Expm1(x) <= epsilon {
			low = x
		} else {
			high = x
		}
	}
	return low
}

func binomial(n, j int, q float64) float64 {
	w := math.Pow(q, float64(j)) * math.Pow(1-q, float64(n-j))
	for i := range j {
		w = w * float64(n-i) / float64(i+1)
	}
	return w
}

// failing gives everything away with probability δ.
func failing(l oracle.LossDistribution, delta float64) oracle.LossDistribution {
	out := oracle.LossDistribution{Infinite: delta + (1-delta)*l.Infinite}
	for _, o := range l.Outcomes {
		out.Outcomes = append(out.Outcomes, oracle.Outcome{Loss: o.Loss, P: o.P * (1 - delta), Q: o.Q * (1 - delta)})
	}
	return out
}

// failingSample returns a mechanism on a Poisson sample that with probability δ says
// whether it met any of a person's records, and otherwise adds its noise.
func failingSample(n oracle.Noise, records int, rate, delta float64) (with, without []float64) {
	nobody := binomial(records, 0, rate)
	with = []float64{delta * (1 - nobody), delta * nobody}
	without = []float64{0, delta}
	for _, m := range n.With(records, rate) {
		with = append(with, (1-delta)*m)
	}
	for _, m := range n.Mass(0) {
		without = append(without, (1-delta)*m)
	}
	return with, without
}
