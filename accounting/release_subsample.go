package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// Subsample returns a release that sees each record independently with probability q > 0
// (Poisson sampling, add-remove adjacency). q ≥ 1 is the release itself.
//
// Its (ε, δ) is (ln(1+q(e^ε−1)), qδ) (Balle, Barthe & Gaboardi 2018, Theorem 8). Its
// Rényi curve is the mixture pair's own, in the worse direction (Zhu, Dong & Wang
// 2022, Theorem 11); of a release with a curve but no pair it is the bound of Zhu &
// Wang 2019. Where nothing better is known it costs what it cost without sampling.
func Subsample(r Release, q float64) Release {
	r = checkAnswers(r)
	if r, ok := trivialSample(r, q); ok {
		return r
	}
	return newSampled(sampled{inner: r, addRemove: r, plain: r, q: q,
		derived: newDerived(newKeyed("sampled "+r.Name(), "sampled", q, KeyOf(r)), func(p []pairs.Pair) pairs.Pair {
			return pairs.Subsample(q, p[0])
		}, r)},
		renyi.SampledCurve)
}

// SampledReplace returns, under replace, a release that samples each record with probability q,
// if its one guarantee holds both under replace and under add-remove: (ε, δ)
// becomes (ln(1+q(e^ε−1)), qδ) (Balle, Barthe & Gaboardi 2018, Theorem 2). Its pair is symmetric
// and is composed once, see [pld.SampledReplace]. If only a Rényi curve is known, the result is
// the lesser of a revealed sample's and that of Wang, Balle & Kasiviswanathan 2019, Theorem 9.
func SampledReplace(r Release, q float64) Release { return SampledReplaceBy(r, r, q) }

// SampledReplaceBy returns, under replace, a release that samples each record with probability q,
// from two guarantees of the release without sampling: addRemove is for add-remove, replace for replace.
func SampledReplaceBy(addRemove, replace Release, q float64) Release {
	addRemove, replace = checkAnswers(addRemove), checkAnswers(replace)
	if !(q > 0 && q < 1) {
		return RevealedSample(replace, q)
	}
	return newSampled(sampled{inner: replace, addRemove: addRemove,
		plain: RevealedSample(replace, q), q: q, replace: true,
		derived: newDerived(newKeyed("sampled "+replace.Name(), "sampled-replace", q, KeyOf(addRemove), KeyOf(replace)),
			func(p []pairs.Pair) pairs.Pair { return pairs.SampledReplaceBy(q, p[0], p[1]) }, addRemove, replace)},
		renyi.SampledReplace)
}

type sampled struct {
	*derived
	inner     Release // what is sampled
	addRemove Release // its guarantee under add-remove; inner itself if one guarantee holds for both
	plain     Release // what holds without amplification: inner or, under replace, the revealed sample
	q         float64
	replace   bool // the guarantee is for replace; else for add-remove

	same  bool    // one number for both
	run   bool    // inner is several releases
	mu    float64 // NaN unless it is Gaussian noise
	noise *renyi.SampledGaussian
	curve func() renyi.Curve
	rho   func() float64
}

func newSampled(s sampled, amplify func(renyi.Curve, float64) renyi.Curve) Release {
	s.same, s.mu = KeyOf(s.addRemove) == KeyOf(s.inner), math.NaN()
	_, s.run = s.inner.(composite)
	if mu, err := s.inner.Gaussian(); err == nil && s.same {
		s.mu, s.noise = mu, renyi.NewSampledGaussian(s.q, mu)
	}
	s.curve = sync.OnceValue(func() renyi.Curve { return amplify(curveOf(s.inner), s.q) })
	s.rho = sync.OnceValue(func() float64 { return renyi.LargestRatio(curveOf(s)) })
	return s
}

func (s sampled) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = s.inner.Approximate()
	if err != nil || s.same {
		return special.LogMix(s.q, epsilon), s.q * delta, err
	}
	addRemove, failed, err := s.addRemove.Approximate()
	if err != nil || failed > 0 || delta > 0 { // what holds whatever is said of absence
		return epsilon, s.q * delta, nil
	}
	// The record leaves and the other comes in, or both numbers hold for all three distributions.
	twice := special.LogMix(s.q, addRemove) - special.LogMix(s.q, -addRemove)
	return math.Min(epsilon, math.Min(twice, special.LogMix(s.q, math.Max(addRemove, epsilon)))), 0, nil
}

func (s sampled) Renyi(alpha float64) (float64, error) {
	if !math.IsNaN(s.mu) && !s.replace {
		return s.memo.At(alpha, s.gaussianRenyi), nil
	}
	worst := s.worstPureRenyi(alpha)
	if _, isPure := unwrapAs[pure](s.inner); isPure && s.same {
		return worst, nil
	}
	plain, err := s.plain.Renyi(alpha)
	if err != nil {
		return math.Inf(1), err
	}
	least := math.Min(plain, s.divergence(alpha)) // mixing with Q never raises a divergence
	if mu := s.larger(); !s.same && !math.IsNaN(mu) {
		both, _ := SampledReplace(GaussianDP(mu), s.q).Renyi(alpha)
		least = math.Min(least, both)
	}
	if s.same && (s.run || least == plain) {
		least = math.Min(least, s.curve()(alpha))
	}
	return math.Min(least, worst), nil
}

// larger returns the μ of Gaussian noise that bounds both replace and add-remove; NaN
// for other noise.
func (s sampled) larger() float64 {
	changed, err := s.inner.Gaussian()
	addRemove, none := s.addRemove.Gaussian()
	if err != nil || none != nil {
		return math.NaN()
	}
	return math.Max(changed, addRemove)
}

// worstPureRenyi returns the divergence of any release with the same pure ε, the larger of both
// numbers where absence has its own; +Inf where there is none. It falls with the square of
// the rate. That of a pair does not: it is charged with what rounding does to masses that
// add up to 1, 1e-15, and below a rate of 1e-6 that is all there is to it.
func (s sampled) worstPureRenyi(alpha float64) float64 {
	epsilon, delta, err := s.inner.Approximate()
	addRemove, failed, none := s.addRemove.Approximate()
	epsilon = math.Max(epsilon, addRemove)
	switch {
	case err != nil || none != nil || delta > 0 || failed > 0:
		return math.Inf(1)
	case s.replace:
		return renyi.SampledReplacePure(s.q, epsilon, alpha)
	}
	return renyi.SampledPure(s.q, epsilon, alpha)
}

// gaussianRenyi returns D_α of sampled Gaussian noise: an integral or, if that would take too
// long, the bound of the pair, the removal of a record being its larger direction (Mironov,
// Talwar & Zhang 2019, Theorem 5). It is asked by way of the memo, which lets one in at a time.
func (s sampled) gaussianRenyi(alpha float64) float64 {
	least := math.Max(1, alpha) * s.mu * s.mu / 2 // mixing with Q never raises a divergence
	if r, ok := s.noise.Renyi(alpha); ok {
		return math.Min(least, r)
	}
	if pair, err := s.pair(); err == nil {
		least = math.Min(least, pair.Remove.Renyi(alpha))
	}
	return least
}

// Concentrated returns the largest D_α/α, which is finite and below the ρ without
// sampling for pure releases only: at large orders the curve of sampled Gaussian
// noise reaches the line it had without.
func (s sampled) Concentrated() (rho float64, err error) {
	_, delta, err := s.inner.Approximate()
	switch {
	case err == nil && delta == 0:
		return s.rho(), nil
	case s.replace:
		return s.plain.Concentrated()
	}
	return s.noGain("sampling")
}

// Profile returns δ(ε) of the pair or, for a run and under replace, the smaller of it and the δ
// that the (ε, δ) amplify to.
func (s sampled) Profile(epsilon float64) (delta float64, err error) {
	pair, none := s.pair()
	if none == nil && !s.replace && (!s.run || epsilon < 0) {
		return pair.Delta(epsilon), nil
	}
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε) of the other direction
		other, err := s.Profile(-epsilon)
		return -math.Expm1(epsilon) + math.Exp(epsilon)*other, err
	}
	if s.same {
		delta, err = s.inner.Profile(special.LogUnmix(s.q, epsilon))
		delta *= s.q
	} else {
		delta, err = s.plain.Profile(epsilon)
	}
	switch {
	case err != nil:
		return 1, err
	case none == nil:
		delta = math.Min(delta, pair.Delta(epsilon))
	}
	return delta, nil
}

// centralLimit returns the μ of one step in the limit of many, for Gaussian noise. Where a record
// is replaced the distribution is that of a sample of fixed size.
func (s sampled) centralLimit() (mu float64, err error) {
	switch {
	case math.IsNaN(s.mu):
		return 0, errors.New(s.Label + " has no central limit here")
	case s.replace:
		return uniformLimit(s.q, s.mu), nil
	}
	return poissonLimit(s.q, s.mu), nil
}
