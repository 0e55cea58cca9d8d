package mechanisms

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"epsiloscope/accounting/special"
)

// GaussianNoise is normal with standard deviation Sigma.
type GaussianNoise struct{ Sigma float64 }

// Noise is the noise added to every coordinate of the answer.
func (g Gaussian) Noise() Noise { return GaussianNoise{g.Sigma} }

// Noise is the noise of one step, in units of the clipping norm.
func (d DPSGD) Noise() Noise { return GaussianNoise{d.NoiseMultiplier} }

// Density is φ(x/σ)/σ.
func (n GaussianNoise) Density(x float64) float64 { return special.NormalPDF(x/n.Sigma) / n.Sigma }

// CDF is Φ(x/σ).
func (n GaussianNoise) CDF(x float64) float64 { return special.NormalCDF(x / n.Sigma) }

// Quantile is σΦ⁻¹(p).
func (n GaussianNoise) Quantile(p float64) float64 { return n.Sigma * distuv.UnitNormal.Quantile(p) }

// Rand draws one value.
func (n GaussianNoise) Rand(r *rand.Rand) float64 { return n.Sigma * r.NormFloat64() }

// Variance is σ².
func (n GaussianNoise) Variance() float64 { return n.Sigma * n.Sigma }

// MeanAbs is σ√(2/π).
func (n GaussianNoise) MeanAbs() float64 { return n.Sigma * math.Sqrt(2/math.Pi) }

// Discrete is false.
func (GaussianNoise) Discrete() bool { return false }
