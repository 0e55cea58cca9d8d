package mechanisms

import (
	"math"
	"math/rand/v2"
)

// Noise is the distribution of what a mechanism adds to an answer, on the answer's
// own scale.
//
// Rand is for seeing what noise does, never for releasing data: floating-point
// samples leak the answer through their low bits (Mironov 2012).
type Noise interface {
	// Density at x; for a discrete distribution the probability of x itself.
	Density(x float64) float64
	// CDF is P(noise ≤ x).
	CDF(x float64) float64
	// Quantile is the smallest x with CDF(x) ≥ p, for p in (0, 1).
	Quantile(p float64) float64
	// Rand draws one value.
	Rand(r *rand.Rand) float64
	// Discrete reports whether the values are whole numbers.
	Discrete() bool
}

// shape is a continuous distribution. Noise of that shape is it at some scale.
type shape struct {
	density, cdf, quantile func(float64) float64
	rand                   func(*rand.Rand) float64
}

type scaledNoise struct {
	*shape
	scale float64
}

func (n scaledNoise) Density(x float64) float64  { return n.density(x/n.scale) / n.scale }
func (n scaledNoise) CDF(x float64) float64      { return n.cdf(x / n.scale) }
func (n scaledNoise) Quantile(p float64) float64 { return n.scale * n.quantile(p) }
func (n scaledNoise) Rand(r *rand.Rand) float64  { return n.scale * n.rand(r) }
func (scaledNoise) Discrete() bool               { return false }

// lattice is a distribution on the whole numbers.
type lattice struct {
	mass func(k float64) float64 // P(noise = k)
	upTo func(k float64) float64 // P(noise ≤ k)
	near func(p float64) float64 // a quantile, up to rounding
	rand func(*rand.Rand) float64
}

func (l *lattice) Density(x float64) float64 {
	if x != math.Trunc(x) {
		return 0
	}
	return l.mass(x)
}

func (l *lattice) CDF(x float64) float64     { return l.upTo(math.Floor(x)) }
func (l *lattice) Rand(r *rand.Rand) float64 { return l.rand(r) }
func (*lattice) Discrete() bool              { return true }

// Quantile corrects the nearby one for rounding: by one step either way.
func (l *lattice) Quantile(p float64) float64 {
	guess := l.near(p)
	for range 8 {
		switch {
		case l.CDF(guess) < p && guess+1 > guess:
			guess++
		case l.CDF(guess-1) >= p && guess-1 < guess:
			guess--
		default:
			return guess
		}
	}
	return guess
}

// Noisy is a mechanism that adds noise to something: an answer, a score, a query,
// or the norm of a vector of weights.
type Noisy interface {
	Noise() Noise
}

// Answers are the distributions of the answer on a data set whose true answer is 0
// and on a neighbour where it differs as much as it may. It is false for a
// mechanism whose answer is not a number with noise added.
func Answers(m Mechanism, a Adjacency) (here, neighbour Noise, ok bool) {
	switch m := m.(type) {
	case answering:
		here, neighbour = m.answers(a)
		return here, neighbour, true
	case Additive:
		here, neighbour = around(m.Noise(), m.Spread().Sensitivity)
		return here, neighbour, true
	}
	return nil, nil, false
}

// answering is a mechanism, not [Additive], whose answer is a number, or that of a category.
type answering interface {
	answers(Adjacency) (here, neighbour Noise)
}

// shifted is noise around an answer other than 0.
type shifted struct {
	Noise
	by float64
}

func (s shifted) Density(x float64) float64  { return s.Noise.Density(x - s.by) }
func (s shifted) CDF(x float64) float64      { return s.Noise.CDF(x - s.by) }
func (s shifted) Quantile(p float64) float64 { return s.by + s.Noise.Quantile(p) }
func (s shifted) Rand(r *rand.Rand) float64  { return s.by + s.Noise.Rand(r) }

// around is noise about 0 and about the answer of a neighbour.
func around(n Noise, sensitivity float64) (here, neighbour Noise) {
	return n, shifted{n, sensitivity}
}
