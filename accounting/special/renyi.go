package special

import "math"

// Outcome is an outcome of a pair (P, Q) of discrete distributions: ln Q and the privacy loss
// ln(P/Q). A loss of −Inf is an outcome that P never shows.
type Outcome struct{ LogQ, Loss float64 }

// DiscreteRenyi returns the Rényi divergence D_α(P‖Q) of a discrete pair, for α in
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
		kl = LogAdd(kl, LogEntropyRemainder(o.LogQ, o.Loss))
		if z := s * o.Loss; z != 0 && !math.IsInf(o.Loss, -1) {
			rest = LogAdd(rest, o.LogQ+o.Loss+LogExpRemainder(z))
		}
	}
	if s <= 0 {
		return math.Exp(kl)
	}
	return Softplus(LogAdd(math.Log(s)+kl, rest)) / s
}

// LogEntropyRemainder returns ln q·φ(e^ℓ − 1), φ as in [EntropyRemainder], without overflow. A large
// loss is first added to ln q, most of which it cancels.
func LogEntropyRemainder(logQ, loss float64) float64 {
	if loss < 300 {
		return logQ + math.Log(EntropyRemainder(math.Expm1(loss)))
	}
	return logQ + loss + math.Log(loss-1)
}

// LaplaceRenyi returns D_α of Laplace noise whose loss is at most ε (Mironov 2017, Table II),
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

// GeometricRenyi returns D_α of two-sided geometric noise with mass ∝ e^{−|x|ε/Δ} shifted by
// the whole number Δ: the lattice summed in closed form. With s = α−1, x = ε/(2Δ) half the
// step of the noise's exponent, T = tanh x and τ = tanh 2sx,
//
//	e^{sD} − 1 = λ + (1−d)·R(sε) + d·R(−αε),  R(z) = e^z − 1 − z,
//	d = ½·τ·sech²x/(T+τ),  λ = ½ε·(α′T²τ − 2s(x−T) + 2sx − τ)/(T+τ),  α′ = 1+2s:
//
// the geometric sums on either side and between, with the linear terms of the
// exponentials taken together. As Δ grows λ vanishes and Laplace's formula is left;
// at Δ = 1 it is randomized response's.
func GeometricRenyi(epsilon, sensitivity, alpha float64) float64 {
	s, x := alpha-1, epsilon/(2*sensitivity)
	if alpha > 1e100 { // it has long grown to that; the sums would overflow
		return epsilon
	}
	t := math.Tanh(x)
	sech := 1 / math.Cosh(math.Min(x, 700))
	if s <= 0 {
		slope := x * sech * sech / t
		mean := x*t*t - tanhDeficit(x)
		if x > 1 { // the same, where x would cancel
			mean = t - x*sech*sech
		}
		return epsilon*mean/t + slope*ExpRemainder(-epsilon)
	}
	tau := math.Tanh(2 * s * x)
	d := 0.5 * tau * sech * sech / (t + tau)
	linear := (1+2*s)*t*t*tau - 2*s*tanhDeficit(x) + tanhDeficit(2*s*x)
	if x > 1 {
		linear = 2*s*t*(1+t*tau) - tau*sech*sech
	}
	lambda := 0.5 * epsilon * math.Max(0, linear) / (t + tau)
	sum := LogAdd(math.Log(lambda), math.Log1p(-d)+LogExpRemainder(s*epsilon))
	sum = LogAdd(sum, math.Log(d)+LogExpRemainder(-alpha*epsilon))
	return Softplus(sum) / s
}

// tanhDeficit returns x − tanh x for x ≥ 0, without cancellation.
func tanhDeficit(x float64) float64 {
	if x > 0.3 {
		return x - math.Tanh(x)
	}
	// (x cosh x − sinh x)/cosh x, the numerator as Σ x^{2k+1}·2k/(2k+1)!.
	sum, term := 0.0, x
	for k := 1.0; k <= 9; k++ {
		term *= x * x / (2 * k * (2*k + 1))
		sum += 2 * k * term
	}
	return sum / math.Cosh(x)
}

// GeometricProfile returns δ(t) of that noise: outcomes up to m, where the loss (Δ−2m)/b still reaches
// t, count. With r = e^{−1/b} it is 1 − (r^{m+1} + e^t·r^{Δ−m})/(1+r).
func GeometricProfile(epsilon, sensitivity, t float64) float64 {
	if t >= epsilon {
		return 0
	}
	if t < -epsilon {
		return -math.Expm1(t)
	}
	step := epsilon / sensitivity
	m := math.Floor((sensitivity - t/step) / 2)
	r := math.Exp(-step)
	low := t - (sensitivity-m-1)*step
	last := -r * math.Expm1(low)
	if low > 1 { // where r may be 0 and the other factor infinite
		last = r - math.Exp(low-step)
	}
	return math.Max(0, (last-math.Expm1(-(m+1)*step))/(1+r))
}
