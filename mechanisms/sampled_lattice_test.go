package mechanisms

import (
	"context"
	"testing"

	"epsiloscope/accounting"
)

// Discrete Gaussian noise has no pure ε, on a sample neither: however few of its losses have a
// mass that float64 can hold.
func TestSampledDiscreteGaussianIsNotPure(t *testing.T) {
	for _, sigma := range []float64{0.7, 5, 60} {
		for _, s := range []Setting{{Adjacency: AddRemove, Sampling: 0.01}, {Adjacency: Replace, Sampling: 0.01},
			{Adjacency: AddRemove}} {
			entries, _, err := Entries(DiscreteGaussian{Sigma: sigma, Sensitivity: 1}, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range accounting.Compare(context.Background(), entries, accounting.Target{}) {
				if b.Finite() {
					t.Errorf("σ = %g, %+v: %s says ε = %g at δ = 0", sigma, s, b.Method, b.Epsilon)
				}
			}
			if b := accounting.Evaluate(context.Background(), accounting.RDP, entries,
				accounting.Target{Delta: 1e-6}); b.Delta != 1e-6 {
				t.Errorf("σ = %g, %+v: RDP says ε = %g at δ = %g", sigma, s, b.Epsilon, b.Delta)
			}
		}
	}
}
