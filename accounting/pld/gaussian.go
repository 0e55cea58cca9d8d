package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// gaussian is the loss of N(μ,1) against N(0,1): L ~ N(μ²/2, μ²) under P and
// N(−μ²/2, μ²) under Q (Dong, Roth, Su 2022, section 2.3).
type gaussian struct{ mu float64 }

// Gaussian is the pair of a release that is exactly μ-GDP: Gaussian noise of
// standard deviation σ on a query of sensitivity Δ₂ has μ = Δ₂/σ.
func Gaussian(mu float64) Pair {
	switch {
	case !(mu > 0):
		return nothing()
	case mu > 1e8:
		return tooLarge("gaussian("+number(mu)+")", symmetric(gaussian{1e8}))
	}
	return symmetric(gaussian{mu})
}

func (g gaussian) Key() string { return "gaussian(" + number(g.mu) + ")" }

func (g gaussian) LogDelta(epsilon float64) float64 {
	return special.LogGaussianProfile(g.mu, epsilon)
}

// Renyi is αμ²/2 (Mironov 2017, Corollary 3).
func (g gaussian) Renyi(alpha float64) float64 { return math.Max(alpha, 1) * g.mu * g.mu / 2 }

func (g gaussian) span() (lo, hi float64)      { return math.Inf(-1), math.Inf(1) }
func (g gaussian) atoms() []atom               { return nil }
func (g gaussian) continuous() bool            { return true }
func (g gaussian) ends() (top, bottom float64) { return 0, 0 }

// reach ends where the nodes of the trapezoidal rule, numbered from 0 up to αμ/step,
// leave the whole numbers that float64 can tell apart. Past the widest μ there is no
// rule for the subsampled loss at all.
func (g gaussian) reach() float64 {
	if g.mu > widest {
		return 0
	}
	return 0x1p50 * g.step() / g.mu
}

// widest is the largest μ for which the nodes resolve the singularity of a
// subsampled loss: their number grows like μ². A single release beyond it has an ε
// in the tens of thousands.
const widest = 200

// step is the distance of the nodes: see nodes.
func (g gaussian) step() float64 { return math.Min(0.125, 0.4/g.mu) }

func (g gaussian) tails(x float64) tails {
	upP, loP := normalTails(x/g.mu - g.mu/2)
	upQ, loQ := normalTails(x/g.mu + g.mu/2)
	return tails{upP, loP, upQ, loQ}
}

// normalTails are P(Z > z) and P(Z ≤ z), each to full relative precision.
func normalTails(z float64) (up, lo float64) {
	t := 0.5 * math.Erfc(math.Abs(z)/math.Sqrt2)
	if z >= 0 {
		return t, 1 - t
	}
	return 1 - t, t
}

// nodes is the trapezoidal rule in the noise x, L = μx − μ²/2 with x ~ N(0,1) under
// Q. For integrands analytic in a strip of half-width d its error is about
// e^{−2πd/step}; the logarithm of a subsampled loss is analytic for |Im x| < π/μ.
// Orders move the mass up to x = αμ.
func (g gaussian) nodes(alpha float64) []node {
	step := g.step()
	const reach = 13.0 // e^{−13²/2} = 2e-37
	centre := alpha * g.mu
	var out []node
	if g.mu > widest { // the loss of the Gaussian itself is entire: only its mass counts
		for t := -reach; t <= reach; t += 0.125 {
			z := (alpha-1)*g.mu + t
			out = append(out, node{g.mu * (g.mu/2 + z), -0.5*z*z - 0.5*math.Log(2*math.Pi) + math.Log(0.125)})
		}
		return out
	}
	sweep := func(from, to float64) {
		first, last := math.Floor(from/step), math.Ceil(to/step)
		for k := first; k <= last; k++ {
			z := k*step - g.mu // standardised under P
			logP := -0.5*z*z - 0.5*math.Log(2*math.Pi) + math.Log(step)
			out = append(out, node{g.mu*k*step - g.mu*g.mu/2, logP})
		}
	}
	if centre < 1000 {
		sweep(-reach, centre+reach)
		return out
	}
	// Far apart, the integrand has its mass near 0 and near αμ: in between, its
	// logarithm α·ln(1−q+q·e^L) − x²/2 falls and then rises.
	sweep(-reach, g.mu+3*reach)
	sweep(centre-3*reach, centre+reach)
	return out
}
