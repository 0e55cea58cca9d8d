package pld

import (
	"context"
	"fmt"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// Training on batches, from nothing and to three digits and to four: ten epochs of random
// allocation, and 10,000 steps on batches of fixed size of which a record is changed; how far
// apart the ends are, and the processor time.
func BenchmarkBatches(b *testing.B) {
	type training struct {
		name  string
		pair  func() pairs.Pair
		count float64
	}
	trainings := []training{{"fixed", func() pairs.Pair { return pairs.SampledReplace(0.01, pairs.Gaussian(2)) }, 10_000}}
	for _, c := range []struct{ t, z float64 }{
		{100, 1}, {100, 0.3}, {1000, 1}, {10_000, 0.6}, {10_000, 0.3}, {100_000, 3}, {100_000, 1}, {100_000, 0.6}, {100_000, 0.3},
	} {
		trainings = append(trainings, training{fmt.Sprintf("t=%v,z=%v", c.t, c.z), func() pairs.Pair {
			return pairs.Allocation(c.t, c.z)
		}, 10})
	}
	for _, width := range []float64{1e-3, 1e-4} {
		for _, c := range trainings {
			b.Run(fmt.Sprintf("width=%v/%s", width, c.name), func(b *testing.B) {
				var i Interval
				before := processorTime()
				for b.Loop() {
					pairs.Forget()
					var err error
					if i, err = Epsilon(context.Background(), []pairs.Part{{Pair: c.pair(), Count: c.count}}, 1e-6,
						Options{Width: width}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
				b.ReportMetric(i.Upper/i.Lower-1, "width")
			})
		}
	}
}

// How long the list of one epoch takes by itself.
func BenchmarkAllocation(b *testing.B) {
	for _, c := range []struct{ t, z float64 }{{100, 1}, {100_000, 1}, {100_000, 0.3}} {
		b.Run(fmt.Sprintf("t=%v,z=%v", c.t, c.z), func(b *testing.B) {
			before := processorTime()
			for b.Loop() {
				pairs.Forget()
				pairs.Allocation(c.t, c.z)
			}
			b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}
