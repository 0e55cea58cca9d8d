package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// The Rényi divergences of random allocation, from the upper list. x ↦ x^α and
// x ↦ x^{1−α} are convex, so their means over the spread list are upper bounds for what
// the list covers; as E[S/t] = 1, the means of x^α − 1 − α(x−1) and of
// x^{1−α} − 1 + (α−1)(x−1), which are never negative, keep all digits of a small
// divergence.

// renyiRemove bounds D_α(P‖Q) = ln E[(S/t)^α]/(α−1). Where X_j is beyond the cut, let R be
// the sum of the others, which does not depend on it: by Minkowski's inequality
// E[(S/t)^α; X_j > cut] ≤ (E[X^α; X > cut]^{1/α}/t + ‖R/t‖_α·Q(X > cut)^{1/α})^α, with
// ‖R/t‖_α ≤ ‖X‖_α. There are t such events.
func (a *allocation) renyiRemove(alpha float64) float64 {
	plain := alpha / (2 * a.z * a.z) // without allocation: a mixture is no further away
	if !(alpha > 1) || math.IsInf(alpha, 1) {
		return plain
	}
	sum := 0.0
	for _, s := range a.upper {
		sum += s.q * convexPower(math.Log(s.x/a.t), alpha)
	}
	whole := alpha * (alpha - 1) / (2 * a.z * a.z) // ln E[X^α]
	own := (whole+special.LogNormalCDF(alpha/a.z-a.cut))/alpha - math.Log(a.t)
	others := (whole + special.LogNormalCDF(-a.cut)) / alpha
	tail := math.Exp(math.Log(a.t) + alpha*special.LogAdd(own, others))
	return math.Min(plain, a.divergence(sum+tail, alpha))
}

// renyiAdd bounds D_α(Q‖P) = ln E[Y^{1−α}]/(α−1), Y = S/t. Below s₀ the power is replaced by
// its tangent there, which is convex, so that the list covers it. What is missing is at
// most E[Y^{1−α}; S < s₀] ≤ (E[Y^{2−2α}]·Q(S < s₀))^{1/2}. As Y is at least the geometric
// mean of the X_i, E[Y^{−m}] ≤ e^{m(m+t)/(2tz²)}, which also bounds the whole (Feldman &
// Shenfeld 2025); and Q(S < s₀) ≤ E[(s₁−S)₊]/(s₁−s₀), a convex function again.
func (a *allocation) renyiAdd(alpha float64) float64 {
	least := alpha / (2 * a.z * a.z)
	if !(alpha > 1) || math.IsInf(alpha, 1) {
		return least
	}
	least = math.Min(least, a.logNegative(alpha-1)/(alpha-1))
	for _, share := range []float64{1e-28, 1e-22, 1e-16, 1e-11, 1e-7} {
		if s0, q, ok := a.lowEnd(share); ok {
			rest := math.Exp((a.logNegative(2*alpha-2) + math.Log(q)) / 2)
			least = math.Min(least, a.divergence(a.tangentSum(alpha, s0)+rest, alpha))
		}
	}
	return least
}

// logNegative bounds ln E[Y^{−m}].
func (a *allocation) logNegative(m float64) float64 { return m * (m + a.t) / (2 * a.t * a.z * a.z) }

// lowEnd is a value of S below which about the given Q-mass lies, and a bound on that
// mass.
func (a *allocation) lowEnd(share float64) (s0, mass float64, ok bool) {
	below := 0.0
	for i, s := range a.upper {
		if below += s.q; below > share && s.x > 0 && i+2 < len(a.upper) {
			s1, sum := a.upper[i+2].x, 0.0
			for _, r := range a.upper[:i+2] {
				sum += r.q * (s1 - r.x)
			}
			return s.x, sum / (s1 - s.x), true
		}
	}
	return 0, 0, false
}

// tangentSum is the mean over the list of f − 1 + (α−1)(x−1), where f(x) is x^{1−α} from
// s₀/t on and its tangent before.
func (a *allocation) tangentSum(alpha, s0 float64) float64 {
	x0, sum := s0/a.t, 0.0
	slope := (alpha - 1) * math.Exp(-alpha*math.Log(x0))
	for _, s := range a.upper {
		x := s.x / a.t
		if s.x >= s0 {
			sum += s.q * convexPower(math.Log(x), 1-alpha)
			continue
		}
		sum += s.q * (math.Exp((1-alpha)*math.Log(x0)) - slope*(x-x0) - 1 + (alpha-1)*(x-1))
	}
	return sum
}

// divergence is ln(1+m)/(α−1), rounded up.
func (a *allocation) divergence(m, alpha float64) float64 {
	return math.Log1p(math.Max(0, m)*(1+a.roundoff())) / (alpha - 1)
}

// convexPower is x^β − 1 − β(x−1) for x = e^l, which is never negative for β outside
// [0, 1]: a difference of two remainders, rounded up.
func convexPower(l, beta float64) float64 {
	if math.IsInf(l, -1) {
		return beta - 1 // β > 1 here: a power of 0 is 0
	}
	first, second := special.ExpRemainder(beta*l), beta*special.ExpRemainder(l)
	return math.Max(0, first-second) + 1e-15*(first+math.Abs(second))
}
