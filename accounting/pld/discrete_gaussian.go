package pld

import (
	"math"
	"strconv"
)

// manyAtoms is the largest lattice that is listed point by point.
const manyAtoms = 1 << 21

// DiscreteGaussian is the pair of integer noise with P(x) ∝ e^{−x²/(2σ²)} on an
// integer query of the given sensitivity (Canonne, Kamath, Steinke 2020). The loss
// lives on a lattice of step Δ/σ². For vectors it does not dominate: discrete
// Gaussians are not rotation invariant.
//
// The lattice is listed as far as float64 has masses, 36.5σ; what lies beyond, less
// than 1e-289, is charged as loss +∞. Past σ ≈ 27,000 there are too many points to list:
// the pair then knows its Rényi curve only, and the accountant refuses it.
func DiscreteGaussian(sigma float64, sensitivity int) Pair {
	switch {
	case sensitivity <= 0:
		return nothing()
	case !(sigma > 0):
		return everything()
	}
	d := float64(sensitivity)
	key := "discrete-gaussian(" + number(sigma) + "," + strconv.Itoa(sensitivity) + ")"
	reach := math.Ceil(36.5 * sigma)
	if 2*reach+d > manyAtoms {
		return symmetric(unlisted{key, d / sigma})
	}
	norm := 1.0
	for x := reach; x >= 1; x-- {
		norm += 2 * math.Exp(-x*x/(2*sigma*sigma))
	}
	every := func(stride float64) []atom {
		points := make([]atom, 0, int((2*reach+d)/stride)+1)
		for x := d + reach; x >= -reach; x -= stride {
			p := stride * math.Exp(-x*x/(2*sigma*sigma)) / norm
			q := stride * math.Exp(-(x-d)*(x-d)/(2*sigma*sigma)) / norm
			points = append(points, atom{d * (d - 2*x) / (2 * sigma * sigma), p, q})
		}
		return points
	}
	l := newDiscrete(key, every(1), beyondFloat, beyondFloat)
	if stride := thinness(sigma, d); stride > 1 {
		l.thin = newDiscrete(key, every(stride), beyondFloat, beyondFloat)
	}
	// D_α ≤ αΔ²/(2σ²) (Canonne, Kamath, Steinke 2020, Theorem 4). The order moves the
	// mass by αΔ; it must stay among the listed points.
	l.orders = 28 * sigma / d
	l.limit = func(alpha float64) float64 { return alpha * d * d / (2 * sigma * sigma) }
	l.shift = func(k float64) Pair { return DiscreteGaussian(sigma, int(k)*sensitivity) }
	return symmetric(l)
}

// thinness is the stride m at which the points of a lattice suffice for Rényi sums,
// sampled or not: a sum of m·f(x) over every m-th point differs from that over all by the
// Fourier transform of f at the frequencies k/m (Poisson's formula), which a shift of the
// contour by iy bounds by e^{−2πky/m}∫|f(x+iy)|dx. Of a Gaussian weight that integral is
// e^{y²/(2σ²)} times as large; of the factor (1−q+q·e^L)^α, L = Δ(Δ−2x)/(2σ²), no larger for
// α > 0, and for α < 0 by cos(φ/2)^α at most, with φ = yΔ/σ² < π/2 the angle by which e^L has
// turned. With m ≤ σ/16, m ≤ σ²/(16Δ), |α| ≤ 28σ/Δ (the reach) and y the smaller of
// 2πσ²/(m(1+7Δ/σ)) and πσ²/(2Δ) what is left is below e^{−140}.
func thinness(sigma, sensitivity float64) float64 {
	return math.Floor(math.Min(sigma/16, sigma*sigma/(16*sensitivity)))
}

// beyondFloat is charged for what lies beyond the listed points.
const beyondFloat = 1e-289

// unlisted is a discrete Gaussian too wide to list, with μ = Δ/σ.
type unlisted struct {
	key string
	mu  float64
}

func (u unlisted) Key() string { return u.key }

// Renyi is αμ²/2, as for the continuous Gaussian.
func (u unlisted) Renyi(alpha float64) float64 { return math.Max(1, alpha) * u.mu * u.mu / 2 }

// LogDelta converts the Rényi curve: δ ≤ e^{(α−1)(D_α−ε)}/(α−1)·(1−1/α)^α for every
// α > 1 (Canonne, Kamath, Steinke 2020, Proposition 12), at an α close to the best.
func (u unlisted) LogDelta(epsilon float64) float64 {
	rho := u.mu * u.mu / 2
	best := 0.0
	centre := math.Max(1e-3, (epsilon+rho)/(2*rho)-1)
	for k := -40; k <= 40; k++ {
		t := centre * math.Exp(float64(k)/10) // α − 1
		a := 1 + t
		best = math.Min(best, t*(a*rho-epsilon)-math.Log(t)+a*math.Log1p(-1/a))
	}
	return best
}
