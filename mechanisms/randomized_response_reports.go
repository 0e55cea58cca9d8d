package mechanisms

import (
	"errors"
	"math"
	"math/rand/v2"
)

// Estimator is a mechanism whose answers say something only together.
type Estimator interface {
	// EstimateError returns the accuracy at confidence 1 − β of count estimates, each from the
	// answers of the given number of records (0 if not known).
	EstimateError(beta, count, records float64) (Accuracy, error)
}

// EstimatorVariance returns the variance of the estimate (Y − q)/(p − q) of the share of a category
// from n independent people, a share of whom has it: λ(1−λ)/(n(p−q)²), with λ = q + share·(p−q)
// the chance that it is reported, p that of the truth and q that of one lie (Wang, Blocki, Li,
// Jha 2017). With two categories p − q is 2γ.
func (r RandomizedResponse) EstimatorVariance(share, n float64) float64 {
	lie, gap := r.gap()
	reported := lie + share*gap
	return reported * (1 - reported) / (gap * gap * n)
}

// gap returns the chance of one lie, and how much larger that of the truth is.
func (r RandomizedResponse) gap() (lie, gap float64) {
	truth := r.Truth()
	lie = math.Exp(-r.Epsilon) * truth
	return lie, -math.Expm1(-r.Epsilon) * truth
}

// Estimate returns the unbiased estimate of the share from the share of yes answers.
func (r RandomizedResponse) Estimate(yes float64) float64 {
	gamma := r.Gamma()
	return (yes - 0.5 + gamma) / (2 * gamma)
}

// EstimateError returns the error of an estimated share, at worst (a category is reported by one
// half, or by as many as can be), by the normal approximation. With more than two categories
// each has its own.
func (r RandomizedResponse) EstimateError(beta, count, records float64) (Accuracy, error) {
	if !(records > 0) {
		return Accuracy{}, errors.New("records is not given, and the error of the estimate depends on it")
	}
	lie, gap := r.gap()
	if r.Categories > 2 {
		count *= r.Categories
	}
	a, err := symmetric(GaussianNoise(math.Sqrt(r.EstimatorVariance(math.Min(1, (0.5-lie)/gap), records))), beta, count)
	a.Unit = "share of n"
	return a, err
}

// Noise returns the report of a person whose true category is 0.
func (r RandomizedResponse) Noise() Noise { return reportNoise(r.Truth(), r.Categories, 0) }

func (r RandomizedResponse) answers(Adjacency) (here, neighbour Noise) {
	return r.Noise(), reportNoise(r.Truth(), r.Categories, 1)
}

// reportNoise returns the category reported by randomized response: the true one with the given
// chance, else one of the others, evenly. Categories are 0 … k−1.
func reportNoise(chance, categories, truth float64) Noise {
	lie := (1 - chance) / (categories - 1) // each category but the true one
	return &integerNoise{
		mass: func(k float64) float64 {
			switch {
			case k < 0 || k >= categories:
				return 0
			case k == truth:
				return chance
			}
			return lie
		},
		upTo: func(k float64) float64 {
			switch {
			case k < 0:
				return 0
			case k >= categories-1:
				return 1
			case k < truth:
				return (k + 1) * lie
			}
			return chance + k*lie
		},
		near: func(p float64) float64 {
			switch {
			case p <= truth*lie:
				return math.Max(0, math.Ceil(p/lie)-1)
			case p <= truth*lie+chance:
				return truth
			}
			return math.Min(math.Max(0, math.Ceil((p-chance)/lie)), categories-1)
		},
		rand: func(r *rand.Rand) float64 {
			if r.Float64() < chance {
				return truth
			}
			other := math.Floor(r.Float64() * (categories - 1))
			if other >= truth {
				other++
			}
			return other
		},
	}
}
