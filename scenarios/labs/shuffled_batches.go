package labs

import (
	"cmp"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/report/chart"
)

// shuffledBatches: one pass over shuffled batches, and an attacker who knows all records
// but one and looks at the largest noisy sum (Chua et al. 2024).
var shuffledBatches = Lab{
	Name: "shuffled-batches", Title: "Shuffled batches are not Poisson batches",
	Summary:   "an attack on the largest of the noisy sums beats the bound for Poisson batches, and never that without amplification",
	Adjacency: mechanisms.ZeroOut, Unit: "data point",
	Params: []param.Param{
		whole("batches", "t", "batches of one pass", 100, 2, 10_000),
		number("noise_multiplier", "z", "noise multiplier", 1, 0.3, 10),
		number("epsilon", "ε", "where δ is measured", 1, 0.1, 20),
		whole("samples", "", "simulated passes in each world", 20_000, 100, 1_000_000),
	},
	run: runShuffledBatches,
}

func runShuffledBatches(s *trial) {
	t, z, samples := s.whole("batches"), s.number("noise_multiplier"), s.whole("samples")
	worlds := s.largestSums(t, z, samples)
	at := make([]float64, 13)
	for i := range at {
		at[i] = s.number("epsilon") * float64(i) / 6
	}
	poisson := must(accounting.Parts(s.ctx, []accounting.Entry{{Release: accounting.Subsample(accounting.GaussianDP(1/z), 1/float64(t)), Count: float64(t)}}))
	_, sampled, err := pld.Profile(s.ctx, poisson, at, pld.Options{Width: 1e-3})
	must(sampled, cmp.Or(s.ctx.Err(), err))
	var measured, exact, without []float64
	for _, epsilon := range at {
		c, attack := largestSumAttack(float64(t), z, epsilon)
		exact = append(exact, attack)
		measured = append(measured, shareAbove(worlds[0], c)-math.Exp(epsilon)*shareAbove(worlds[1], c))
		without = append(without, accounting.GaussianToDelta(1/z, epsilon))
	}
	const here = 6
	s.figure("the attack, measured", measured[here], "δ at ε = "+text(at[here])+", from "+text(float64(samples))+" passes in each world")
	s.figure("the attack, exactly", exact[here], "a lower end: no bound for shuffled batches may be smaller")
	s.cost("Poisson batches", sampled[here], "δ at the same ε, and no bound for shuffled batches")
	s.cost("without amplification", without[here], "Gaussian noise with μ = 1/z: an upper end for shuffled batches")
	s.say("Shuffled batches let an attacker reach δ = %s where the bound for Poisson batches promises %s; without amplification δ is at most %s.",
		text(exact[here]), atMost(sampled[here]), atMost(without[here]))
	s.plot(chart.Chart{Title: "δ of one pass against ε", X: chart.Axis{Label: "ε"}, Y: chart.Axis{Label: "δ"}, Series: []chart.Series{
		{Name: "attack, measured", X: at, Y: measured}, {Name: "attack, exactly", X: at, Y: exact},
		{Name: "Poisson batches", X: at, Y: sampled}, {Name: "without amplification", X: at, Y: without}}})
	s.leak(Leak{"a largest sum above the best threshold", at[here], exact[here], 0})
	s.spend("one pass over shuffled batches", "dp-sgd", param.Values{
		"noise_multiplier": param.NumberValue(z), "sampling_rate": param.NumberValue(1 / float64(t)),
		"steps": param.WholeValue(float64(t)), "batches": param.ChoiceValue(string(mechanisms.Shuffled))}, 1)
}

// largestSums returns the largest sums of simulated passes in two worlds, with the target and
// without it.
// All others pull by −1. Up to a shift by the size of a batch, the batch of the target
// is higher by 2 if it pulls by +1 and by 1 if it is zeroed, the others by nothing.
func (s *trial) largestSums(t int, z float64, samples int) (worlds [2][]float64) {
	noise := mechanisms.GaussianNoise(z)
	for w, ahead := range []float64{2, 1} {
		r := s.rand(uint64(w))
		for i := range samples {
			s.step(w*samples+i, 2*samples)
			place, largest := r.IntN(t), math.Inf(-1)
			for b := range t {
				x := noise.Rand(r)
				if b == place {
					x += ahead
				}
				largest = math.Max(largest, x)
			}
			worlds[w] = append(worlds[w], largest)
		}
	}
	return worlds
}

// largestSumAttack returns the threshold on the largest sum that tells the worlds apart best at
// ε, and the δ it reaches.
func largestSumAttack(t, z, epsilon float64) (threshold, delta float64) {
	exceeds := func(c, ahead float64) float64 {
		return -math.Expm1(special.LogNormalCDF((c-ahead)/z) + (t-1)*special.LogNormalCDF(c/z))
	}
	for i := range 4001 {
		c := -5*z + (10+15*z)*float64(i)/4000
		if d := exceeds(c, 2) - math.Exp(epsilon)*exceeds(c, 1); d > delta {
			threshold, delta = c, d
		}
	}
	return threshold, delta
}

func shareAbove(values []float64, c float64) float64 {
	n := 0.0
	for _, x := range values {
		if x > c {
			n++
		}
	}
	return n / float64(len(values))
}
