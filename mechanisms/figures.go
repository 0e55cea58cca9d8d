package mechanisms

import "math"

// Figures that lectures print beside what this program computes.

// PureEpsilon is 2B/(σn): every test and every release at its pure ε.
func (t Thresholdout) PureEpsilon() float64 { return 2 * t.Budget * t.Each() }

// SlideEpsilon is 2√(2B ln(2/δ))/(σn), the slide's guarantee at δ. It drops the
// second term of the theorem it comes from: see [Thresholdout.SlideSafe].
func (t Thresholdout) SlideEpsilon(delta float64) float64 {
	return 2 * math.Sqrt(2*t.Budget*math.Log(2/delta)) * t.Each()
}

// PaperEpsilon is √(32B ln(2/δ))/(σn), the constant of the paper.
func (t Thresholdout) PaperEpsilon(delta float64) float64 { return 2 * t.SlideEpsilon(delta) }

// SlideSafe reports whether the slide's guarantee holds: while
// B/(σn)² ≤ 0.68·ln(1/δ).
func (t Thresholdout) SlideSafe(delta float64) bool {
	return t.Budget*t.Each()*t.Each() <= 0.68*math.Log(1/delta)
}

// SlideEach is the ε₀ of each run with the slide's noise, ε/√(2c ln(1/δ)); ε/c
// where δ = 0.
func (s SparseVector) SlideEach() float64 {
	if s.Delta <= 0 {
		return s.Epsilon / s.Positives
	}
	return s.Epsilon / math.Sqrt(2*s.Positives*math.Log(1/s.Delta))
}

// SlideHalting is the ε spent when the stream halts at count > c, as the slide has
// it, and not at count ≥ c: one positive more is released.
func (s SparseVector) SlideHalting() float64 { return s.Epsilon * (s.Positives + 1) / s.Positives }

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

// AdvancedEpsilon is the theorem of Dwork, Rothblum and Vadhan 2010 for k runs at
// ε: √(2k ln(1/δ))·ε + kε(e^ε − 1).
func AdvancedEpsilon(epsilon, k, delta float64) float64 {
	return math.Sqrt(2*k*math.Log(1/delta))*epsilon + k*epsilon*math.Expm1(epsilon)
}
