package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// KeepProbability returns the probability that a group with n people is shown.
func (p PartitionSelection) KeepProbability(n float64) float64 {
	n = math.Floor(n)
	switch {
	case !(n >= 1):
		return 0
	case p.Strategy == OptimalSelection:
		return p.optimalKeepProbability(n)
	}
	return p.noisyTail(p.Threshold() - n)
}

// noisyTail returns the probability that the noise of the strategy is at least x, for x of either sign.
func (p PartitionSelection) noisyTail(x float64) float64 {
	epsilon, _ := p.share()
	switch p.Strategy {
	case GaussThreshold:
		return math.Exp(special.LogNormalCDF(-x / p.Deviation()))
	case GeometricCount:
		a := math.Exp(-epsilon)
		if x > 0 {
			return math.Exp(-epsilon*x) / (1 + a)
		}
		return 1 - math.Exp(epsilon*(x-1))/(1+a)
	}
	if x > 0 {
		return math.Exp(-epsilon*x) / 2
	}
	return 1 - math.Exp(epsilon*x)/2
}

// dropTail returns 1 − noisyTail(x), with its digits if it is small.
func (p PartitionSelection) dropTail(x float64) float64 {
	epsilon, _ := p.share()
	switch p.Strategy {
	case GaussThreshold:
		return math.Exp(special.LogNormalCDF(x / p.Deviation()))
	case GeometricCount:
		return p.noisyTail(1 - x) // the noise is whole and symmetric: it is below x as often as at least 1 − x
	}
	if x > 0 {
		return 1 - math.Exp(-epsilon*x)/2
	}
	return math.Exp(epsilon*x) / 2
}

// names returns the rule of a threshold by which the name of one group is shown.
func (p PartitionSelection) names() pairs.Names {
	epsilon, delta := p.share()
	threshold := p.Threshold()
	rule := pairs.Names{
		Keep: func(n float64) float64 { return p.noisyTail(threshold - n) },
		Drop: func(n float64) float64 { return p.dropTail(threshold - n) },
		New:  delta,
	}
	const beyond = 40 // the exponent of what is all but 0
	switch p.Strategy {
	case GaussThreshold:
		sigma := p.Deviation()
		rule.Noise, rule.People, rule.New = pairs.Gaussian(1/sigma), math.Ceil(threshold+9*sigma),
			delta*(1-thresholdMargin/2)
	case GeometricCount:
		rule.Noise, rule.People, rule.New = pairs.Pure(epsilon), math.Ceil(threshold+beyond/epsilon),
			p.noisyTail(threshold-1)
	default:
		rule.Noise, rule.People = pairs.Laplace(epsilon), math.Ceil(threshold+beyond/epsilon)
	}
	rule.Key = string(p.Strategy) + "," + numeral.Format(epsilon) + "," + numeral.Format(p.Deviation()) + "," +
		numeral.Format(threshold) + "," + numeral.Format(rule.New)
	return rule
}

// optimalKeepProbability returns the largest probability that a decision with the (ε, δ) of one group allows:
// π(0) = 0 and π(n) = min(e^ε·π(n−1)+δ, 1−e^{−ε}(1−π(n−1)−δ), 1), in closed form (Desfontaines et
// al. 2022).
func (p PartitionSelection) optimalKeepProbability(n float64) float64 {
	epsilon, delta := p.share()
	first, _ := p.crossovers()
	rising := func(n float64) float64 {
		return delta * math.Exp((n-1)*epsilon) * math.Expm1(-n*epsilon) / math.Expm1(-epsilon)
	}
	if n <= first {
		return math.Min(1, rising(n))
	}
	fall := math.Exp(-(n - first) * epsilon)
	return math.Min(1, -math.Expm1(-(n-first)*epsilon)*(1+delta/math.Expm1(epsilon))+fall*rising(first))
}

// crossovers returns the numbers of people up to which the first, and the second, of the two
// constraints of [PartitionSelection.optimalKeepProbability] binds; beyond, a group is always shown.
func (p PartitionSelection) crossovers() (first, second float64) {
	epsilon, delta := p.share()
	far := math.Exp(-epsilon)
	first = 1 + math.Floor(math.Log((-math.Expm1(-epsilon)+2*delta*far)/((1+far)*delta))/epsilon)
	first = math.Max(1, first)
	at := delta * math.Exp((first-1)*epsilon) * math.Expm1(-first*epsilon) / math.Expm1(-epsilon)
	second = first + math.Floor(math.Log1p(math.Expm1(epsilon)*math.Max(0, 1-at)/delta)/epsilon)
	if epsilon > 700 { // e^ε is no number, and one more person is enough
		second = first + 1
	}
	return first, second
}

// mostTelling returns the probabilities that a group is shown with a person and without, for the number of
// people above 1 at which they differ most.
func (p PartitionSelection) mostTelling() (with, without float64) {
	first, _ := p.crossovers()
	before, at, after := p.optimalKeepProbability(first-1), p.optimalKeepProbability(first),
		p.optimalKeepProbability(first+1)
	if first < 2 || after-at > at-before {
		return after, at
	}
	return at, before
}

// Threshold returns the number that the noisy number of people must reach; 0 for the optimal
// strategy, which has none. For whole numbers it is whole.
func (p PartitionSelection) Threshold() float64 {
	epsilon, delta := p.share()
	switch p.Strategy {
	case LaplaceThreshold:
		return (1 - math.Log(2*delta)/epsilon) * (1 + 1e-15) // rounded up
	case GeometricCount: // least T with e^{−ε(T−1)}/(1+e^{−ε}) ≤ δ
		at := math.Max(0, math.Ceil((-math.Log(delta)-math.Log1p(math.Exp(-epsilon)))/epsilon-1e-9))
		for math.Exp(-epsilon*at)/(1+math.Exp(-epsilon)) > delta {
			at++
		}
		return at + 1
	case GaussThreshold:
		return 1 - p.Deviation()*GaussianNoise(1).Quantile(delta*(1-thresholdMargin))
	}
	return 0
}

// Deviation returns the standard deviation of the noise on the number of people; 0 if there is
// none.
func (p PartitionSelection) Deviation() float64 {
	epsilon, _ := p.share()
	switch p.Strategy {
	case LaplaceThreshold:
		return math.Sqrt2 / epsilon
	case GeometricCount:
		return math.Sqrt2 * math.Exp(-epsilon/2) / -math.Expm1(-epsilon)
	}
	if p.sigma == 0 && p.Strategy == GaussThreshold { // not made by [New]
		p.sigma, _ = p.calibrateGaussian()
	}
	return p.sigma
}

// PeopleFor returns the least number of people with which a group is shown with at least the
// given probability, below 1.
func (p PartitionSelection) PeopleFor(chance float64) float64 {
	high := 1.0
	for p.KeepProbability(high) < chance && high < 1e300 {
		high *= 2
	}
	low := math.Floor(high / 2)
	for high-low > 1 && high-low > high*1e-15 {
		if mid := math.Floor((low + high) / 2); p.KeepProbability(mid) >= chance {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// calibrateGaussian returns a σ with which noise of that deviation and the threshold of δ keep
// (ε, δ), whatever number of a person's groups are new. It starts from the noise that has all of
// δ by itself, and adds to it if that does not hold.
func (p PartitionSelection) calibrateGaussian() (sigma float64, ok bool) {
	over := func(log float64) bool {
		return special.LogGaussianProfile(math.Sqrt(p.Partitions)*math.Exp(-log), p.Epsilon) > math.Log(p.Delta)
	}
	low, high := -60.0, 60.0
	if over(high) || !over(low) {
		return 0, false
	}
	_, high = special.Bisect(low, high, 1e-13, over)
	for range 64 {
		if p.gaussianDelta(math.Exp(high)) <= p.Delta {
			return math.Exp(high), true
		}
		high += 1e-3
	}
	return 0, false
}

// thresholdMargin is the relative margin by which the threshold of Gaussian noise is stricter than δ
// requires, against rounding.
const thresholdMargin = 1e-9

// maxNewGroups is the largest number of groups per person for which every number of new ones is tried.
const maxNewGroups = 4096

// gaussianDelta bounds δ at ε of a Gaussian threshold.
func (p PartitionSelection) gaussianDelta(sigma float64) float64 {
	_, tau := p.share()
	return pairs.GaussianThresholdDelta(sigma, tau*(1-thresholdMargin/2), p.Partitions, p.Epsilon, maxNewGroups)
}

// WithStrategy returns the selection by another strategy with the same ε, δ and number of
// groups.
func (p PartitionSelection) WithStrategy(s Strategy) (PartitionSelection, error) {
	m, err := New(p.Kind(), param.Values{"epsilon": param.NumberValue(p.Epsilon), "delta": param.NumberValue(p.Delta),
		"partitions": param.WholeValue(p.Partitions), "strategy": param.ChoiceValue(string(s)),
		"releases": param.ChoiceValue(cmp.Or(string(p.Output), string(NamesAndCounts)))})
	if err != nil {
		return PartitionSelection{}, err
	}
	return m.(PartitionSelection), nil
}
