package report

import (
	"math"

	"epsiloscope/accounting"
)

func gaussianSum(stack []accounting.Entry) (mu float64, ok bool) {
	squares := 0.0
	for _, e := range stack {
		m, err := e.Release.Gaussian()
		if err != nil {
			return 0, false
		}
		squares += e.Count * m * m
	}
	mu = math.Sqrt(squares)
	return mu, mu > 0 && !math.IsInf(mu, 1)
}

func concentratedSum(stack []accounting.Entry) (rho float64, ok bool) {
	for _, e := range stack {
		r, err := e.Release.Concentrated()
		if err != nil {
			return 0, false
		}
		rho += e.Count * r
	}
	return rho, rho > 0 && !math.IsInf(rho, 1)
}

// divergence is the Rényi divergence of the whole stack: the releases' own, added.
func divergence(stack []accounting.Entry, alpha float64) (float64, error) {
	sum := 0.0
	for _, e := range stack {
		if e.Count == 0 {
			continue
		}
		r, err := e.Release.Renyi(alpha)
		if err != nil {
			return 0, err
		}
		sum += e.Count * r
	}
	return sum, nil
}
