package mechanisms

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"epsiloscope/mechanisms/param"
)

// What a stack of many entries pays for each: reading its values and making its
// release.
func BenchmarkNew(b *testing.B) {
	for _, s := range Catalogue() {
		v := s.Initials()
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := New(s.Name, v)
				if err != nil {
					b.Fatal(err)
				}
				m.Releases(1)
			}
		})
	}
}

// One point of a Rényi curve; an accountant asks for some hundred.
func BenchmarkRenyi(b *testing.B) {
	for _, m := range []Mechanism{
		Laplace{Epsilon: 0.1, Sensitivity: 1}, Geometric{Epsilon: 0.1, Sensitivity: 1e6}, RandomizedResponse{0.1, 1000},
		Gaussian{10, 1}, DiscreteGaussian{10, 1},
		Exponential{Epsilon: 0.1, Sensitivity: 1}, DPSGD{NoiseMultiplier: 1.1, SamplingRate: 0.01, Steps: 1000},
	} {
		r := m.Releases(1)[0].Release
		b.Run(m.Kind(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Renyi(7.3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSelection(b *testing.B) {
	for _, n := range []int{10, 1000, 1_000_000} {
		r := rand.New(rand.NewPCG(1, 2))
		items := make([]param.Item, n)
		for i := range items {
			items[i].Value = 100 * r.Float64()
		}
		for _, shape := range []string{"gumbel", "exponential", "laplace"} {
			m := NoisyMax{Epsilon: 1, Sensitivity: 1, Shape: shape, Candidates: items}
			b.Run(fmt.Sprintf("%s/%d", shape, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.Selection(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
