package accounting

import (
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// RevealedSample returns a release that samples each record with probability q, if its guarantee
// is for a replaced record and says nothing of an absent one. Sampling then hides only whether
// the record was sampled, and the output may reveal that: data in which the rows are numbered
// attain it. So (ε, δ) becomes (ε, qδ), a profile q·δ(ε), a Rényi curve
// ln(1−q+q·e^{(α−1)D})/(α−1); all by the joint convexity of f-divergences.
func RevealedSample(r Release, q float64) Release {
	r = checkAnswers(r)
	if r, ok := trivialSample(r, q); ok {
		return r
	}
	return newRevealed("sampled "+r.Name(), []float64{1 - q, q}, []Release{PureDP(0), r}, nil, "")
}

// FrequencyOracle returns a local report that, for two values of a person, differs in distribution with
// probability w only: by randomized response of ε, and the report shows whether it does. All ratios of its
// densities are e^ε, 1 or e^{−ε}.
func FrequencyOracle(epsilon, w float64) Release {
	const name = "a frequency oracle"
	if r, ok := trivialSample(PureDP(epsilon), w); ok {
		return WithName(r, name)
	}
	return newRevealed(name, []float64{1 - w, w}, []Release{PureDP(0), PureDP(epsilon)}, nil, "")
}

// trivialSample returns the release itself if its rate is 1 or more, and an unsupported one if the rate
// is not above 0; else false.
func trivialSample(r Release, q float64) (Release, bool) {
	switch {
	case !(q > 0): // a rate of 0 is a forgotten one: what sees no record is no release
		return NewUnsupported("sampled "+r.Name(), "the sampling rate must be greater than 0 and at most 1"), true
	case q >= 1:
		return r, true
	}
	return nil, false
}

// maxRevealed is the largest number of sampled records that is treated separately.
const maxRevealed = 48

// RevealedGroup returns a revealed sample (see [RevealedSample]) for a person with k records,
// each sampled independently: with the number j of sampled ones revealed, a binomial mixture of
// of(j), the release for j records.
func RevealedGroup(of func(j float64) Release, q, k float64) Release {
	name := "sampled " + checkAnswers(of(1)).Name()
	k = math.Ceil(k)
	switch {
	case !(q > 0) || !(finite(k) && k >= 1):
		return NewUnsupported(name, "the sampling rate must be greater than 0, and the size of a group a finite number of at least 1")
	case q >= 1:
		return of(k)
	case k <= 1:
		return RevealedSample(of(1), q)
	}
	var weights []float64
	parts := []Release{PureDP(0)}
	left := 1.0
	for j := 0.0; j <= math.Min(k, maxRevealed); j++ {
		w := math.Exp(special.LogBinomial(j, k, q))
		weights = append(weights, w)
		left -= w
		if j > 0 {
			parts = append(parts, checkAnswers(of(j)))
		}
	}
	if k <= maxRevealed {
		return newRevealed(name, weights, parts, nil, "")
	}
	// Larger numbers count as all k from above, as maxRevealed from below.
	least, most := manySampledProbability(k, q, left)
	attained := newRevealed(name, append(slices.Clone(weights), least),
		append(slices.Clone(parts), of(maxRevealed)), nil, "")
	return newRevealed(name, append(weights, most), append(parts, of(k)), attained,
		"a person has too many records to treat every possible number of sampled ones separately, so the interval is not tight")
}

// manySampledProbability bounds the probability that more than maxRevealed records are sampled, left
// being 1 minus the probabilities up to there. From one number to the next, probabilities fall
// by a factor that falls itself: if it is at most ½, the first is half of the sum or more.
func manySampledProbability(k, q, left float64) (least, most float64) {
	const next, error = maxRevealed + 1, 1e-12
	first := math.Exp(special.LogBinomial(next, k, q))
	least, most = math.Max(first*(1-error), left-error), math.Max(0, left)+error
	if (k-next)/(next+1)*q/(1-q) <= 0.5 {
		most = math.Min(most, math.Max(2*first, 1e-300)) // the first may have underflowed
	}
	return math.Min(least, most), most
}

// newRevealed mixes releases; attained, if any, is what is known from below, and note says why.
func newRevealed(name string, weights []float64, parts []Release, attained Release, note string) Release {
	var keys []any
	for i, p := range parts {
		keys = append(keys, weights[i], KeyOf(p))
	}
	r := revealed{weights: weights, parts: parts}
	of := slices.Clone(parts)
	if attained != nil {
		of, keys = append(of, attained), append(keys, KeyOf(attained))
	}
	r.derived = newDerived(newKeyed(name, "revealed", keys...), func(p []pairs.Pair) pairs.Pair {
		upper := pairs.RevealedMixture(weights, p[:len(parts)])
		if attained == nil {
			return upper
		}
		return pairs.Bracket(upper, p[len(parts)], note)
	}, of...)
	r.rho = sync.OnceValue(func() float64 { return renyi.LargestRatio(curveOf(r)) })
	return r
}

type revealed struct {
	*derived
	weights []float64
	parts   []Release
	rho     func() float64
}

// Approximate returns the largest ε with the mean δ.
func (r revealed) Approximate() (epsilon, delta float64, err error) {
	for i, p := range r.parts {
		e, d, err := p.Approximate()
		if err != nil {
			return 0, 0, err
		}
		epsilon, delta = math.Max(epsilon, e), delta+r.weights[i]*d
	}
	return epsilon, math.Min(1, delta), nil
}

func (r revealed) Renyi(alpha float64) (float64, error) {
	values := make([]float64, len(r.parts))
	for i, p := range r.parts {
		v, err := p.Renyi(alpha)
		if err != nil {
			return math.Inf(1), err
		}
		values[i] = v
	}
	return special.MixedRenyi(r.weights, values, math.Max(1, alpha)), nil
}

// Concentrated returns the largest D_α/α of a pure release. Of others the ρ without sampling
// holds, and for Gaussian noise nothing less does: at large orders the curve gets there.
func (r revealed) Concentrated() (rho float64, err error) {
	for _, p := range r.parts {
		one, err := p.Concentrated()
		if err != nil {
			return math.Inf(1), err
		}
		rho = math.Max(rho, one)
	}
	if _, delta, err := r.Approximate(); err == nil && delta == 0 {
		rho = math.Min(rho, r.rho())
	}
	return rho, nil
}

func (r revealed) Profile(epsilon float64) (delta float64, err error) {
	for i, p := range r.parts {
		d, err := p.Profile(epsilon)
		if err != nil {
			return 1, err
		}
		delta += r.weights[i] * d
	}
	return math.Min(1, delta), nil
}
