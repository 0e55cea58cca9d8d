package curve

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

func GaussianSum(stack []accounting.Entry) (mu float64, ok bool) {
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

func ConcentratedSum(stack []accounting.Entry) (rho float64, ok bool) {
	for _, e := range stack {
		r, err := e.Release.Concentrated()
		if err != nil {
			return 0, false
		}
		rho += e.Count * r
	}
	return rho, rho > 0 && !math.IsInf(rho, 1)
}

// Divergence is the Rényi divergence of the whole stack: the releases' own, added.
func Divergence(stack []accounting.Entry, alpha float64) (float64, error) {
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

// Stack is what the accountants compose of a scenario.
func Stack(s *scenarios.Scenario) ([]accounting.Entry, error) {
	return scenarios.NewEvaluator().Stack(s, scenarios.Options{})
}
