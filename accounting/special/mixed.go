package special

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// MixedRenyi returns ln(Σ wᵢ·e^{(α−1)Dᵢ})/(α−1): the Rényi divergence of a mixture of pairs whose component is
// revealed by the outcome. The weights sum to 1. At α = 1 it is the mean, at +Inf the largest divergence.
func MixedRenyi(weights, values []float64, alpha float64) float64 {
	s := alpha - 1
	small, top := 0.0, 0.0 // Σ w·(e^{sD} − 1), or Σ w·D; and the largest D
	logs := make([]float64, 0, len(values))
	for i, d := range values {
		if weights[i] == 0 {
			continue
		}
		top = math.Max(top, d)
		if s <= 0 {
			small += weights[i] * d
		} else {
			small += weights[i] * math.Expm1(s*d)
			logs = append(logs, math.Log(weights[i])+s*d)
		}
	}
	switch {
	case math.IsInf(alpha, 1) || math.IsInf(top, 1):
		return top
	case s <= 0:
		return small
	case small < 1:
		return math.Min(top, math.Log1p(small)/s)
	}
	return math.Min(top, floats.LogSumExp(logs)/s*(1+1e-15))
}

// LogMix returns ln(1 − q + q·e^x), the loss of a Poisson sample whose inner loss is x. If the result is far below
// 0, which needs q near 1, it adds 1 − q and q·e^x: the form 1 + q(e^x − 1) would lose the digits of 1 − q.
func LogMix(q, x float64) float64 {
	if x > 30 {
		return LogAdd(math.Log1p(-q), x+Log(q))
	}
	if small := q * math.Expm1(x); small > -0.5 {
		return math.Log1p(small)
	}
	return math.Log((1 - q) + q*math.Exp(x))
}

// LogUnmix inverts LogMix; −Inf below its range.
func LogUnmix(q, y float64) float64 {
	if y > 30 {
		return y - Log(q) + math.Log1p(-(1-q)*math.Exp(-y))
	}
	small := math.Expm1(y)
	ratio := (math.Exp(y) - (1 - q)) / q
	switch {
	case small > -0.5 && small > -q:
		return math.Log1p(small / q)
	case small <= -0.5 && ratio > 0:
		return math.Log(ratio)
	}
	return math.Inf(-1)
}

// GroupDelta returns δ·(1 + e^ε + … + e^{(k−1)ε}), at most 1: the δ, at kε, of k neighbouring steps of an (ε, δ)-DP
// release (Dwork & Roth 2014, Theorem 2.2, summed).
func GroupDelta(epsilon, delta, k float64) float64 {
	if delta == 0 {
		return 0
	}
	factor := k
	if epsilon > 0 {
		factor = math.Expm1(k*epsilon) / math.Expm1(epsilon)
	}
	if !(factor*delta < 1) {
		return 1
	}
	return factor * delta
}
