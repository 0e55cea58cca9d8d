package labs

import (
	"math"
	"math/rand/v2"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
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
	a := measureAttack(s.number("epsilon"), worlds, func(epsilon float64) (float64, float64) {
		return largestSumAttack(float64(t), z, epsilon)
	}, shareAbove)
	poisson := must(accounting.Parts(s.ctx,
		[]accounting.Entry{{Release: accounting.Subsample(accounting.GaussianDP(1/z),
			1/float64(t)), Count: float64(t)}}))
	sampled := s.upperProfile(poisson, a.epsilons)
	var without []float64
	for _, epsilon := range a.epsilons {
		without = append(without, accounting.GaussianToDelta(1/z, epsilon))
	}
	s.reportAttack(a, samples, "passes", "bound for shuffled batches")
	s.addUpperBound("Poisson batches", sampled[askedIndex], "δ at the same ε, and no bound for shuffled batches")
	s.addUpperBound("without amplification", without[askedIndex], "Gaussian noise with μ = 1/z: an upper end for shuffled batches")
	s.addSentence("Shuffled batches let an attacker reach δ = %s where the bound for Poisson batches promises %s; without amplification δ is at most %s.",
		text(a.exact[askedIndex]), upperText(sampled[askedIndex]), upperText(without[askedIndex]))
	s.plotAttack("δ of one pass against ε", a, chart.Series{Name: "Poisson batches", Y: sampled}, chart.Series{Name: "without amplification", Y: without})
	s.addLeak(Leak{"a largest sum above the best threshold", a.epsilons[askedIndex], a.exact[askedIndex], 0})
	s.spend("one pass over shuffled batches", "dp-sgd", param.Values{
		"noise_multiplier": param.NumberValue(z), "sampling_rate": param.NumberValue(1 / float64(t)),
		"steps": param.WholeValue(float64(t)), "batches": param.ChoiceValue(string(mechanisms.Shuffled))}, 1)
}

// largestSums returns the largest sums of simulated passes in two worlds, with the target and
// without it.
// All others pull by −1. Up to a shift by the size of a batch, the batch of the target
// is higher by 2 if it pulls by +1 and by 1 if it is zeroed, the others by nothing.
func (s *trial) largestSums(t int, z float64, samples int) [2][]float64 {
	noise, ahead := mechanisms.GaussianNoise(z), [2]float64{2, 1}
	return s.simulateWorlds(samples, 0, func(r *rand.Rand, world int) float64 {
		place, largest := r.IntN(t), math.Inf(-1)
		for b := range t {
			x := noise.Rand(r)
			if b == place {
				x += ahead[world]
			}
			largest = math.Max(largest, x)
		}
		return largest
	})
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
