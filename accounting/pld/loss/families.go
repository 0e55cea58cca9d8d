package loss

import "math"

// Gaussian returns the loss of N(μ, 1) against N(0, 1). Composed alone it needs no rule, because
// ln M = μ²z(z+1)/2; it is here to be sampled.
func Gaussian(mu float64) Distribution {
	return normal(Sum{{1, mu, -mu * mu / 2}}, one)
}

// Normals returns Σ a_j·N(jμ, 1) against Σ b_j·N(−jμ, 1). Weights add up to 1.
func Normals(mu float64, a, b []float64) Distribution {
	shifts := make([]float64, max(len(a), len(b)))
	for j := range shifts {
		shifts[j] = float64(j) * mu
	}
	return Mixtures(shifts, a, b)
}

// Mixtures returns Σ a_j·N(s_j, 1) against Σ b_j·N(−s_j, 1), s_j ≥ 0. Weights add up to 1.
func Mixtures(shifts, a, b []float64) Distribution {
	sum := func(weights []float64, sign float64) (s Sum) {
		for j, w := range weights {
			if w > 0 {
				s = append(s, Term{w, sign * shifts[j], -shifts[j] * shifts[j] / 2})
			}
		}
		return s
	}
	return normal(sum(a, 1), sum(b, -1))
}

func normal(num, den Sum) Distribution {
	return Distribution{Densities: []Density{{
		LogScale: -0.5 * math.Log(2*math.Pi), Sigma: 1,
		Lo: math.Inf(-1), Hi: math.Inf(1), Num: num, Den: den,
	}}}
}

// rising returns a loss whose P-density on [−ε, ε] is e^{logScale + L/2}: the coordinate is L.
func rising(epsilon, logScale float64) Distribution {
	return Distribution{Densities: []Density{{
		LogScale: logScale, Slope: -0.5, Lo: -epsilon, Hi: epsilon,
		Num: Sum{{1, 1, 0}}, Den: one,
	}}}
}

// Laplace returns Laplace noise shifted by ε scales: half of P at the largest loss ε, half of Q
// at −ε, and the P-density ¼e^{(L−ε)/2} between.
func Laplace(epsilon float64) Distribution {
	d := rising(epsilon, -math.Log(4)-epsilon/2)
	d.Atoms = []Atom{{epsilon, -math.Ln2}, {-epsilon, -math.Ln2 - epsilon}}
	return d
}

// BoundedRange returns the pair that dominates every release of ε-bounded range: the P-density
// ½e^{(L−ε)/2}/(1−e^{−ε}) on [−ε, ε], and no atoms.
func BoundedRange(epsilon float64) Distribution {
	return rising(epsilon, -math.Ln2-epsilon/2-math.Log(-math.Expm1(-epsilon)))
}
