package pld

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// BenchmarkGrowth times DP-SGD (q = 0.01, z = 1.1, δ = 1e-6) from a thousand steps to a
// thousand million: what is allocated bounds the memory in use, and "per√K" is the time
// over √K, in microseconds, which must not grow.
func BenchmarkGrowth(b *testing.B) {
	for k := 1e3; k <= 1e9; k *= 10 {
		b.Run(fmt.Sprintf("K=%g", k), func(b *testing.B) {
			opt := Options{NoForm: true}
			if k > 1e6 {
				opt.Width = 2e-2
			}
			var last Interval
			b.ReportAllocs()
			for b.Loop() {
				i, err := Epsilon(context.Background(), []Part{{sgd(0.01, 1.1), k}}, 1e-6, opt)
				if err != nil {
					b.Fatal(err)
				}
				last = i
			}
			b.ReportMetric(float64(last.Grid), "grid")
			b.ReportMetric(last.width(), "width")
			b.ReportMetric(1e6*b.Elapsed().Seconds()/float64(b.N)/math.Sqrt(k), "µs/√K")
		})
	}
}

// BenchmarkPrecision times DP-SGD (q = 0.01, z = 1.1, 10,000 steps, δ = 1e-5) at ever
// narrower widths; the upper end of the best peer is 7e-6 above the truth.
func BenchmarkPrecision(b *testing.B) {
	for _, width := range []float64{1e-2, 1e-3, 1e-4, 1.4e-5} {
		b.Run(fmt.Sprintf("width=%g", width), func(b *testing.B) {
			var last Interval
			b.ReportAllocs()
			for b.Loop() {
				i, err := Epsilon(context.Background(), []Part{{sgd(0.01, 1.1), 1e4}}, 1e-5, Options{Width: width, NoForm: true})
				if err != nil {
					b.Fatal(err)
				}
				last = i
			}
			b.ReportMetric(float64(last.Grid), "grid")
			b.ReportMetric(last.width(), "width")
		})
	}
}

// BenchmarkOneLineChanged times an evaluation of the 45-entry stack after one line has
// changed, beside one from nothing: the transforms of the other lines are used again.
func BenchmarkOneLineChanged(b *testing.B) {
	parts := mixed45()
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("reuse=%v", again), func(b *testing.B) {
			a, n := new(Accountant), 0.0
			for b.Loop() {
				if !again {
					a = new(Accountant)
				}
				n++
				parts[3] = Part{Laplace(0.25 + 1e-5*math.Mod(n, 1000)), 10}
				if _, err := a.Epsilon(context.Background(), parts, 1e-6, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
