package oracle

import "math"

// Noise is the noise of an additive mechanism, cut into cells: Mass gives the
// probability of every cell when the true answer is the given number of records'
// worth away from 0.
type Noise struct {
	Mass func(records float64) []float64
}

// Laplace noise on an answer that one record moves by ε noise scales.
func Laplace(epsilon float64, cells int, records float64) Noise {
	edges := spaced(-1, epsilon*records+1, epsilon, cells)
	return Noise{func(r float64) []float64 {
		return cut(edges, r*epsilon, func(x float64) (below, above float64) {
			if x < 0 {
				return math.Exp(x) / 2, 1 - math.Exp(x)/2
			}
			return 1 - math.Exp(-x)/2, math.Exp(-x) / 2
		})
	}}
}

// Gaussian noise on an answer that one record moves by μ standard deviations.
func Gaussian(mu float64, cells int, records float64) Noise {
	edges := make([]float64, cells+1)
	reach := 9.0
	for i := range edges {
		edges[i] = -reach + (2*reach+mu*records)*float64(i)/float64(cells)
	}
	return Noise{func(r float64) []float64 {
		return cut(edges, r*mu, func(x float64) (below, above float64) {
			return math.Erfc(-x/math.Sqrt2) / 2, math.Erfc(x/math.Sqrt2) / 2
		})
	}}
}

// spaced lays edges where the loss of Laplace noise moves, with the peaks of the
// density (at multiples of ε) on edges.
func spaced(low, high, unit float64, cells int) []float64 {
	edges := []float64{low}
	per := max(1, int(float64(cells)*unit/(high-low)))
	for i := 0; ; i++ {
		x := unit * float64(i) / float64(per)
		if x > high-0.5 {
			break
		}
		edges = append(edges, x)
	}
	return append(edges, high)
}

// cut gives the mass of every cell, the two unbounded ones included, each from the
// tail that is near.
func cut(edges []float64, shift float64, tails func(x float64) (below, above float64)) []float64 {
	mass := make([]float64, len(edges)+1)
	below, above := tails(edges[0] - shift)
	mass[0] = below
	for i := 1; i < len(edges); i++ {
		b, a := tails(edges[i] - shift)
		if b < a {
			mass[i] = b - below
		} else {
			mass[i] = above - a
		}
		below, above = b, a
	}
	mass[len(edges)] = above
	return mass
}

// Geometric returns two-sided geometric noise with ratio r = e^{−ε/Δ} on whole numbers
// that one record moves by Δ.
func Geometric(epsilon float64, sensitivity int, records float64) Noise {
	step := epsilon / float64(sensitivity)
	last := sensitivity * int(records)
	return Noise{func(n float64) []float64 {
		shift := float64(sensitivity) * n
		r := math.Exp(-step)
		mass := make([]float64, last+1)
		for i := range mass {
			mass[i] = math.Tanh(step/2) * math.Exp(-step*math.Abs(float64(i)-shift))
		}
		// Everything at and below 0, and at and above the last, has one loss. A
		// negative shift (a record replaced) only moves these two.
		tail := func(distance float64) float64 { // P(noise ≤ −distance)
			if distance >= 0 {
				return math.Exp(-step*distance) / (1 + r)
			}
			return 1 - math.Exp(step*(distance-1))/(1+r)
		}
		mass[0] = tail(shift)
		mass[last] = tail(float64(last) - shift)
		return mass
	}}
}

// DiscreteGaussian returns noise with mass ∝ e^{−x²/(2σ²)} on whole numbers that one
// record moves by Δ; the tails beyond 12σ are left out.
func DiscreteGaussian(sigma float64, sensitivity int, records float64) Noise {
	reach := int(12*sigma) + 2
	first, last := -reach, reach+sensitivity*int(records)
	total := 0.0
	for x := -40 - int(40*sigma); x <= 40+int(40*sigma); x++ {
		total += math.Exp(-float64(x) * float64(x) / (2 * sigma * sigma))
	}
	return Noise{func(n float64) []float64 {
		mass := make([]float64, last-first+1)
		for i := range mass {
			x := float64(first+i) - float64(sensitivity)*n
			mass[i] = math.Exp(-x*x/(2*sigma*sigma)) / total
		}
		return mass
	}}
}

// With returns the distribution of a mechanism that sees each of a person's records
// independently with probability q.
func (n Noise) With(records int, q float64) []float64 {
	var out []float64
	for j := 0; j <= records; j++ {
		weight := choose(records, j) * math.Pow(q, float64(j)) * math.Pow(1-q, float64(records-j))
		if weight == 0 {
			continue
		}
		mass := n.Mass(float64(j))
		if out == nil {
			out = make([]float64, len(mass))
		}
		for i, m := range mass {
			out[i] += weight * m
		}
	}
	return out
}

func choose(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

// Mixed returns (1−q)·Q + q·P.
func Mixed(p, q []float64, rate float64) []float64 {
	out := make([]float64, len(p))
	for i := range p {
		out[i] = (1-rate)*q[i] + rate*p[i]
	}
	return out
}

// Response returns the answers of k-ary randomized response, those that both neighbours
// give alike as one.
func Response(epsilon float64, categories float64) (p, q []float64) {
	far := math.Exp(-epsilon)
	z := 1 + (categories-1)*far
	return []float64{1 / z, far / z, (categories - 2) * far / z}, []float64{far / z, 1 / z, (categories - 2) * far / z}
}

// Range returns the answers of a mechanism whose loss is t or t−ε (Durfee & Rogers
// 2019): an exponential mechanism with two kinds of candidates.
func Range(epsilon, t float64) (p, q []float64) {
	up := math.Expm1(epsilon-t) / math.Expm1(epsilon) // under Q
	return []float64{up * math.Exp(t), (1 - up) * math.Exp(t-epsilon)}, []float64{up, 1 - up}
}
