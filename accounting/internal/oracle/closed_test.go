package oracle

import "math"

// The closed forms, each as its theorem prints it.

// Cost is a line of a stack that states its price: count times (ε, δ).
type Cost struct{ Epsilon, Delta, Count float64 }

// Basic returns Σ Kε.
func Basic(costs []Cost) Real {
	sum := R(0)
	for _, c := range costs {
		sum = sum.Add(R(c.Count).Mul(R(c.Epsilon)))
	}
	return sum
}

// Stated returns Σ Kδ.
func Stated(costs []Cost) Real {
	sum := R(0)
	for _, c := range costs {
		sum = sum.Add(R(c.Count).Mul(R(c.Delta)))
	}
	return sum
}

// Left returns what of δ the stated failures leave: 1 − (1−δ)/Π(1−δ_i)^K, negative if
// nothing.
func Left(costs []Cost, delta float64) Real {
	log := LogWithout(R(delta))
	for _, c := range costs {
		log = log.Sub(R(c.Count).Mul(LogWithout(R(c.Delta))))
	}
	if log.Sign() < 0 {
		return R(-1)
	}
	return OneMinusExpNeg(log)
}

func squares(costs []Cost) Real {
	sum := R(0)
	for _, c := range costs {
		sum = sum.Add(R(c.Count).Mul(R(c.Epsilon)).Mul(R(c.Epsilon)))
	}
	return sum
}

// Advanced returns the theorem of Dwork, Rothblum and Vadhan at δ′ = δ − Σ Kδ_i; ok is
// false where nothing is left for δ′.
func Advanced(costs []Cost, delta float64) (epsilon Real, ok bool) {
	prime := R(delta).Sub(Stated(costs))
	if prime.Sign() <= 0 {
		return Real{}, false
	}
	mean := R(0)
	for _, c := range costs {
		mean = mean.Add(R(c.Count).Mul(R(c.Epsilon)).Mul(R(c.Epsilon).Exp().Sub(R(1))))
	}
	return R(-2).Mul(prime.Log()).Mul(squares(costs)).Sqrt().Add(mean), true
}

// AdvancedKOV returns Theorem 3.5 of Kairouz, Oh and Viswanath at
// δ′ = 1 − (1−δ)/Π(1−δ_i)^K.
func AdvancedKOV(costs []Cost, delta float64) (epsilon Real, ok bool) {
	prime := Left(costs, delta)
	if prime.Sign() <= 0 {
		return Real{}, false
	}
	mean := R(0)
	for _, c := range costs {
		e := R(c.Epsilon).Exp()
		mean = mean.Add(R(c.Count).Mul(R(c.Epsilon)).Mul(e.Sub(R(1)).Div(e.Add(R(1)))))
	}
	s := squares(costs)
	second := mean.Add(R(-2).Mul(prime.Log()).Mul(s).Sqrt())
	third := mean.Add(R(2).Mul(R(1).Exp().Add(s.Sqrt().Div(prime)).Log()).Mul(s).Sqrt())
	return Min(Basic(costs), second, third), true
}

// Tight converts D_α ≤ r at order α (Canonne, Kamath, Steinke 2020).
func Tight(alpha, r Real, delta Real) Real {
	s := alpha.Sub(R(1))
	return r.Add(s.Div(alpha).Log()).Sub(delta.Log().Add(alpha.Log()).Div(s))
}

// Classic converts D_α ≤ r at order α (Mironov 2017).
func Classic(alpha, r Real, delta Real) Real { return r.Sub(delta.Log().Div(alpha.Sub(R(1)))) }

// ConcentratedClassic returns ρ + 2√(ρ ln(1/δ)).
func ConcentratedClassic(rho, delta Real) Real {
	return rho.Add(R(2).Mul(rho.Mul(delta.Log().Neg()).Sqrt()))
}

// ConcentratedTight returns the least tight conversion of the line αρ, by golden section
// over ln(α−1) in float64 and one evaluation in full precision there.
func ConcentratedTight(rho, delta float64) Real {
	at := func(u float64) float64 {
		s := math.Exp(u)
		return (1+s)*rho - math.Log1p(1/s) - (math.Log(delta)+math.Log1p(s))/s
	}
	low, high := -25.0, 80.0
	for range 200 {
		a, b := low+0.382*(high-low), high-0.382*(high-low)
		if at(a) < at(b) {
			high = b
		} else {
			low = a
		}
	}
	alpha := R(1).Add(R(math.Exp((low + high) / 2)))
	return Tight(alpha, alpha.Mul(R(rho)), R(delta))
}

// GaussianProfile returns Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) (Balle & Wang 2018).
func GaussianProfile(mu, epsilon Real) Real {
	half, shift := mu.Div(R(2)), epsilon.Div(mu)
	if shift.Sub(half).Float() > 2e4 { // below e^{−2e8}
		return R(0)
	}
	return Normal(half.Sub(shift)).Sub(epsilon.Exp().Mul(Normal(half.Neg().Sub(shift))))
}
