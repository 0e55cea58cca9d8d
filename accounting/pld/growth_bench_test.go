package pld

import (
	"context"
	"fmt"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// BenchmarkGrowth times DP-SGD (q = 0.01, z = 1.1, δ = 1e-6) from a thousand steps to a
// million million: what is allocated bounds the memory in use, and neither that
// nor the time must grow.
func BenchmarkGrowth(b *testing.B) {
	for k := 1e3; k <= 1e12; k *= 10 {
		b.Run(fmt.Sprintf("K=%g", k), func(b *testing.B) {
			opt := Options{NoForm: true, Width: 1e-6}
			var last Interval
			b.ReportAllocs()
			for b.Loop() {
				i, err := Epsilon(context.Background(), []pairs.Part{{Pair: sgd(0.01, 1.1), Count: k}}, 1e-6, opt)
				if err != nil {
					b.Fatal(err)
				}
				last = i
			}
			b.ReportMetric(float64(last.Grid), "frequencies")
			b.ReportMetric(last.width(), "width")
		})
	}
}
