package pld

import (
	"context"
	"testing"
	"time"

	"epsiloscope/accounting/pld/fft"
)

// tasks are the stacks that peers are timed on.
var tasks = []struct {
	name  string
	parts []Part
	delta float64
}{
	{"Gaussian×1000", []Part{{Gaussian(0.1), 1000}}, 1e-6},
	{"Laplace×1000", []Part{{Laplace(0.05), 1000}}, 1e-6},
	{"DPSGD×10000", []Part{{sgd(0.01, 1.1), 10000}}, 1e-5},
	{"Mixed45", mixed45(), 1e-6},
	{"Pure×10000", []Part{{Pure(0.01), 10000}}, 1e-6},
}

// mixed45 is 20 Laplace scales 1..20 ten times each, 20 Gaussians σ = 5..24, and five
// randomized responses that tell the truth with probability 0.75.
func mixed45() []Part {
	var parts []Part
	for b := 1.0; b <= 20; b++ {
		parts = append(parts, Part{Laplace(1 / b), 10})
	}
	for s := 5.0; s <= 24; s++ {
		parts = append(parts, Part{Gaussian(1 / s), 1})
	}
	return append(parts, Part{Pure(1.0986122886681098), 5})
}

// BenchmarkEpsilon times whole evaluations at the default width, from nothing, with
// closed forms switched off, and reports them as a multiple of one forward and one
// inverse FFT of the grid's length, measured in the same run.
func BenchmarkEpsilon(b *testing.B) {
	for _, task := range tasks {
		b.Run(task.name, func(b *testing.B) {
			var last Interval
			b.ReportAllocs()
			for b.Loop() {
				i, err := Epsilon(context.Background(), task.parts, task.delta, Options{NoForm: true})
				if err != nil {
					b.Fatal(err)
				}
				last = i
			}
			whole := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(last.Grid), "grid")
			b.ReportMetric(last.width(), "width")
			b.ReportMetric(whole/transformPair(last.Grid), "FFTs")
		})
	}
}

// transformPair is the time of one forward and one inverse transform.
func transformPair(n int) float64 {
	if n == 0 {
		return 1
	}
	x := make([]float64, n)
	x[1] = 1
	p := fft.For(n)
	start, runs := time.Now(), 0
	for ; runs < 3 || time.Since(start) < 50*time.Millisecond; runs++ {
		p.Inverse(p.Forward(x))
	}
	return time.Since(start).Seconds() / float64(runs)
}
