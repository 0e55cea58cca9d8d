// Package samples has small scenarios for tests.
package samples

import (
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// One returns a scenario of one entry, under a budget of ε = 1.
func One(mechanism string, values param.Values, count, delta float64) *scenarios.Scenario {
	s := scenarios.New()
	s.Name = mechanism
	s.Budget = scenarios.Budget{Epsilon: 1, Delta: delta}
	s.Stack = []scenarios.Entry{{Mechanism: mechanism, Values: values, Count: count, Sampling: 1}}
	return s
}

// Pure returns a number of releases of ε each.
func Pure(epsilon, count, delta float64) *scenarios.Scenario {
	return One("pure", param.Values{"epsilon": param.NumberValue(epsilon)}, count, delta)
}

// Gaussian returns a number of releases with noise σ and sensitivity 1.
func Gaussian(sigma, count, delta float64) *scenarios.Scenario {
	return One("gaussian", param.Values{"sigma": param.NumberValue(sigma)}, count, delta)
}

// Training returns DP-SGD on 10,000 records with a noise multiplier of 1, and the fields given.
func Training(fields string) *scenarios.Scenario {
	s, err := scenarios.Parse("", []byte("version: 1\nadjacency: zero-out\nrecords: 10000\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: dp-sgd, noise_multiplier: 1, "+fields+"}\n"))
	if err != nil {
		panic(err)
	}
	return s
}
