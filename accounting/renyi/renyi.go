// Package renyi has what is known of Rényi curves as numbers: those of sampled releases,
// bounds between orders, the order at which a curve converts best.
package renyi

// Curve bounds the Rényi divergence at each order α ≥ 1; +Inf where nothing is known.
type Curve func(alpha float64) float64
