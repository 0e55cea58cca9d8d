package special

import "math"

// Outcome is one outcome of a pair (P, Q) of discrete distributions: ln Q and the
// privacy loss ln(P/Q). A loss of −Inf is an outcome that P never shows.
type Outcome struct{ LogQ, Loss float64 }

// DiscreteRenyi is the Rényi divergence D_α(P‖Q) of a discrete pair, for α in
// [1, +Inf]: KL at 1, the largest loss at +Inf.
//
// With s = α−1 and x = P/Q − 1, E_Q[(1+x)^α − 1 − αx] = E_Q[s·φ(x)] + E_P[e^{sL}−1−sL]
// has no negative term and equals e^{sD} − 1, since E_Q[x] = 0. So the divergence
// keeps its relative accuracy where the two distributions almost agree and where
// α is next to 1; the textbook sum loses both.
func DiscreteRenyi(outcomes []Outcome, alpha float64) float64 {
	s := alpha - 1
	if math.IsInf(alpha, 1) {
		top := math.Inf(-1)
		for _, o := range outcomes {
			if !math.IsInf(o.LogQ, -1) {
				top = math.Max(top, o.Loss)
			}
		}
		return math.Max(0, top)
	}
	kl := math.Inf(-1)   // ln E_Q[φ]
	rest := math.Inf(-1) // ln E_P[e^{sL} − 1 − sL]
	for _, o := range outcomes {
		if math.IsInf(o.LogQ, -1) {
			continue
		}
		kl = LogAdd(kl, o.LogQ+LogEntropyRemainder(o.Loss))
		if z := s * o.Loss; z != 0 && !math.IsInf(o.Loss, -1) {
			rest = LogAdd(rest, o.LogQ+o.Loss+LogExpRemainder(z))
		}
	}
	if s <= 0 {
		return math.Exp(kl)
	}
	return Softplus(LogAdd(math.Log(s)+kl, rest)) / s
}

// LogEntropyRemainder is ln φ(e^ℓ − 1), φ as in [EntropyRemainder], without overflow.
func LogEntropyRemainder(loss float64) float64 {
	if loss < 300 {
		return math.Log(EntropyRemainder(math.Expm1(loss)))
	}
	return loss + math.Log(loss-1)
}

// LaplaceRenyi is D_α of Laplace noise whose loss is at most ε (Mironov 2017, Table II),
// without its cancellation: with s = α−1 and R(z) = e^z − 1 − z it says
// e^{sD} − 1 = ((1+s)·R(sε) + s·R(−(1+s)ε))/(1+2s), where no term is negative.
func LaplaceRenyi(epsilon, alpha float64) float64 {
	s := alpha - 1
	if alpha > 1e100 { // it has long grown to that; the sums would overflow
		return epsilon
	}
	if s <= 0 {
		return ExpRemainder(-epsilon)
	}
	up := math.Log1p(s) + LogExpRemainder(s*epsilon)
	down := math.Log(s) + LogExpRemainder(-alpha*epsilon)
	return math.Min(epsilon, Softplus(LogAdd(up, down)-math.Log1p(2*s))/s)
}
