package pld

import (
	"math"
	"strconv"
	"sync"

	"epsiloscope/accounting/pld/loss"
)

// Families whose losses lie on a lattice: discrete Gaussian and discrete Laplace noise, and
// runs of a promise.

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
		return unlisted(key, d/sigma)
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
	l := newList(key, every(1), beyondFloat, beyondFloat)
	if stride := thinness(sigma, d); stride > 1 {
		l.thin = sync.OnceValue(func() loss.Distribution { return distributionOf(merged(every(stride)), beyondFloat, beyondFloat) })
	}
	// D_α ≤ αΔ²/(2σ²) (Canonne, Kamath, Steinke 2020, Theorem 4). The order moves the
	// mass by αΔ; it must stay among the listed points.
	l.orders = 28 * sigma / d
	l.bound = func(alpha float64) float64 { return alpha * d * d / (2 * sigma * sigma) }
	l.steps = func(k float64) Pair { return DiscreteGaussian(sigma, int(k)*sensitivity) }
	return symmetric(known(l))
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

// unlisted is a discrete Gaussian too wide to list, with μ = Δ/σ: as a distribution anything,
// with a divergence of αμ²/2, as for the continuous Gaussian, and the curve that follows.
func unlisted(key string, mu float64) Pair {
	l := newList(key, nil, 1, 1)
	l.bound, l.covers = func(alpha float64) float64 { return alpha * mu * mu / 2 }, true
	l.curve = func(epsilon float64) float64 { return logDeltaBound(epsilon, l.bound) }
	return symmetric(&Loss{key, l, nothing().Remove.lower, ""})
}

func (l *Loss) unlisted() bool { return l.upper.covers && l.upper.top == 1 }

// DiscreteLaplace is the pair of integer noise with P(x) ∝ e^{−|x|/scale} on an
// integer query of the given sensitivity (Ghosh, Roughgarden, Sundararajan 2012).
// The loss lives on a lattice of step 2/scale; with sensitivity 1 it is exactly
// randomized response with ε = 1/scale, and larger than that of continuous Laplace. It is
// the chain of that many steps of a pure promise, and as such put in cells where it is long.
func DiscreteLaplace(scale float64, sensitivity int) Pair {
	if sensitivity <= 0 {
		return nothing()
	}
	d := float64(sensitivity)
	switch {
	case sensitivity == 1:
		return Pure(1 / scale)
	case sensitivity > 1<<14: // longer lists take long to sum
		return promised(1/scale, 0, d)
	}
	a := math.Exp(-1 / scale)
	unit := -math.Expm1(-1/scale) / (1 + a) // P(0)
	points := make([]atom, 0, sensitivity+1)
	far := math.Exp(-d/scale) / (1 + a)
	points = append(points, atom{-d / scale, far, 1 / (1 + a)})
	for x := sensitivity - 1; x >= 1; x-- {
		p := unit * math.Exp(-float64(x)/scale)
		q := unit * math.Exp(-float64(sensitivity-x)/scale)
		points = append(points, atom{(d - 2*float64(x)) / scale, p, q})
	}
	points = append(points, atom{d / scale, 1 / (1 + a), far})
	key := "discrete-laplace(" + number(scale) + "," + strconv.Itoa(sensitivity) + ")"
	l := newList(key, points, 0, 0)
	l.steps = func(k float64) Pair { return DiscreteLaplace(scale, int(k)*sensitivity) }
	return symmetric(known(l))
}

// mostRuns is up to how many runs are listed: so many powers of a rounded e^ε still have
// their digits.
const mostRuns = 256

// Power is the pair of n runs of an (ε, δ) promise as one release: the losses are whole
// numbers of ε, their masses binomial (Kairouz, Oh, Viswanath 2015, Theorem 3.3). Of more
// runs than can be listed it is the promise of their total.
func Power(epsilon, delta, n float64) Pair {
	if !(n <= mostRuns) || n != math.Trunc(n) || n < 1 || !(epsilon > 0) || !(epsilon < 700) || delta >= 1 {
		return Approximate(n*epsilon, math.Min(1, n*delta))
	}
	key := "power(" + number(epsilon) + "," + number(delta) + "," + number(n) + ")"
	kept := n * math.Log1p(-delta)
	masses, _ := binomial(exactly(math.Exp(epsilon)), exactly(1), int(n), int(n), -1)
	points := make([]atom, len(masses))
	for i := range masses {
		p, q := masses[i], masses[len(masses)-1-i]
		points[i] = atom{(2*float64(i) - n) * epsilon, p * math.Exp(kept), q * math.Exp(kept)}
	}
	top := -math.Expm1(kept)
	return symmetric(known(newList(key, points, top, top)))
}
