package bins

import (
	"math"

	"epsiloscope/accounting/special"
)

// Renyi bounds the Rényi divergences of random allocation, from an upper estimate of S: with P
// of density S/t against Q. x ↦ x^α and x ↦ x^{1−α} are convex, so their means over the spread
// list are upper bounds for what the list covers; as E[S/t] = 1, the means of
// x^α − 1 − α(x−1) and of x^{1−α} − 1 + (α−1)(x−1), which are never negative, keep all digits
// of a small divergence.
type Renyi struct {
	sum       Sum
	t, z, cut float64
	logs      []float64 // l = ln(S/t) of the values
	rests     []float64 // e^l − 1 − l
	lowEnds   []lowEnd
}

// Remove bounds D_α(P‖Q) = ln E[(S/t)^α]/(α−1). Where X_j is beyond the cut, let R be
// the sum of the others, which does not depend on it: by Minkowski's inequality
// E[(S/t)^α; X_j > cut] ≤ (E[X^α; X > cut]^{1/α}/t + ‖R/t‖_α·Q(X > cut)^{1/α})^α, with
// ‖R/t‖_α ≤ ‖X‖_α. There are t such events.
func (a *Renyi) Remove(alpha float64) float64 {
	plain := alpha / (2 * a.z * a.z) // without allocation: a mixture is no further away
	if !(alpha > 1) || math.IsInf(alpha, 1) {
		return plain
	}
	sum := a.sum.Beyond.Little * (alpha - 1) // below the mean the power is no larger than at 0
	for i, s := range a.sum.Values {
		sum += s.Q * a.convexPower(i, alpha)
	}
	whole := alpha * (alpha - 1) / (2 * a.z * a.z) // ln E[X^α]
	own := (whole+special.LogNormalCDF(alpha/a.z-a.cut))/alpha - math.Log(a.t)
	others := (whole + special.LogNormalCDF(-a.cut)) / alpha
	tail := math.Exp(math.Log(a.t) + alpha*special.LogAdd(own, others))
	tail += math.Exp(alpha*(a.cut/a.z-1/(2*a.z*a.z)+math.Ln2)) * underflow * a.t // no S is larger
	return math.Min(plain, a.divergence(sum+tail, alpha))
}

// Add bounds D_α(Q‖P) = ln E[Y^{1−α}]/(α−1), Y = S/t. Below s₀ the power is replaced by
// its tangent there, which is convex, so that the list covers it. What is missing is at
// most E[Y^{1−α}; S < s₀] ≤ (E[Y^{2−2α}]·Q(S < s₀))^{1/2}. As Y is at least the geometric
// mean of the X_i, E[Y^{−m}] ≤ e^{m(m+t)/(2tz²)}, which also bounds the whole (Feldman &
// Shenfeld 2025); and Q(S < s₀) ≤ E[(s₁−S)₊]/(s₁−s₀), a convex function again.
func (a *Renyi) Add(alpha float64) float64 {
	least := alpha / (2 * a.z * a.z)
	if !(alpha > 1) || math.IsInf(alpha, 1) {
		return least
	}
	least = math.Min(least, a.logNegative(alpha-1)/(alpha-1))
	beyond := (alpha - 1) * a.sum.Beyond.P // the mean of (α−1)·Y there
	above, from := 0.0, len(a.sum.Values)  // what the list has from there on
	for _, end := range a.lowEnds {
		for ; from > end.at; from-- {
			above += a.sum.Values[from-1].Q * a.convexPower(from-1, 1-alpha)
		}
		rest := math.Exp((a.logNegative(2*alpha-2) + math.Log(end.mass)) / 2)
		least = math.Min(least, a.divergence(above+a.tangentSum(alpha, end.at)+rest+beyond, alpha))
	}
	return least
}

// logNegative bounds ln E[Y^{−m}].
func (a *Renyi) logNegative(m float64) float64 { return m * (m + a.t) / (2 * a.t * a.z * a.z) }

// lowEnd is the place in the list of a value of S below which little Q-mass lies, and a bound
// on that mass.
type lowEnd struct {
	at   int
	mass float64
}

// NewRenyi returns the Rényi bounds of an upper estimate of the sum of t copies with noise
// multiplier z, cut at cut.
func NewRenyi(sum Sum, t, z, cut float64) *Renyi {
	a := &Renyi{sum: sum, t: t, z: z, cut: cut, logs: make([]float64, len(sum.Values)),
		rests: make([]float64, len(sum.Values))}
	for i, s := range a.sum.Values {
		a.logs[i] = math.Log(s.X / a.t)
		a.rests[i] = special.ExpRemainder(a.logs[i])
	}
	// The low ends, the largest first.
	for _, share := range []float64{1e-7, 1e-11, 1e-16, 1e-22, 1e-28} {
		below := 0.0
		for i, s := range a.sum.Values {
			if below += s.Q; below > share && s.X > 0 && i+2 < len(a.sum.Values) {
				s1, sum := a.sum.Values[i+2].X, 0.0
				for _, r := range a.sum.Values[:i+2] {
					sum += r.Q * (s1 - r.X)
				}
				a.lowEnds = append(a.lowEnds, lowEnd{i, sum/(s1-s.X) + a.sum.Beyond.Q})
				break
			}
		}
	}
	return a
}

// tangentSum returns the mean over the list before a place of f − 1 + (α−1)(x−1), f being the tangent
// of x^{1−α} there. What was left out as too little may lie anywhere, and is no larger than at 0.
func (a *Renyi) tangentSum(alpha float64, at int) (sum float64) {
	x0 := a.sum.Values[at].X / a.t
	height, slope := math.Exp((1-alpha)*a.logs[at]), (alpha-1)*math.Exp(-alpha*a.logs[at])
	for _, s := range a.sum.Values[:at] {
		x := s.X / a.t
		sum += s.Q * (height - slope*(x-x0) - 1 + (alpha-1)*(x-1))
	}
	return sum + a.sum.Beyond.Little*(height+slope*x0)
}

// divergence returns ln(1+m)/(α−1), rounded up.
func (a *Renyi) divergence(m, alpha float64) float64 {
	return math.Log1p(math.Max(0, m)*(1+a.sum.Roundoff)) / (alpha - 1)
}

// convexPower returns x^β − 1 − β(x−1) for value i, x = e^l, which is never negative for β outside
// [0, 1]: a difference of two remainders, rounded up.
func (a *Renyi) convexPower(i int, beta float64) float64 {
	l := a.logs[i]
	if math.IsInf(l, -1) {
		return beta - 1 // β > 1 here: a power of 0 is 0
	}
	first, second := special.ExpRemainder(beta*l), beta*a.rests[i]
	return math.Max(0, first-second) + 1e-15*(1+math.Abs(beta*l))*(first+math.Abs(second))
}
