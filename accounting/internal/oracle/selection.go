package oracle

// SelectionChances are those of the exponential mechanism, ∝ e^{ε·s/(2Δ)} (McSherry &
// Talwar 2007), or e^{ε·s/Δ} where the scores are monotone.
func SelectionChances(epsilon, sensitivity float64, monotone bool, scores []float64) []float64 {
	rate := R(epsilon).Div(R(sensitivity))
	if !monotone {
		rate = rate.Div(R(2))
	}
	best := R(scores[0])
	for _, s := range scores {
		if R(s).Cmp(best) > 0 {
			best = R(s)
		}
	}
	weights := make([]Real, len(scores))
	total := R(0)
	for i, s := range scores {
		weights[i] = R(0)
		if x := R(s).Sub(best).Mul(rate); x.Cmp(R(-1e6)) > 0 { // below, nothing is left in float64
			weights[i] = x.Exp()
		}
		total = total.Add(weights[i])
	}
	out := make([]float64, len(scores))
	for i, w := range weights {
		out[i] = w.Div(total).Float()
	}
	return out
}
