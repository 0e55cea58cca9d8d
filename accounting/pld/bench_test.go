package pld

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"epsiloscope/accounting/pld/pairs"
)

type task struct {
	name  string
	parts []pairs.Part
	delta float64
}

// tasks are the stacks that peers are timed on, and heavier ones.
var tasks = []task{
	{"Gaussian×1000", []pairs.Part{{Pair: pairs.Gaussian(0.1), Count: 1000}}, 1e-6},
	{"Laplace×1000", []pairs.Part{{Pair: pairs.Laplace(0.05), Count: 1000}}, 1e-6},
	{"DPSGD×10000", []pairs.Part{{Pair: sgd(0.01, 1.1), Count: 10000}}, 1e-5},
	{"Mixed45", mixed45(), 1e-6},
	{"Pure×10000", []pairs.Part{{Pair: pairs.Pure(0.01), Count: 10000}}, 1e-6},
	{"SmallRate1e-4", []pairs.Part{{Pair: sgd(1e-4, 0.6), Count: 1e5}}, 1e-7},
	{"SmallRate1e-5", []pairs.Part{{Pair: sgd(1e-5, 0.6), Count: 1e6}}, 1e-8},
	{"SmallRate1e-6", []pairs.Part{{Pair: sgd(1e-6, 0.6), Count: 1e6}}, 1e-5},
	{"TinySample×100", []pairs.Part{{Pair: sgd(1e-6, 0.3), Count: 100}}, 3e-5},
	{"DPSGD×10", []pairs.Part{{Pair: sgd(0.01, 1.1), Count: 10}}, 1e-5},
	{"Group5×1000", []pairs.Part{{Pair: pairs.SampledGaussianGroup(1/1.1, 0.01, 5, false), Count: 1000}}, 1e-5},
	{"Replace×1000", []pairs.Part{{Pair: pairs.SampledGaussianGroup(1/1.1, 0.01, 1, true), Count: 1000}}, 1e-5},
	{"SampledGaussians300", distinct300(), 1e-6},
	{"Laplace10000", distinctLaplace(), 1e-6},
}

// distinct300 returns 300 sampled Gaussians with z from 0.8 to 2, ten times each.
func distinct300() (parts []pairs.Part) {
	for i := range 300 {
		parts = append(parts, pairs.Part{Pair: sgd(0.01, 0.8+0.004*float64(i)), Count: 10})
	}
	return parts
}

// distinctLaplace returns 10,000 Laplace releases of as many scales.
func distinctLaplace() (parts []pairs.Part) {
	for i := range 10000 {
		parts = append(parts, pairs.Part{Pair: pairs.Laplace(0.001 + 1e-6*float64(i)), Count: 1})
	}
	return parts
}

// mixed45 returns 20 Laplace scales 1..20 ten times each, 20 Gaussians σ = 5..24, and five
// randomized responses that tell the truth with probability 0.75.
func mixed45() []pairs.Part {
	var parts []pairs.Part
	for b := 1.0; b <= 20; b++ {
		parts = append(parts, pairs.Part{Pair: pairs.Laplace(1 / b), Count: 10})
	}
	for s := 5.0; s <= 24; s++ {
		parts = append(parts, pairs.Part{Pair: pairs.Gaussian(1 / s), Count: 1})
	}
	return append(parts, pairs.Part{Pair: pairs.Pure(1.0986122886681098), Count: 5})
}

// BenchmarkEpsilon times whole evaluations, from nothing, with closed forms switched off.
func BenchmarkEpsilon(b *testing.B) {
	for _, task := range tasks {
		for _, width := range []float64{1e-3, DefaultWidth, 1e-6} {
			b.Run(fmt.Sprintf("%s/width=%g", task.name, width), func(b *testing.B) {
				var last Interval
				b.ReportAllocs()
				before := processorTime()
				for b.Loop() {
					i, err := Epsilon(context.Background(), task.parts, task.delta, Options{NoForm: true, Width: width})
					if err != nil {
						b.Fatal(err)
					}
					last = i
				}
				b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
				b.ReportMetric(float64(last.Grid), "frequencies")
				b.ReportMetric(last.width(), "width")
			})
		}
	}
}

// BenchmarkCancelled gives up evaluations at one share of their time after the other, and reports
// how much was computed between then and the return: at most, and on average.
func BenchmarkCancelled(b *testing.B) {
	const shares = 16
	heavy := append(tasks[5:len(tasks):len(tasks)],
		task{"Allocation", []pairs.Part{{Pair: pairs.Allocation(1e4, 0.6), Count: 10}}, 1e-6},
		task{"DiscreteGaussian", []pairs.Part{{Pair: pairs.Subsample(0.01, pairs.DiscreteGaussian(20000, 20000)), Count: 1000}}, 1e-6})
	for _, task := range heavy {
		b.Run(task.name, func(b *testing.B) {
			evaluate := func(ctx context.Context) {
				_, _ = Epsilon(ctx, task.parts, task.delta, Options{NoForm: true, Width: 1e-6})
			}
			started := time.Now()
			evaluate(context.Background())
			whole := time.Since(started)
			var most, sum time.Duration
			for b.Loop() {
				for i := range shares {
					ctx, cancel := context.WithCancel(context.Background())
					var at time.Duration
					time.AfterFunc(whole*time.Duration(i+1)/(shares+1), func() { at = processorTime(); cancel() })
					evaluate(ctx)
					if ctx.Err() != nil {
						late := processorTime() - at
						most, sum = max(most, late), sum+late
					}
					cancel()
				}
			}
			b.ReportMetric(float64(most), "most-cpu-ns")
			b.ReportMetric(float64(sum)/float64(shares*b.N), "cpu-ns")
		})
	}
}

// processorTime returns what this process has used, which says more than a clock on a busy machine.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkGroupsInABlock times ten rounds of a block of two branches, fifty records of one
// person in each, the pairs included.
func BenchmarkGroupsInABlock(b *testing.B) {
	for b.Loop() {
		block := pairs.Parallel([][]pairs.Part{
			{{Pair: pairs.Group(pairs.Subsample(0.01, pairs.Laplace(0.5)), 50), Count: 1}},
			{{Pair: pairs.Group(pairs.Subsample(0.02, pairs.Pure(0.3)), 50), Count: 1}},
		}, true)
		if _, err := Epsilon(context.Background(), []pairs.Part{{Pair: block, Count: 10}}, 1e-6,
			Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
