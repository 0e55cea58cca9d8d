package renyi

import (
	"math"

	"epsiloscope/accounting/special"
)

// SampledGaussian is the Rényi divergence of Poisson-subsampled Gaussian noise,
// (1−q)N(0,1) + qN(μ,1) against N(0,1): the larger of the two directions (Mironov,
// Talwar & Zhang 2019, Theorem 5). ok is false where αμ is so large that the integral would
// take too long; what it costs depends on αμ, not on α.
//
// It is the integral of e^{(α−1)D} − 1 = E[s·φ(x)] + E[(1+x)(e^{sy}−1−sy)], with s = α−1,
// 1+x the likelihood ratio at a standard normal point w and y its logarithm, by the
// trapezoidal rule, which converges geometrically here. No term is negative, so D keeps its
// digits however small q is.
func SampledGaussian(q, mu, alpha float64) (r float64, ok bool) {
	// The nearest singularity, ratio 0, lies π/μ off the real axis: half a 1/μ as
	// step leaves e^{−39}.
	h := math.Min(0.5, 0.5/mu)
	s := math.Max(1, alpha) - 1
	low, high := -9.5, (1+s)*mu+9.5
	n := math.Ceil((high - low) / h)
	if !(n <= 2000) {
		return 0, false
	}
	kl, rest := math.Inf(-1), math.Inf(-1)
	for i := 0.0; i <= n; i++ {
		w := low + i*h
		y := special.LogMix(q, mu*w-mu*mu/2)
		weight := -w * w / 2
		kl = special.LogAdd(kl, weight+special.LogEntropyRemainder(y))
		if s > 0 && y != 0 {
			rest = special.LogAdd(rest, weight+y+special.LogExpRemainder(s*y))
		}
	}
	unit := math.Log(h) - 0.5*math.Log(2*math.Pi)
	if s == 0 {
		return math.Exp(kl + unit), true
	}
	return special.Softplus(special.LogAdd(math.Log(s)+kl, rest)+unit) / s, true
}
