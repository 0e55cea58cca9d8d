package certify

import (
	"testing"

	"epsiloscope/scenarios"
)

// The hash of a stack changes with what a guarantee depends on, and with nothing else.
func TestStackHash(t *testing.T) {
	const stack = "\nstack: [{mechanism: laplace, epsilon: 0.5, sensitivity: 1}]"
	hash := func(text string) string {
		s, err := scenarios.Parse("", []byte("version: 1\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		h, err := stackHash(s)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	plain := hash("unit: person" + stack)
	for text, same := range map[string]bool{
		"name: other\nunit: person\nbudget: {epsilon: 3, delta: 1e-6}" + stack:                              true,
		"unit: person\nstack: [{mechanism: laplace, epsilon: 0.5, sensitivity: 1, label: visits}]":          true,
		"unit: person\nstack: [{mechanism: laplace, epsilon: 0.5, sensitivity: 1, weight: 2, typical: 90}]": true,
		"unit: person\ndeployment: {curator: Bureau, published: 2026-11-17, model: central}" + stack:        true,
		"unit: person\nclaim: {epsilon: 1, delta: 1e-6, by: Bureau}\nanswers: {tuning: none}" + stack:       true,
		"unit: visit" + stack:                                                                 false,
		"unit: person\nadjacency: replace" + stack:                                            false,
		"unit: person\nrounds: 2" + stack:                                                     false,
		"unit: person\nstack: [{mechanism: laplace, epsilon: 0.5, sensitivity: 2}]":           false,
		"unit: person\nstack: [{mechanism: laplace, epsilon: 0.5, sensitivity: 1, count: 2}]": false,
	} {
		if (hash(text) == plain) != same {
			t.Errorf("the same hash: %t for\n%s", !same, text)
		}
	}
}
