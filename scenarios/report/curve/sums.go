package curve

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// GaussianSum is the μ of a stack of Gaussian noise alone; false for any other.
func GaussianSum(stack []accounting.Entry) (mu float64, ok bool) {
	mu, err := accounting.Composite(stack).Gaussian()
	return mu, err == nil && mu > 0 && !math.IsInf(mu, 1)
}

// ConcentratedSum is the ρ of a stack; false where a release has none.
func ConcentratedSum(stack []accounting.Entry) (rho float64, ok bool) {
	rho, err := accounting.Composite(stack).Concentrated()
	return rho, err == nil && rho > 0 && !math.IsInf(rho, 1)
}

// Stack is what the accountants compose of a scenario.
func Stack(s *scenarios.Scenario) ([]accounting.Entry, error) {
	return scenarios.NewEvaluator().Stack(s)
}
