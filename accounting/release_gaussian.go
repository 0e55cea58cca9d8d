package accounting

import (
	"errors"
	"math"

	"epsiloscope/accounting/pld"
)

// GaussianDP is a release that is exactly μ-GDP: Gaussian noise with μ = Δ₂/σ
// (Dong, Roth & Su 2022, Theorem 1).
func GaussianDP(mu float64) Release {
	if !finite(mu) {
		return Refused("Gaussian", "μ = Δ/σ must be a finite number of at least 0")
	}
	return gaussian{Refusal{Label: "Gaussian"}, mu}
}

type gaussian struct {
	Refusal
	mu float64
}

func (g gaussian) Key() string { return key("gaussian", g.mu) }

func (g gaussian) Approximate() (epsilon, delta float64, err error) {
	if g.mu == 0 {
		return 0, 0, nil
	}
	return 0, 0, errors.New("Gaussian noise has no pure ε, only a δ for every ε")
}

func (g gaussian) Renyi(alpha float64) (float64, error) {
	if g.mu == 0 {
		return 0, nil
	}
	return math.Max(1, alpha) * g.mu * g.mu / 2, nil
}

func (g gaussian) Concentrated() (rho float64, err error) { return g.mu * g.mu / 2, nil }

func (g gaussian) Gaussian() (mu float64, err error) { return g.mu, nil }

func (g gaussian) Profile(epsilon float64) (delta float64, err error) {
	return GaussianToDelta(g.mu, epsilon), nil
}

func (g gaussian) Pair() (pld.Pair, error) { return pld.Gaussian(g.mu), nil }
