package accounting

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// How one step, or one pass, of training on batches costs with noise of z clipping norms,
// where the batches are not Poisson samples.

// FixedBatch returns a step on a batch of fixed size, sampled anew without replacement; z is the noise
// in clipping norms and q the batch's share of the records. A record in the batch displaces another, so
// the sum changes by two clipping norms. moves selects the adjacency by how far a sampled record then
// changes the sum: 0 for add-remove with a public batch size, whose pair is that of a Poisson sample
// with half the noise; 1 for zero-out and 2 for replace, whose pair is symmetric with an atom at 0
// (Zhu, Dong & Wang 2022, Theorem 11).
func FixedBatch(z, q, moves float64) Release {
	switch {
	case !validNoise(z):
		return NewUnsupported("a batch of fixed size", problemNoise)
	case moves != 0 && moves != 1 && moves != 2:
		return NewUnsupported("a batch of fixed size", "moves must be 0 (add-remove), 1 (zero-out) or 2 (replace) clipping norms")
	}
	noise := GaussianDP(2 / z)
	if moves > 0 {
		return WithName(SampledReplaceBy(noise, GaussianDP(moves/z), q), "a batch of fixed size")
	}
	return fixedBatch{Subsample(noise, q)}
}

const problemNoise = "the noise multiplier must be a finite number above 0"

// validNoise reports whether a noise multiplier can be one.
func validNoise(z float64) bool { return finite(z) && z > 0 }

// fixedBatch must not be treated as a Poisson sample in group privacy: the number of a person's records in a
// fixed-size batch is not binomial.
type fixedBatch struct{ Release }

func (f fixedBatch) Name() string { return "a batch of fixed size" }
func (f fixedBatch) Key() string  { return "fixed-batch(" + KeyOf(f.Release) + ")" }
func (fixedBatch) ownKey()        {}

func (f fixedBatch) centralLimit() (mu float64, err error) { return centralLimit(f.Release) }

// TruncatedBatch returns a step under add-remove on a Poisson sample of n records at rate q, cut to at most
// size records chosen uniformly; n is the larger of the two numbers of records. The pair reveals whether the
// other records fill the batch. With probability τ they do; the record is then kept with probability p and
// displaces another (Ganesh 2025). No data are known that attain both cases, because data that reveal a
// displaced record also reveal how many others were sampled. The lower end is that of a record among others
// that add nothing.
func TruncatedBatch(z, q, n, size float64) Release {
	if !validNoise(z) || !(q > 0) || !finite(n, size) || !(n >= 1 && size >= 1) {
		return NewUnsupported("a truncated batch", problemNoise+", the sampling rate above 0, and records and size at least 1")
	}
	tau, p, ok := Overflow(n, q, size)
	open, _, summed := Overflow(n, 1-q, n-size) // fewer than size others are drawn: n − size or more are not
	switch {
	case !ok || !summed:
		return NewUnsupported("a truncated batch", "the sample is too large for its overflow to be summed")
	case tau == 0:
		return Subsample(GaussianDP(1/z), q)
	case q >= 1 || open == 0: // all batches are full
		return FixedBatch(z, p, 0)
	}
	kept := (q - tau*(q-p)) * (1 - 1e-9)        // less than what Overflow may be off by
	open = math.Min(1-tau+2e-11, open*(1+1e-6)) // 1 − q has lost digits, and τ is rounded up
	return newRevealed("a truncated batch", []float64{open, tau},
		[]Release{Subsample(GaussianDP(1/z), q), Subsample(GaussianDP(2/z), p)}, Subsample(GaussianDP(1/z), kept),
		"the upper end tells whether a batch is full; the lower end is a record among others that add nothing, so the interval is not tight")
}

// Overflow returns the probability τ that n − 1 records, each sampled with probability q, fill a batch of the
// given size, and the probability p that one more record is then sampled and kept: τ = P[N ≥ size], p =
// E[q·size/(N+1) | N ≥ size]. ok is false if the sums are too long to compute.
func Overflow(n, q, size float64) (tau, p float64, ok bool) {
	const most = 1e7 // terms
	others := n - 1
	if q >= 1 { // everybody is drawn
		if size > others {
			return 0, 0, true
		}
		return 1, size / n, true
	}
	start := math.Max(size, math.Floor(n*q))
	if !(start <= others) {
		return 0, 0, true
	}
	kept, odds := 0.0, q/(1-q)
	count := 0
	add := func(j, term float64) bool {
		tau += term
		kept += term * q * size / (j + 1)
		count++
		return term > 1e-20*tau && count < most
	}
	first := math.Exp(special.LogBinomial(start, others, q))
	for j, term := start, first; j <= others && add(j, term); j++ {
		term *= (others - j) / (j + 1) * odds
	}
	for j, term := start, first; j > size; {
		term *= j / (others - j + 1) / odds
		if j--; !add(j, term) {
			break
		}
	}
	if tau = math.Min(1, tau*(1+1e-11)); tau == 0 {
		return 0, 0, true // less than a number can hold, a δ of 1e-300
	}
	return tau, math.Min(q, kept/tau*(1+1e-10)), count < most
}

// AllocatedPass returns the release of one pass over the data in which each record goes to one
// of t batches, evenly and independently (balls and bins), under add-remove; see
// [pld.Allocation].
func AllocatedPass(t, z float64) Release {
	switch {
	case !validNoise(z) || !(finite(t) && t >= 1):
		return NewUnsupported("a pass over allocated batches", problemNoise+", and the number of batches per pass at least 1")
	case t == 1:
		return GaussianDP(1 / z)
	}
	return allocated{newDerived(newKeyed("a pass over allocated batches", "allocated", t, z),
		func([]pairs.Pair) pairs.Pair { return pairs.Allocation(t, z) }), z}
}

// AllocatedPassBetween returns one pass over allocated batches whose number is between fewest and most. The
// upper end is that of the fewest, which hide least; the lower end is that of the most.
func AllocatedPassBetween(fewest, most, z float64) Release {
	upper, lower := AllocatedPass(fewest, z), AllocatedPass(most, z)
	if !(most > fewest) {
		return upper
	}
	return bracketed{upper, lower, "1/q is not whole: the upper end has " + numeral.Format(fewest) + " batches per pass, the lower end " + numeral.Format(most)}
}

// bracketed is a release known between two others.
type bracketed struct {
	Release // what dominates it
	lower   Release
	note    string
}

func (b bracketed) Key() string { return "between(" + KeyOf(b.Release) + "," + KeyOf(b.lower) + ")" }

func (bracketed) ownKey() {}

// Gaussian noise is only what dominates it.
func (b bracketed) Gaussian() (mu float64, err error) {
	return 0, errors.New(b.Name() + " lies between two others; it is not Gaussian noise")
}

func (b bracketed) Pair() (pairs.Pair, error) {
	upper, err := pairOf(b.Release)
	if err != nil {
		return upper, err
	}
	lower, err := pairOf(b.lower)
	if err != nil {
		return lower, err
	}
	return pairs.Bracket(upper, lower, b.note), nil
}

// PossiblePass returns a pass that need not take place: the upper end includes its cost, the lower end does
// not.
func PossiblePass(r Release) Release { return possible{checkAnswers(r)} }

type possible struct{ Release }

func (p possible) Key() string { return "possible(" + KeyOf(p.Release) + ")" }

func (possible) ownKey() {}

func (p possible) Pair() (pairs.Pair, error) {
	pair, err := pairOf(p.Release)
	if err != nil {
		return pair, err
	}
	return pairs.UpperOnly(pair, "1/q is not whole: with more batches per pass there are fewer passes, which is what the lower end has"), nil
}

type allocated struct {
	*derived // takes tens of milliseconds
	z        float64
}

func (a allocated) Approximate() (epsilon, delta float64, err error) {
	return GaussianDP(1 / a.z).Approximate()
}

func (a allocated) Renyi(alpha float64) (float64, error) {
	if alpha = math.Max(alpha, 1+1e-4); math.IsInf(alpha, 1) {
		return alpha, nil
	}
	return a.divergence(alpha), nil
}

func (a allocated) Concentrated() (rho float64, err error) { return a.noGain("allocation") }

func (a allocated) Profile(epsilon float64) (delta float64, err error) {
	pair, err := a.pair()
	return pair.Delta(epsilon), err
}

// ShuffledPass returns the release of one pass over shuffled batches of fixed size, t of them
// that each hold a share q of the records, for a person with k records, under zero-out or, with
// changed, under replace. No amplification by shuffling is proven: it costs at most what
// Gaussian noise does whose answer moves by k clipping norms (2k under replace), and at least
// what the better of two attacks attains; see [pairs.ShuffledEpoch] and [pairs.ShuffledEpochBySum].
func ShuffledPass(t, z, q, k float64, changed bool) Release {
	if !validNoise(z) || !(finite(t, k) && t >= 1 && k >= 1) || !(q > 0) {
		return NewUnsupported("a pass over shuffled batches", problemNoise+", the sampling rate above 0, and the numbers of batches and of records at least 1")
	}
	mu, share := k/z, math.Min(1, t*q)
	if changed {
		mu *= 2
	}
	if t <= 1 && share >= 1 {
		return GaussianDP(mu)
	}
	attackedBy := func(attack func(t, z, share float64, replace bool) pairs.Pair) func() pairs.Pair {
		return sync.OnceValue(func() pairs.Pair {
			one := attack(t, z, share, changed)
			if k == 1 {
				return one
			}
			return pairs.Bracket(pairs.Gaussian(mu), one, "the lower end is an attack on one of the person's records")
		})
	}
	key := newKeyed("a pass over shuffled batches", "shuffled", t, z, share, mu, changed)
	return atMostGaussian{gaussian{key, mu, attackedBy(pairs.ShuffledEpoch)}, attackedBy(pairs.ShuffledEpochBySum)}
}

// AtMostGaussian returns a release that Gaussian noise of μ dominates, and that dominates noise of
// the least μ; the note says why they differ.
func AtMostGaussian(name string, mu, least float64, note string) Release {
	if !finite(mu, least) || least > mu {
		return NewUnsupported(name, "μ must be a finite number of at least 0, and its lower end no larger")
	}
	pair := func() pairs.Pair { return pairs.Bracket(pairs.Gaussian(mu), pairs.Gaussian(least), note) }
	return atMostGaussian{gaussian{newKeyed(name, "at-most-gaussian", mu, least), mu, sync.OnceValue(pair)}, nil}
}

type atMostGaussian struct {
	gaussian
	other func() pairs.Pair // the pair with another attack from below; nil if there is none
}

// secondAttack is a release of which two attacks from below are known: neither is the better one for every count and δ.
type secondAttack interface {
	// pairBySecond returns the pair with the second attack as its lower end; false if there is none.
	pairBySecond() (pairs.Pair, bool)
}

func (a atMostGaussian) pairBySecond() (pairs.Pair, bool) {
	if a.other == nil {
		return pairs.Pair{}, false
	}
	return a.other(), true
}

// chooseAttacks gives every release of which two attacks are known the pair with the one that reaches the larger ε, for
// as many of them as the stack has.
func (l *preparedStack) chooseAttacks(ctx context.Context, parts []pairs.Part) {
	delta := cmp.Or(l.target.Delta, 1e-6)
	for i, e := range l.entries {
		a, ok := unwrapAs[secondAttack](e.Release)
		if !ok {
			continue
		}
		other, ok := a.pairBySecond()
		if !ok {
			continue
		}
		reached := func(p pairs.Pair) float64 {
			found, err := pld.Epsilon(ctx, []pairs.Part{{Pair: p, Count: e.Count}}, delta, pld.Options{Width: 1e-2})
			if err != nil {
				return 0
			}
			return found.Lower
		}
		if reached(other) > reached(parts[i].Pair) {
			parts[i].Pair = other
		}
	}
}

func (a atMostGaussian) Gaussian() (mu float64, err error) {
	return 0, errors.New(a.Label + " costs at most what Gaussian noise does; it is not that noise, see the numerical bound")
}

// GaussianBound returns the least μ of which a release is known to be μ-GDP, whether or not it is
// Gaussian noise itself. A release with a pure ε has one too: see [PureToGaussian].
func GaussianBound(r Release) (mu float64, err error) {
	if a, ok := unwrapAs[atMostGaussian](r); ok {
		return a.mu, nil
	}
	if mu, err = r.Gaussian(); err == nil || errors.As(err, new(wrongAnswer)) {
		return mu, err
	}
	if epsilon, delta, none := r.Approximate(); none == nil && delta == 0 {
		if mu := PureToGaussian(epsilon); finite(mu) {
			return mu, nil
		}
	}
	return mu, err
}

// PureToGaussian returns the least μ, rounded up, for which every ε-DP release is μ-GDP. Randomized response with ε is
// the worst of them. Its trade-off function is linear between (0, 1), (x, x) and (1, 0) with x = 1/(1+e^ε), and
// that of Gaussian noise is convex, so it lies below if it does at (x, x): μ = 2Φ⁻¹(1−x). It is infinite above ε = 700.
func PureToGaussian(epsilon float64) float64 {
	x := 1 / (1 + math.Exp(epsilon))
	if !(epsilon > 0) {
		return 0
	}
	if epsilon > 700 {
		return math.Inf(1)
	}
	mu := -2 * special.NormalQuantile(x)
	return mu*(1+1e-12) + 1e-15 // x and the quantile are rounded
}

// PartOf returns a pass that ends early. It costs at most as much as the whole pass, and at least as much as
// attained, the release of the batches that were used.
func PartOf(whole, attained Release) Release {
	return bracketed{checkAnswers(whole), checkAnswers(attained),
		"the last pass is not whole: the upper end takes it for whole, the lower end is an attack on the batches that it has, so the interval is not tight"}
}
