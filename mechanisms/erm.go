package mechanisms

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// gammaTail is d·scale·ln(d/β): a Gamma(d, scale) norm exceeds it with probability
// at most β, as the sum of d exponential variables does not exceed d times the
// largest of them.
func gammaTail(d, scale, beta float64) float64 { return d * scale * math.Log(d/beta) }

// normError takes the exact quantile of the norm, and its closed bound where 1 − β/m
// has no digits left.
func normError(n GammaNoise, beta, count float64, method string) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	exceeded := func(beta float64) float64 {
		if beta < 1e-12 {
			return gammaTail(n.Shape, n.Scale, beta)
		}
		return n.Quantile(1 - beta)
	}
	return Accuracy{
		Expected: n.MeanAbs(), Deviation: math.Sqrt(n.Variance()),
		Each: exceeded(beta), Joint: exceeded(beta / count),
		Unit: "weight", Method: method,
	}, nil
}

// GammaNoise is the norm of a noise vector with density ∝ e^{−‖x‖/Scale} in Shape
// dimensions.
type GammaNoise struct{ Shape, Scale float64 }

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

func ermParams() []Param {
	return []Param{
		epsilonParam("privacy loss of the trained model"),
		sizeParam("n", "how many records the model is trained on"),
		{
			Name: "regularization", Symbol: "Λ", Help: "weight of the regulariser", Type: Number,
			Min: 0, OpenMin: true, Max: math.Inf(1), Required: true, Initial: NumberValue(0.01), Step: 1.1, Log: true,
		},
		{
			Name: "dimension", Symbol: "d", Help: "how many weights the model has", Type: Whole,
			Min: 1, Max: 1e9, Required: true, Initial: WholeValue(10), Step: 1,
		},
	}
}
