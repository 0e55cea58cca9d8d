package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// Subsample is a release that sees each record independently with probability q
// (Poisson sampling, add-remove adjacency). q ≥ 1 is the release itself, q ≤ 0 one
// that sees nothing.
//
// Its (ε, δ) is (ln(1+q(e^ε−1)), qδ) (Balle, Barthe & Gaboardi 2018, Theorem 8). Its
// Rényi curve is the mixture pair's own, in the worse direction (Zhu, Dong & Wang
// 2022, Theorem 11); of a release with a curve but no pair it is the bound of Zhu &
// Wang 2019. Where nothing better is known it costs what it cost without sampling.
func Subsample(r Release, q float64) Release {
	if r, ok := unsampled(r, q); ok {
		return r
	}
	s := sampled{inner: r, q: q, mu: math.NaN()}
	s.made = newMade(about("sampled "+r.Name(), "sampled", q, r.Key()), func(p []pld.Pair) pld.Pair { return pld.Subsample(q, p[0]) }, r)
	if mu, err := r.Gaussian(); err == nil {
		s.mu = mu
	}
	s.curve = sync.OnceValue(func() renyi.Curve { return renyi.Sampled(curveOf(r), q) })
	s.rho = sync.OnceValue(func() float64 { return renyi.LargestRatio(curveOf(s)) })
	return s
}

// unsampled is what is left of sampling where there is none, or nothing is drawn.
func unsampled(r Release, q float64) (Release, bool) {
	switch {
	case math.IsNaN(q):
		return Refused("sampled "+r.Name(), "the sampling rate must be a number between 0 and 1"), true
	case q >= 1:
		return r, true
	case q <= 0:
		return Named(PureDP(0), "sampled "+r.Name()), true
	}
	return nil, false
}

type sampled struct {
	*made
	inner Release
	q     float64
	mu    float64 // NaN unless the inner release is Gaussian noise
	curve func() renyi.Curve
	rho   func() float64
}

func (s sampled) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = s.inner.Approximate()
	if err != nil {
		return epsilon, delta, err
	}
	return special.LogMix(s.q, epsilon), s.q * delta, nil
}

func (s sampled) Renyi(alpha float64) (float64, error) {
	if !math.IsNaN(s.mu) {
		return s.memo.At(alpha, s.gaussianRenyi), nil
	}
	if p, ok := behind[pure](s.inner); ok {
		return sampledPureRenyi(s.q, p.epsilon, alpha), nil
	}
	plain, err := s.inner.Renyi(alpha)
	if err != nil {
		return math.Inf(1), err
	}
	least := math.Min(plain, s.divergence(alpha)) // mixing with Q never raises a divergence
	if _, run := s.inner.(composite); run || least == plain {
		least = math.Min(least, s.curve()(alpha))
	}
	return least, nil
}

// gaussianRenyi is that of sampled Gaussian noise: an integral or, where that would take too
// long, what is known of the pair, the removal of a record being its larger direction
// (Mironov, Talwar & Zhang 2019, Theorem 5).
func (s sampled) gaussianRenyi(alpha float64) float64 {
	least := math.Max(1, alpha) * s.mu * s.mu / 2 // mixing with Q never raises a divergence
	if r, ok := renyi.SampledGaussian(s.q, s.mu, alpha); ok {
		return math.Min(least, r)
	}
	if pair, err := s.pair(); err == nil {
		least = math.Min(least, pair.Remove.Renyi(alpha))
	}
	return least
}

// sampledPureRenyi is the larger divergence of the two-point mixture (1−q)Q + qP
// against Q and back, (P, Q) randomized response with the given ε.
func sampledPureRenyi(q, epsilon, alpha float64) float64 {
	up, down := special.LogMix(q, epsilon), special.LogMix(q, -epsilon)
	lie, truth := -special.Softplus(epsilon), -special.Softplus(-epsilon)
	remove := []special.Outcome{{LogQ: lie, Loss: up}, {LogQ: truth, Loss: down}}
	add := []special.Outcome{{LogQ: lie + up, Loss: -up}, {LogQ: truth + down, Loss: -down}}
	return math.Max(special.DiscreteRenyi(remove, alpha), special.DiscreteRenyi(add, alpha))
}

// Concentrated is the largest D_α/α, which is finite and below the ρ without
// sampling for pure releases only: at large orders the curve of sampled Gaussian
// noise reaches the line it had without.
func (s sampled) Concentrated() (rho float64, err error) {
	if _, delta, err := s.inner.Approximate(); err == nil && delta == 0 {
		return s.rho(), nil
	}
	return s.noGain("sampling")
}

func (s sampled) Profile(epsilon float64) (delta float64, err error) {
	delta = 1
	if pair, perr := s.pair(); perr == nil {
		delta = pair.Delta(epsilon)
		if _, run := s.inner.(composite); !run || epsilon < 0 {
			return delta, nil
		}
	}
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε) of the other direction
		other, err := s.Profile(-epsilon)
		return -math.Expm1(epsilon) + math.Exp(epsilon)*other, err
	}
	inner, err := s.inner.Profile(math.Log1p(math.Expm1(epsilon) / s.q))
	if err != nil {
		return 1, err
	}
	return math.Min(delta, s.q*inner), nil
}

// centralLimit is the μ of one step in the limit of many, for Gaussian noise.
func (s sampled) centralLimit() (mu float64, err error) {
	if math.IsNaN(s.mu) {
		return 0, errors.New(s.Label + " has no central limit here")
	}
	return poissonLimit(s.q, s.mu), nil
}
