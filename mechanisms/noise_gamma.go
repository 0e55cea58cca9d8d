package mechanisms

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// GammaNoise is the norm of a noise vector with density ∝ e^{−‖x‖/Scale} in Shape
// dimensions.
type GammaNoise struct{ Shape, Scale float64 }

// Noise is the norm of the vector added to the weights.
func (o OutputPerturbation) Noise() Noise { return GammaNoise{o.Dimension, o.Scale()} }

// Noise is the norm of the vector in the objective's linear term.
func (o ObjectivePerturbation) Noise() Noise { return GammaNoise{o.Dimension, o.Scale()} }

// unit is the distribution with scale 1; values are scaled outside it, as the rate
// 1/Scale may leave the range of float64.
func (n GammaNoise) unit() distuv.Gamma { return distuv.Gamma{Alpha: n.Shape, Beta: 1} }

// Density of the norm.
func (n GammaNoise) Density(x float64) float64 {
	if x < 0 || x == 0 && n.Shape > 1 {
		return 0
	}
	return n.unit().Prob(x/n.Scale) / n.Scale
}

// CDF is P(norm ≤ x).
func (n GammaNoise) CDF(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return n.unit().CDF(x / n.Scale)
}

// Quantile inverts the CDF.
func (n GammaNoise) Quantile(p float64) float64 { return n.Scale * n.unit().Quantile(p) }

// Rand draws one norm.
func (n GammaNoise) Rand(r *rand.Rand) float64 {
	g := n.unit()
	g.Src = r
	return n.Scale * g.Rand()
}

// Variance is d·scale².
func (n GammaNoise) Variance() float64 { return n.Shape * n.Scale * n.Scale }

// MeanAbs is d·scale.
func (n GammaNoise) MeanAbs() float64 { return n.Shape * n.Scale }

// Discrete is false.
func (GammaNoise) Discrete() bool { return false }
