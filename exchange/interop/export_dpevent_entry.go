package interop

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// event returns one run of an entry as a Python expression, "" if the accountant takes none;
// exact reports whether it costs no more than the entry.
func (a dpaAccountant) event(adjacency mechanisms.Adjacency, e scenarios.Entry,
	m mechanisms.Mechanism) (text string, exact bool) {
	replace := adjacency == mechanisms.Replace
	noise := 1.0
	if replace && a == dpaPLD {
		noise = 2 // its noise is relative to half the sensitivity under replace
	}
	if m, ok := m.(mechanisms.DPSGD); ok {
		if m.Batches != mechanisms.Poisson {
			text := a.batches(adjacency, e, m)
			return text, text != ""
		}
		if e.Sampling != 1 || replace && a == dpaRDP {
			return "", false
		}
		return "dpa.PoissonSampledDpEvent(" + py(m.SamplingRate) + ", " + dpaCall("GaussianDpEvent", m.NoiseMultiplier) + ")", true
	}
	if m, ok := m.(mechanisms.MixtureOfGaussians); ok {
		if replace || e.Sampling != 1 || a != dpaPLD {
			return "", false
		}
		return "dp_event.MixtureOfGaussiansDpEvent(" + py(m.Sigma) + ", " + pyList(m.Sensitivities) + ", " + pyList(m.Probabilities) + ")", true
	}
	if e.Sampling != 1 {
		text := ""
		switch m := m.(type) {
		case mechanisms.Gaussian:
			text = dpaCall("GaussianDpEvent", 1/m.Mu())
		case mechanisms.Laplace:
			if a == dpaPLD {
				text = dpaCall("LaplaceDpEvent", 1/m.Epsilon)
			}
		}
		if text == "" || replace { // there the number is not for add-remove
			return "", false
		}
		return "dpa.PoissonSampledDpEvent(" + py(e.Sampling) + ", " + text + ")", true
	}
	pure := func(epsilon float64) string { return dpaCall("EpsilonDeltaDpEvent", epsilon, 0) }
	switch m := m.(type) {
	case mechanisms.Gaussian:
		return dpaCall("GaussianDpEvent", noise/m.Mu()), true
	case mechanisms.Laplace:
		if replace && a == dpaPLD {
			return pure(m.Epsilon), false
		}
		return dpaCall("LaplaceDpEvent", 1/m.Epsilon), true
	case mechanisms.Geometric:
		if replace || a == dpaRDP {
			return pure(m.Epsilon), m.Sensitivity == 1
		}
		return dpaCall("DiscreteLaplaceDpEvent", 1/m.Scale(), m.Sensitivity), true
	case mechanisms.DiscreteGaussian:
		if a == dpaRDP {
			return fmt.Sprintf("dpa.DiscreteGaussianDpEvent(sigma=%s, sensitivity=%s, dimension=1)", py(m.Sigma), py(m.Sensitivity)), true
		}
	case mechanisms.RandomizedResponse:
		if !replace {
			return pure(m.Epsilon), m.Categories == 2
		}
		// dp_accounting reports a uniform value with probability p, else the truth.
		// Rounded down, so that it costs at least ε = ln(1 + k(1−p)/p).
		p := m.Categories / (math.Expm1(m.Epsilon) + m.Categories)
		for p > 0 && math.Log1p(m.Categories*(1-p)/p) < m.Epsilon*(1+1e-15) {
			p = math.Nextafter(p, 0)
		}
		return dpaCall("RandomizedResponseDpEvent", p, m.Categories), true
	case mechanisms.Exponential:
		return dpaCall("ExponentialMechanismDpEvent", m.Epsilon), true
	case mechanisms.NoisyMax:
		switch {
		case m.Shape == "gumbel": // exactly the exponential mechanism
			return dpaCall("ExponentialMechanismDpEvent", m.Epsilon), true
		case !(replace && a == dpaPLD): // its pair dominates Laplace noise too
			return dpaCall("PermuteAndFlipDpEvent", m.Epsilon), true
		}
		return pure(m.Epsilon), false
	case mechanisms.Pure:
		return pure(m.Epsilon), true
	case mechanisms.Approximate:
		return dpaCall("EpsilonDeltaDpEvent", m.Epsilon, m.Delta), true
	case mechanisms.ZCDP:
		switch {
		case a == dpaRDP && m.Xi > 0:
			return dpaCall("ZCDpEvent", m.Rho, m.Xi), true
		case a == dpaRDP:
			return dpaCall("ZCDpEvent", m.Rho), true
		}
	}
	return "", false
}

// batches returns a step of a training whose batches are no Poisson samples, "" if the accountant takes none. Of fixed
// size the RDP accountant takes them, under replace, with noise over what a changed record moves, which is twice what
// one record contributes; truncated ones the PLD accountant takes, with noise over what one record contributes.
func (a dpaAccountant) batches(adjacency mechanisms.Adjacency, e scenarios.Entry, m mechanisms.DPSGD) string {
	size := math.Round(m.SamplingRate * m.Records)
	switch {
	case e.Sampling != 1:
	case m.Batches == mechanisms.Fixed && a == dpaRDP && adjacency == mechanisms.Replace && size >= 1 &&
		size/m.Records == m.SamplingRate:
		return "dpa.SampledWithoutReplacementDpEvent(" + py(m.Records) + ", " + py(size) + ", " + dpaCall("GaussianDpEvent", m.NoiseMultiplier/2) + ")"
	case m.Batches == mechanisms.Truncated && a == dpaPLD && adjacency != mechanisms.ZeroOut:
		return "dp_event.TruncatedSubsampledGaussianDpEvent(" + strings.Join([]string{py(m.Records), py(m.SamplingRate), py(m.MaxBatch),
			py(m.NoiseMultiplier)}, ", ") + ")"
	}
	return ""
}

// dpaCall returns a constructor call. Not every class is exported by the package itself.
func dpaCall(class string, args ...float64) string {
	module := "dpa."
	if class == "EpsilonDeltaDpEvent" || class == "DiscreteLaplaceDpEvent" {
		module = "dp_event."
	}
	var list []string
	for _, x := range args {
		list = append(list, py(x))
	}
	return module + class + "(" + strings.Join(list, ", ") + ")"
}

// pyList writes numbers as a Python list.
func pyList(numbers []float64) string {
	words := make([]string, len(numbers))
	for i, x := range numbers {
		words[i] = py(x)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// py writes a number so that Python reads the same float; whole numbers stay whole.
func py(x float64) string {
	if x == float64(int64(x)) && x > -1e15 && x < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
