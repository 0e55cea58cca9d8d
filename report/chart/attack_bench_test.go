package chart

import (
	"context"
	"testing"

	"epsiloscope/scenarios"
)

// A whole chart of an attack costs at most ten times as much as one evaluation: go test -bench Attack ./report/chart.
func BenchmarkAttack(b *testing.B) {
	s, err := scenarios.Parse("", []byte("version: 1\nbudget: {advantage: 0.2, delta: 1e-5}\nstack: [{mechanism: dp-sgd, noise_multiplier: 0.83, sampling_rate: 0.004, steps: 5000}]\n"))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			if _, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, kind := range []Kind{Tradeoff, TPR, Bayes} {
		b.Run(kind.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := kind.Build(context.Background(), s, Options{Numerical: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
