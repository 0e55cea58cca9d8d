package mechanisms

import (
	"errors"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting/numeral"
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

// integerNoise is a distribution on the whole numbers.
type integerNoise struct {
	mass func(k float64) float64 // P(noise = k)
	upTo func(k float64) float64 // P(noise ≤ k)
	near func(p float64) float64 // a quantile, up to rounding
	rand func(*rand.Rand) float64
}

func (l *integerNoise) Density(x float64) float64 {
	if x != math.Trunc(x) {
		return 0
	}
	return l.mass(x)
}

func (l *integerNoise) CDF(x float64) float64     { return l.upTo(math.Floor(x)) }
func (l *integerNoise) Rand(r *rand.Rand) float64 { return l.rand(r) }
func (*integerNoise) Discrete() bool              { return true }

// Quantile corrects the nearby one for rounding: by one step either way.
func (l *integerNoise) Quantile(p float64) float64 {
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

// Answers returns the distributions of the answer on a data set whose true answer is 0
// and on a neighbour where it differs as much as it may. It is false for a
// mechanism whose answer is not a number with noise added.
func Answers(m Mechanism, a Adjacency) (here, neighbour Noise, ok bool) {
	switch m := m.(type) {
	case answering:
		here, neighbour = m.answers(a)
		return here, neighbour, true
	case Additive:
		here, neighbour = neighbourNoise(m.Noise(), m.Spread().Sensitivity)
		return here, neighbour, true
	}
	return nil, nil, false
}

// answering is a mechanism whose answer is a number, or that of a category, and differs from a neighbour's by more than
// a shift; what it says comes before what follows from [Additive].
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

// neighbourNoise returns noise about 0 and about the answer of a neighbour.
func neighbourNoise(n Noise, sensitivity float64) (here, neighbour Noise) {
	return n, shifted{n, sensitivity}
}

// Accuracy is the error of answers, in units of the answer.
type Accuracy struct {
	Each  float64 // error of one answer, exceeded with probability β at most
	Joint float64 // error of the worst of all answers, exceeded with probability β at most
	Unit  string
}

// ErrorOf returns the accuracy of count answers at confidence 1 − β; of additive noise that of
// the noise, b·ln(m/β) for m answers with Laplace noise. The error says why there is none,
// worded for a user.
func ErrorOf(m Mechanism, beta, count float64) (Accuracy, error) {
	switch m := m.(type) {
	case measured:
		return m.Error(beta, count)
	case Additive:
		return symmetric(m.Noise(), beta, count)
	}
	return Accuracy{}, errors.New(specOf(m).NoError)
}

// measured is a mechanism that states its error itself; what it says comes before what follows from [Additive].
type measured interface {
	Error(beta, count float64) (Accuracy, error)
}

func checkConfidence(beta, count float64) error {
	if !(beta > 0 && beta < 1) {
		return errors.New("the failure probability of an error must lie between 0 and 1, got " + numeral.Format(beta))
	}
	if !(count >= 1) || math.IsInf(count, 1) {
		return errors.New("the number of answers must be at least 1, got " + numeral.Format(count))
	}
	return nil
}

// symmetric returns the accuracy under noise that is symmetric about 0. The error of the
// worst of m answers is that of one at β/m: the union bound, b·ln(m/β) for Laplace
// noise, which asks nothing of how the answers depend on each other.
func symmetric(n Noise, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	// −Quantile(β/2), and not Quantile(1−β/2), as the latter has no digits left
	// for the β/m of a large count.
	return Accuracy{Each: -n.Quantile(beta / 2), Joint: -n.Quantile(beta / count / 2), Unit: "answer"}, nil
}
