package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// SampledReplace is, where a record is changed, a release that sees each record with
// probability q, and of which the same number bounds a changed record and presence
// against absence: (ε, δ) becomes (ln(1+q(e^ε−1)), qδ) (Balle, Barthe & Gaboardi 2018,
// Theorem 2). Its pair is symmetric and is composed once, see [pld.SampledReplace]. Of a
// curve alone, the lesser of a revealed sample's and that of Wang, Balle &
// Kasiviswanathan 2019, Theorem 9.
func SampledReplace(r Release, q float64) Release { return SampledAbsent(r, r, q) }

// SampledAbsent is the same with one promise for presence against absence and another
// for a changed record.
func SampledAbsent(absent, changed Release, q float64) Release {
	if !(q > 0 && q < 1) {
		return RevealedSample(changed, q)
	}
	s := sampledReplace{absent: absent, changed: changed, q: q, mu: math.NaN(), same: absent.Key() == changed.Key()}
	s.made = newMade(about("sampled "+changed.Name(), "sampled-replace", q, absent.Key(), changed.Key()),
		func(p []pld.Pair) pld.Pair { return pld.SampledAbsent(q, p[0], p[1]) }, absent, changed)
	if mu, err := changed.Gaussian(); err == nil && s.same {
		s.mu = mu
	}
	s.revealed = RevealedSample(changed, q)
	s.curve = sync.OnceValue(func() renyi.Curve { return renyi.SampledReplace(curveOf(changed), q) })
	s.rho = sync.OnceValue(func() float64 { return renyi.LargestRatio(curveOf(s)) })
	return s
}

type sampledReplace struct {
	*made
	absent, changed Release
	q               float64
	same            bool    // one number for both
	mu              float64 // NaN unless both are the same Gaussian noise
	revealed        Release
	curve           func() renyi.Curve
	rho             func() float64
}

func (s sampledReplace) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = s.changed.Approximate()
	if err != nil || s.same {
		return special.LogMix(s.q, epsilon), s.q * delta, err
	}
	absent, failed, err := s.absent.Approximate()
	if err != nil || failed > 0 || delta > 0 { // what holds whatever is said of absence
		return epsilon, s.q * delta, nil
	}
	// The record leaves and the other comes in, or both numbers hold for all three laws.
	twice := special.LogMix(s.q, absent) - special.LogMix(s.q, -absent)
	return math.Min(epsilon, math.Min(twice, special.LogMix(s.q, math.Max(absent, epsilon)))), 0, nil
}

func (s sampledReplace) Renyi(alpha float64) (float64, error) {
	if p, ok := behind[pure](s.changed); ok && s.same {
		return ternaryPureRenyi(s.q, p.epsilon, alpha), nil
	}
	plain, err := s.revealed.Renyi(alpha)
	if err != nil {
		return math.Inf(1), err
	}
	least := math.Min(plain, s.divergence(alpha))
	if _, run := s.changed.(composite); s.same && (run || least == plain) {
		least = math.Min(least, s.curve()(alpha))
	}
	return least, nil
}

// ternaryPureRenyi is the divergence of the three losses ±ε′ and 0 that sampling makes of a
// pure ε, ε′ = ln(1+q(e^ε−1)).
func ternaryPureRenyi(q, epsilon, alpha float64) float64 {
	up := special.LogMix(q, epsilon)
	low := -special.Softplus(epsilon)
	return special.DiscreteRenyi([]special.Outcome{
		{LogQ: low, Loss: up},
		{LogQ: math.Log1p(-q) + low + epsilon + special.Log1mExp(-epsilon), Loss: 0},
		{LogQ: low + up, Loss: -up},
	}, alpha)
}

func (s sampledReplace) Concentrated() (rho float64, err error) {
	if _, delta, err := s.Approximate(); err == nil && delta == 0 {
		return s.rho(), nil
	}
	return s.revealed.Concentrated()
}

func (s sampledReplace) Profile(epsilon float64) (delta float64, err error) {
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε)
		other, err := s.Profile(-epsilon)
		return -math.Expm1(epsilon) + math.Exp(epsilon)*other, err
	}
	delta, err = s.revealed.Profile(epsilon)
	if s.same {
		delta, err = s.changed.Profile(math.Log1p(math.Expm1(epsilon) / s.q))
		delta *= s.q
	}
	if pair, perr := s.pair(); perr == nil && err == nil {
		delta = math.Min(delta, pair.Delta(epsilon))
	}
	if err != nil {
		return 1, err
	}
	return delta, nil
}

// centralLimit is the μ of one step in the limit of many, for Gaussian noise: the law is
// that of a sample of fixed size, where a record is changed too.
func (s sampledReplace) centralLimit() (mu float64, err error) {
	if math.IsNaN(s.mu) {
		return 0, errors.New(s.Label + " has no central limit here")
	}
	return uniformLimit(s.q, s.mu), nil
}
