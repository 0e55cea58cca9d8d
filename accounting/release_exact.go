package accounting

import (
	"errors"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// Guarantees holds what is known of a release whose privacy loss is known exactly. Renyi and Pair are required.
type Guarantees struct {
	Pure    float64                       // pure ε, +Inf if it has none
	Renyi   func(alpha float64) float64   // for finite α ≥ 1
	Rho     func() float64                // where r(α)/α is not largest at α = 1
	Profile func(epsilon float64) float64 // where it takes less than the pair
	Pair    func() pairs.Pair             // may be a lattice of a million points: it is asked for once
	Reason  string                        // why it is not Gaussian noise, if that needs words
}

// Exact returns a release whose guarantees are known exactly. Kind, numbers and the pure ε make its key: releases with
// equal keys are merged in a stack, so they must have equal guarantees.
func Exact(name, kind string, guarantees Guarantees, numbers ...any) Release {
	switch {
	case guarantees.Renyi == nil || guarantees.Pair == nil:
		return NewUnsupported(name, "Guarantees needs a Rényi curve and a dominating pair")
	case !(guarantees.Pure >= 0):
		return NewUnsupported(name, "Guarantees.Pure must be at least 0, or +Inf if there is no pure ε")
	case guarantees.Pure == 0 && !(guarantees.Renyi(2) == 0):
		return NewUnsupported(name, "Guarantees.Pure is 0, but the Rényi divergence is not: set +Inf if there is no pure ε")
	}
	guarantees.Pair = sync.OnceValue(guarantees.Pair)
	if guarantees.Rho == nil {
		guarantees.Rho = func() float64 { return guarantees.Renyi(1) }
	}
	guarantees.Rho = sync.OnceValue(guarantees.Rho)
	if guarantees.Profile == nil {
		guarantees.Profile = func(epsilon float64) float64 { return guarantees.Pair().Delta(epsilon) }
	}
	e := exact{newKeyed(name, kind, append(slices.Clone(numbers), guarantees.Pure)...), guarantees}
	e.Unsupported.Reason = guarantees.Reason
	return e
}

type exact struct {
	keyed      // its Gaussian method refuses with Reason
	guarantees Guarantees
}

func (e exact) Approximate() (epsilon, delta float64, err error) {
	if math.IsInf(e.guarantees.Pure, 1) {
		return 0, 0, errors.New(e.Label + " has no pure ε: its guarantee is a δ for every ε, not one (ε, δ)")
	}
	return e.guarantees.Pure, 0, nil
}

func (e exact) Renyi(alpha float64) (float64, error) {
	// D_α grows to the pure ε; the sums would overflow long after it got there.
	if math.IsInf(alpha, 1) || !math.IsInf(e.guarantees.Pure, 1) && alpha*e.guarantees.Pure > 1e100 {
		return e.guarantees.Pure, nil
	}
	return math.Min(e.guarantees.Renyi(math.Max(1, alpha)), e.guarantees.Pure), nil
}

func (e exact) Concentrated() (rho float64, err error) { return e.guarantees.Rho(), nil }

func (e exact) Profile(epsilon float64) (delta float64, err error) {
	if epsilon >= e.guarantees.Pure {
		return 0, nil
	}
	return e.guarantees.Profile(epsilon), nil
}

func (e exact) Pair() (pairs.Pair, error) { return e.guarantees.Pair(), nil }

// sampledGroup is Poisson-sampled Gaussian noise for k records of one person, taken out or, with
// replace, changed: the exact pair of [pld.SampledGaussianGroup], and its own Rényi curve.
type sampledGroup struct {
	*derived
	mu, q, k float64 // of one record
	replace  bool
}

func newSampledGroup(name string, mu, q, k float64, replace bool) Release {
	d := sampledGroup{newDerived(newKeyed(name, "drawn", mu, q, k, replace), func([]pairs.Pair) pairs.Pair {
		return pairs.SampledGaussianGroup(mu, q, int(k), replace)
	}), mu, q, k, replace}
	if k >= math.MaxInt {
		d.pair = func() (pairs.Pair, error) {
			return pairs.Pair{}, errors.New(name + ": the group is too large to be listed")
		}
	}
	return d
}

// whole returns the noise without sampling, an upper bound.
func (d sampledGroup) whole() Release {
	if d.replace {
		return GaussianDP(2 * d.k * d.mu)
	}
	return GaussianDP(d.k * d.mu)
}

func (d sampledGroup) Approximate() (epsilon, delta float64, err error) {
	return d.whole().Approximate()
}

func (d sampledGroup) Renyi(alpha float64) (float64, error) {
	most, err := d.whole().Renyi(alpha)
	if err != nil {
		return most, err
	}
	return math.Min(most, d.divergence(alpha)), nil
}

func (d sampledGroup) Concentrated() (rho float64, err error) { return d.noGain("sampling") }

func (d sampledGroup) Profile(epsilon float64) (delta float64, err error) {
	if pair, err := d.pair(); err == nil {
		return pair.Delta(epsilon), nil
	}
	return d.whole().Profile(epsilon)
}

// maxLimitRecords is the largest number of records for which the central limit is summed.
const maxLimitRecords = 256

// centralLimit returns the μ of one step in the limit of many: μ² is the mean square of P/N −
// Q/N under the noise N, which is Σ a_i·a_j·(e^{ijμ²} − 1) where k records are taken out,
// a_j the probability that j are drawn, and 4·Σ a_i·a_j·sinh(ijμ²) where they are changed.
func (d sampledGroup) centralLimit() (mu float64, err error) {
	if d.k > maxLimitRecords {
		return 0, errors.New(d.Label + " has no central limit here")
	}
	sum := 0.0
	for i := 1.0; i <= d.k; i++ {
		for j := 1.0; j <= d.k; j++ {
			w := math.Exp(special.LogBinomial(i, d.k, d.q) + special.LogBinomial(j, d.k, d.q))
			if d.replace {
				sum += 4 * w * math.Sinh(i*j*d.mu*d.mu)
			} else {
				sum += w * math.Expm1(i*j*d.mu*d.mu)
			}
		}
	}
	return math.Sqrt(sum), nil
}

// sampledNoise returns the parameters of r if it is Poisson-sampled Gaussian noise for one record, under any
// name; replace says that r is for replace, not add-remove.
func sampledNoise(r Release) (mu, q float64, replace, ok bool) {
	if s, ok := unwrapAs[sampled](r); ok {
		return s.mu, s.q, false, !s.replace && !math.IsNaN(s.mu)
	}
	if d, ok := unwrapAs[sampledGroup](r); ok {
		return d.mu, d.q, d.replace, d.k == 1
	}
	return 0, 0, false, false
}
