package selection

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"epsiloscope/mechanisms/param"
)

// Exponential returns the exact distribution of the candidate picked by the exponential
// mechanism, and by report noisy max with Gumbel noise.
func Exponential(items []param.Item, width Width) (*Distribution, error) {
	return newDistribution(items, width, (*Distribution).softmax)
}

// ExponentialMax returns the distribution of the candidate that report noisy max picks with
// exponential noise. It is never worse than the exponential mechanism, so that its theorem
// holds.
func ExponentialMax(items []param.Item, width Width) (*Distribution, error) {
	return newDistribution(items, width, func(s *Distribution) { s.integrate(permuteAndFlip) })
}

// LaplaceMax returns the distribution of the candidate that report noisy max picks with Laplace
// noise. Its theorem: with probability 1 − e^{−t} no noise exceeds scale·(ln|O| + t), so the
// loss is at most twice that.
func LaplaceMax(items []param.Item, width Width) (*Distribution, error) {
	return newDistribution(items, width, func(s *Distribution) {
		all := float64(len(items))
		s.integrate(laplaceMax)
		s.gap = func(t float64) float64 { return 2 * Gap(all, width.Scale(), t) }
		s.bound = func(depth float64) float64 { return math.Min(1, all*math.Exp(depth/2)) }
	})
}

func (s *Distribution) softmax() {
	s.Probabilities = make([]float64, len(s.Items))
	total := 0.0
	for i, item := range s.Items {
		w := math.Exp(s.depth(item.Value))
		s.Probabilities[i] = w
		total += w
	}
	s.normalise(total)
	s.Method = "exact"
}

func (s *Distribution) integrate(rule func([]level) []float64) {
	groups, of, exact := s.levels()
	s.spread(rule(groups), groups, of)
	s.Method = "one-dimensional quadrature"
	if !exact {
		s.Method += "; scores closer than 1/40 of the noise scale taken together"
	}
}

// permuteAndFlip returns the chance of one member of each group under exponential
// noise. With weights q = e^{depth} it is q_i ∫₀¹ Π_{j≠i} (1 − t·q_j) dt: the sum
// over subsets of McKenna & Sheldon 2020, Theorem 1, integrated term by term. The
// integrand is positive, so nothing cancels.
func permuteAndFlip(groups []level) []float64 {
	weights := weightsOf(groups)
	factors := make([]float64, len(groups))
	chance := make([]float64, len(groups))
	doubleExponential(func(t, left, weight float64) {
		// left is 1 − t, exact near 1, where the best candidate's factor vanishes.
		for i, q := range weights {
			factors[i] = left + t*(1-q) // 1 − t·q
		}
		product := math.Exp(logProduct(groups, factors))
		for i, q := range weights {
			chance[i] += weight * q * product / factors[i]
		}
	})
	return chance
}

func weightsOf(groups []level) []float64 {
	weights := make([]float64, len(groups))
	for i, g := range groups {
		weights[i] = math.Exp(g.depth)
	}
	return weights
}

// logProduct returns Σ count·ln(factor), with few logarithms: single candidates are
// multiplied up first.
func logProduct(groups []level, factors []float64) float64 {
	sum, product := 0.0, 1.0
	for i, f := range factors {
		if c := groups[i].count; c > 1 {
			sum += c * math.Log(f)
			continue
		}
		if product *= f; product < 1e-200 {
			sum, product = sum+math.Log(product), 1
		}
	}
	return sum + math.Log(product)
}

// doubleExponential visits the nodes of the tanh–sinh rule on (0, 1), which does
// not mind where in the interval, on a logarithmic scale, the integrand lives.
func doubleExponential(visit func(t, left, weight float64)) {
	const h = 1.0 / 32
	for k := -128; k <= 128; k++ {
		u := float64(k) * h
		z := math.Pi * math.Sinh(u)
		t, left := 1/(1+math.Exp(-z)), 1/(1+math.Exp(z))
		weight := h * math.Pi * math.Cosh(u) * t * left
		if weight > 1e-300 && left > 0 {
			visit(t, left, weight)
		}
	}
}

// laplaceMax returns the chance of one member of each group under Laplace noise:
// ∫ f(x − d_i) Π_{j≠i} F(x − d_j) dx, in units of the noise scale. Between the
// groups' depths, where f has its kinks, the integrand is smooth; there
// Gauss–Legendre serves.
func laplaceMax(groups []level) []float64 {
	weights := weightsOf(groups)
	factors := make([]float64, len(groups)) // F(x − d)
	chance := make([]float64, len(groups))
	visit := func(x, weight float64) {
		half := 0.5 * math.Exp(-x)
		for i, g := range groups {
			if x < g.depth {
				factors[i] = 0.5 * math.Exp(x-g.depth)
			} else {
				factors[i] = 1 - half*weights[i]
			}
		}
		product := logProduct(groups, factors)
		if product < 2*deepest {
			return // nothing to add, even to the chance of the deepest
		}
		product = weight * math.Exp(product)
		for i, g := range groups {
			if x < g.depth {
				chance[i] += product // where f = F
			} else {
				chance[i] += product * half * weights[i] / factors[i]
			}
		}
	}
	// From far above the best, where even a million noises hardly reach, down.
	high := 60.0
	for i := 0; i <= len(groups); i++ {
		low := float64(deepest) - 20 // below it nobody's noisy score is the largest
		if i < len(groups) {
			low = groups[i].depth
		}
		pieces(low, high, visit)
		high = low
	}
	return chance
}

// pieces integrates over [low, high], in steps of at most one noise scale.
func pieces(low, high float64, visit func(x, weight float64)) {
	for low < high {
		end := math.Min(high, low+1)
		if high-end < 1e-9 {
			end = high
		}
		n := 2 + int(math.Ceil(10*(end-low)))
		xs, ws := make([]float64, n), make([]float64, n)
		quad.Legendre{}.FixedLocations(xs, ws, low, end)
		for i := range xs {
			visit(xs[i], ws[i])
		}
		low = end
	}
}
