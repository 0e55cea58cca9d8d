package sheet

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// pureOf is a scenario of one pure entry.
func pureOf(epsilon, count, delta float64) *scenarios.Scenario {
	s := scenarios.New()
	s.Name = "pure"
	s.Budget = scenarios.Budget{Epsilon: 1, Delta: delta}
	s.Stack = []scenarios.Entry{{Mechanism: "pure", Values: mechanisms.Values{"epsilon": mechanisms.NumberValue(epsilon)}, Count: count, Sampling: 1}}
	return s
}
