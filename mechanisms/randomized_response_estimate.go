package mechanisms

import (
	"errors"
	"math"
)

// EstimatorVariance is the variance of the estimate (Y − q)/(p − q) of the share of a category
// from n independent people, a share of whom has it: λ(1−λ)/(n(p−q)²), with λ = q + share·(p−q)
// the chance that it is reported, p that of the truth and q that of one lie (Wang, Blocki, Li,
// Jha 2017). With two categories p − q is 2γ.
func (r RandomizedResponse) EstimatorVariance(share, n float64) float64 {
	lie, gap := r.gap()
	reported := lie + share*gap
	return reported * (1 - reported) / (gap * gap * n)
}

// gap is the chance of one lie, and how much larger that of the truth is.
func (r RandomizedResponse) gap() (lie, gap float64) {
	truth := r.Truth()
	lie = math.Exp(-r.Epsilon) * truth
	return lie, -math.Expm1(-r.Epsilon) * truth
}

// Estimate is the unbiased estimate of the share from the share of yes answers.
func (r RandomizedResponse) Estimate(yes float64) float64 {
	gamma := r.Gamma()
	return (yes - 0.5 + gamma) / (2 * gamma)
}

// EstimateError is that of a share, at worst (where a category is reported by one half, or by
// as many as can be), by the normal approximation. Of more than two categories each has one.
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
