package mechanisms

import (
	"math"
	"math/rand/v2"
)

// ResponseNoise is the category reported by randomized response: the true one with
// probability Truth, else one of the others, evenly. Categories are 0 … k−1.
type ResponseNoise struct {
	Truth      float64
	Categories float64
	True       float64 // the true category
}

// Noise is the report of a person whose true category is 0.
func (r RandomizedResponse) Noise() Noise { return r.response(0) }

func (r RandomizedResponse) response(truth float64) Noise {
	return ResponseNoise{Truth: r.Truth(), Categories: r.Categories, True: truth}
}

// lie is the probability of each category but the true one.
func (n ResponseNoise) lie() float64 { return (1 - n.Truth) / (n.Categories - 1) }

// Density is the probability of reporting x.
func (n ResponseNoise) Density(x float64) float64 {
	switch {
	case x != math.Trunc(x) || x < 0 || x >= n.Categories:
		return 0
	case x == n.True:
		return n.Truth
	}
	return n.lie()
}

// CDF is the probability of reporting a category up to x.
func (n ResponseNoise) CDF(x float64) float64 {
	k := math.Floor(x)
	switch {
	case k < 0:
		return 0
	case k >= n.Categories-1:
		return 1
	case k < n.True:
		return (k + 1) * n.lie()
	}
	return n.Truth + k*n.lie()
}

// Quantile is the smallest category whose CDF reaches p.
func (n ResponseNoise) Quantile(p float64) float64 {
	var guess float64
	switch {
	case p <= n.True*n.lie():
		guess = math.Ceil(p/n.lie()) - 1
	case p <= n.True*n.lie()+n.Truth:
		guess = n.True
	default:
		guess = math.Ceil((p - n.Truth) / n.lie())
	}
	return math.Min(settle(n, math.Max(0, guess), p), n.Categories-1)
}

// Rand draws one report.
func (n ResponseNoise) Rand(r *rand.Rand) float64 {
	if r.Float64() < n.Truth {
		return n.True
	}
	other := math.Floor(r.Float64() * (n.Categories - 1))
	if other >= n.True {
		other++
	}
	return other
}

// Variance of the reported category number; it means something for two categories,
// where the report is a bit.
func (n ResponseNoise) Variance() float64 {
	mean := n.moment(1)
	return n.moment(2) - mean*mean
}

// MeanAbs is the mean reported category number.
func (n ResponseNoise) MeanAbs() float64 { return n.moment(1) }

func (n ResponseNoise) moment(power int) float64 {
	k := n.Categories
	all := k * (k - 1) / 2
	if power == 2 {
		all = (k - 1) * k * (2*k - 1) / 6
	}
	truth := math.Pow(n.True, float64(power))
	return n.lie()*(all-truth) + n.Truth*truth
}

// Discrete is true.
func (ResponseNoise) Discrete() bool { return true }
