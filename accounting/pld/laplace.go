package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// laplace is the loss of Lap(0, b) against Lap(Δ, b), ε = Δ/b: half of P sits at the
// largest loss ε, ½e^{−ε} at −ε, and between them P has density ¼e^{−(ε−L)/2}.
type laplace struct{ epsilon float64 }

// Laplace is the pair of Laplace noise with scale b on a query of sensitivity Δ₁,
// ε = Δ₁/b. It dominates vectors of that ℓ₁ sensitivity too.
func Laplace(epsilon float64) Pair {
	switch {
	case !(epsilon > 0):
		return nothing()
	case epsilon > 1e15:
		return tooLarge("laplace("+number(epsilon)+")", symmetric(laplace{1e15}))
	}
	return symmetric(laplace{epsilon})
}

func (l laplace) Key() string { return "laplace(" + number(l.epsilon) + ")" }

// LogDelta is ln(1 − e^{(t−ε)/2}) for |t| ≤ ε (Balle, Barthe, Gaboardi 2018).
func (l laplace) LogDelta(t float64) float64 {
	switch {
	case t >= l.epsilon:
		return math.Inf(-1)
	case t <= -l.epsilon:
		return special.Log1mExp(t)
	}
	return special.Log1mExp((t - l.epsilon) / 2)
}

// Renyi is a hair upward.
func (l laplace) Renyi(alpha float64) float64 {
	return math.Min(l.epsilon, special.LaplaceRenyi(l.epsilon, alpha)*(1+1e-14))
}

func (l laplace) span() (lo, hi float64)      { return -l.epsilon, l.epsilon }
func (l laplace) continuous() bool            { return true }
func (l laplace) ends() (top, bottom float64) { return 0, 0 }
func (l laplace) reach() float64              { return math.Inf(1) }

func (l laplace) atoms() []atom {
	far := 0.5 * math.Exp(-l.epsilon)
	return []atom{{-l.epsilon, far, 0.5}, {l.epsilon, 0.5, far}}
}

func (l laplace) tails(x float64) tails {
	e := l.epsilon
	x = math.Max(-e, math.Min(e, x))
	return tails{
		upP: -0.5 * math.Expm1((x-e)/2),
		loP: -0.5 * math.Exp((x-e)/2) * math.Expm1(-(x+e)/2),
		upQ: -0.5 * math.Exp(-(x+e)/2) * math.Expm1((x-e)/2),
		loQ: -0.5 * math.Expm1(-(x+e)/2),
	}
}

func (l laplace) rising() (lo, hi, logScale float64) {
	return -l.epsilon, l.epsilon, math.Log(0.25) - l.epsilon/2
}

func (l laplace) nodes(alpha float64) []node {
	lo, hi, logScale := l.rising()
	return risingNodes(lo, hi, logScale, alpha)
}
