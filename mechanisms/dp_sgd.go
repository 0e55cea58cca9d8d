package mechanisms

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
)

// DPSGD trains by gradient descent with clipped, noised gradients over Poisson
// samples: each step is a Gaussian release with σ = z·(clipping norm), on a sample
// that holds each record with probability q (Abadi et al. 2016).
type DPSGD struct {
	NoiseMultiplier float64 // z
	SamplingRate    float64 // q in (0, 1]
	Steps           float64
}

var dpsgdSpec = Spec{
	Name: "dp-sgd", Title: "DP-SGD",
	Summary: "trains a model by noisy gradient steps on random samples",
	Params: []Param{
		{
			Name: "noise_multiplier", Symbol: "z", Help: "standard deviation of the noise, in clipping norms", Type: Number,
			Min: 0, OpenMin: true, Max: math.Inf(1), Required: true, Initial: NumberValue(1.1), Step: 1.05, Log: true,
			Noise: 1, Alias: "sigma",
		},
		{
			Name: "sampling_rate", Symbol: "q", Help: "probability that a record is in a step's sample: batch / n", Type: Number,
			Min: 0, OpenMin: true, Max: 1, Required: true, Initial: NumberValue(0.01), Step: 1.1, Log: true,
		},
		{
			Name: "steps", Symbol: "T", Help: "how many steps are taken: epochs · n / batch", Type: Whole,
			Min: 1, Max: maxCount, Required: true, Initial: WholeValue(1000), Step: 1.25, Log: true,
		},
	},
	build:  buildDPSGD,
	Source: "Abadi et al. 2016; Mironov, Talwar, Zhang 2019",
	Rate:   "sampling_rate", NoError: onlyStated,
	Notes: []string{
		"The sample must be drawn by Poisson sampling; shuffled batches of fixed size are a different mechanism.",
		"The central-limit value (GDP) is an approximation, not a bound: at q = 0.01, z = 1.1, 10⁴ steps, δ = 1e-5 it says 5.065 and the truth is 5.1926.",
	},
}

func buildDPSGD(r reader) (Mechanism, error) {
	d := DPSGD{NoiseMultiplier: r.number("noise_multiplier"), SamplingRate: r.number("sampling_rate"), Steps: r.number("steps")}
	return d, checkLoss("noise_multiplier", d.Step().Mu())
}

// Kind is "dp-sgd".
func (DPSGD) Kind() string { return "dp-sgd" }

// Step is the Gaussian release of one step, in units of the clipping norm, before
// sampling.
func (d DPSGD) Step() Gaussian { return Gaussian{Sigma: d.NoiseMultiplier, Sensitivity: 1} }

// Releases is one Poisson-subsampled Gaussian release for every step.
func (d DPSGD) Releases() []accounting.Entry {
	return []accounting.Entry{{
		Release: accounting.Subsample(d.Step().Release(), d.SamplingRate),
		Count:   d.Steps,
	}}
}

// Shuffled is the same training on shuffled batches of fixed size, without any
// amplification: noise to be released once per pass over the data. A pass has ⌊1/q⌋
// full batches, which are disjoint, so that a record is in one of them and one noisy sum
// a pass depends on it (parallel composition; McSherry 2009, Theorem 4). Changing the
// record moves that sum by two clipping norms; so does adding or removing one where the
// last, incomplete batch is left out, because a record of the rest takes its place.
func (d DPSGD) Shuffled() (noise Gaussian, passes float64) {
	batches := math.Max(1, math.Floor(1/d.SamplingRate*(1+1e-12)))
	return Gaussian{Sigma: d.NoiseMultiplier, Sensitivity: 2}, math.Ceil(d.Steps / batches)
}

func (d DPSGD) answers() (here, neighbour Noise) { return around(d.Noise(), 1) }

// Noise is the noise of one step, in units of the clipping norm.
func (d DPSGD) Noise() Noise { return GaussianNoise{d.NoiseMultiplier} }

func (d DPSGD) remarks(_ Values, c Circumstances) (list []Remark) {
	batch := d.SamplingRate * c.Records
	if batch > 0 && batch < 1 {
		list = append(list, Remark{"batch-below-one", "With this sampling rate and number of records a batch holds less than one record on average."})
	}
	if off := math.Abs(batch - math.Round(batch)); batch >= 1 && off > 1e-6*batch && batch < 1e6 {
		list = append(list, Remark{"batch-not-whole", fmt.Sprintf(
			"The sampling rate times the number of records is %.6g, not a whole batch: the rate should be batch/n, as in %s/%s.",
			batch, FormatNumber(math.Max(1, math.Round(batch))), FormatNumber(c.Records))})
	}
	return list
}
