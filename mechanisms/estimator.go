package mechanisms

// EstimatorVariance is the variance of p̂ = mean((Y − ½ + γ)/(2γ)) over n
// independent people of whom a share p has the property: λ(1−λ)/(4γ²n) with
// λ = 2γp + ½ − γ, the chance of a yes. For two categories.
func (r RandomizedResponse) EstimatorVariance(share, n float64) float64 {
	gamma := r.Gamma()
	yes := 2*gamma*share + 0.5 - gamma
	return yes * (1 - yes) / (4 * gamma * gamma * n)
}

// NoiseVariance is the part of it that the lies add, given the data:
// (¼ − γ²)/(4γ²n).
func (r RandomizedResponse) NoiseVariance(n float64) float64 {
	gamma := r.Gamma()
	return (0.25 - gamma*gamma) / (4 * gamma * gamma * n)
}

// Estimate is the unbiased estimate of the share from the share of yes answers.
func (r RandomizedResponse) Estimate(yes float64) float64 {
	gamma := r.Gamma()
	return (yes - 0.5 + gamma) / (2 * gamma)
}
