package mechanisms

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"epsiloscope/mechanisms/param"
)

// gammaTail is d·scale·ln(d/β): a Gamma(d, scale) norm exceeds it with probability
// at most β, as the sum of d exponential variables does not exceed d times the
// largest of them.
func gammaTail(d, scale, beta float64) float64 { return d * scale * math.Log(d/beta) }

// normError takes the exact quantile of the norm, and its closed bound where 1 − β/m
// has no digits left.
func normError(d, scale, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	n := gammaNoise(d, scale)
	exceeded := func(beta float64) float64 {
		if beta < 1e-12 {
			return gammaTail(d, scale, beta)
		}
		return n.Quantile(1 - beta)
	}
	return Accuracy{Each: exceeded(beta), Joint: exceeded(beta / count), Unit: "weight"}, nil
}

// gammaNoise is the norm of a noise vector with density ∝ e^{−‖x‖/scale} in d dimensions.
func gammaNoise(d, scale float64) Noise {
	unit := distuv.Gamma{Alpha: d, Beta: 1}
	return scaledNoise{&shape{
		density: unit.Prob, cdf: unit.CDF, quantile: unit.Quantile,
		rand: func(r *rand.Rand) float64 { return distuv.Gamma{Alpha: d, Beta: 1, Src: r}.Rand() },
	}, scale}
}

func ermParams() []param.Param {
	return []param.Param{
		epsilonParam("privacy loss of the trained model"),
		sizeParam("n", "how many records the model is trained on"),
		positive("regularization", "Λ", "weight of the regulariser", 0.01, 1.1),
		natural("dimension", "d", "how many weights the model has", 1e9, 10, 1),
	}
}
