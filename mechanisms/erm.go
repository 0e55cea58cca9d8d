package mechanisms

import "math"

// ExcessRisk bounds, with probability 1 − β, how much worse the noisy weights are
// than the best ones, in units of the regularised objective J (Chaudhuri,
// Monteleoni, Sarwate 2011, Lemma 15): 2d²(c/Λ + η)·ln²(d/β)/(Λn²ε²), with c a
// bound on the loss's second derivative and η one on ‖∇²N‖ of the regulariser N.
func (o OutputPerturbation) ExcessRisk(beta, smoothness, eta float64) float64 {
	norm := gammaTail(o.Dimension, o.Scale(), beta)
	return norm * norm * (smoothness + o.Regularization*eta) / 2
}

// ExcessRisk bounds, with probability 1 − β, the same for objective perturbation:
// ‖b‖²/(Λn²), which is 4d²ln²(d/β)/(Λn²ε′²). The slide writes ε for ε′. Under the
// fallback Λ is the strengthened one, and J with it.
func (o ObjectivePerturbation) ExcessRisk(beta float64) float64 {
	norm := gammaTail(o.Dimension, o.Scale(), beta)
	return norm / o.N * norm / o.N / (o.Regularization + o.Extra())
}

// gammaTail is d·scale·ln(d/β): a Gamma(d, scale) norm exceeds it with probability
// at most β, as the sum of d exponential variables does not exceed d times the
// largest of them.
func gammaTail(d, scale, beta float64) float64 { return d * scale * math.Log(d/beta) }
