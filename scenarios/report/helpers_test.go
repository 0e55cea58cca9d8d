package report

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// stackOfOne is a scenario of one entry.
func stackOfOne(mechanism string, values mechanisms.Values, count, delta float64) *scenarios.Scenario {
	s := scenarios.New()
	s.Name = mechanism
	s.Budget = scenarios.Budget{Epsilon: 1, Delta: delta}
	s.Stack = []scenarios.Entry{{Mechanism: mechanism, Values: values, Count: count, Sampling: 1}}
	return s
}

func pureOf(epsilon, count, delta float64) *scenarios.Scenario {
	return stackOfOne("pure", mechanisms.Values{"epsilon": mechanisms.NumberValue(epsilon)}, count, delta)
}

func gaussianOf(sigma, count, delta float64) *scenarios.Scenario {
	return stackOfOne("gaussian", mechanisms.Values{"sigma": mechanisms.NumberValue(sigma)}, count, delta)
}
