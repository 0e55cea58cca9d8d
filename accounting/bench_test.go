package accounting

import (
	"context"
	"fmt"
	"testing"
)

// mixed returns a stack of n distinct entries of five kinds.
func mixed(n int) []Entry {
	stack := make([]Entry, n)
	for i := range stack {
		x := 0.01 * (1 + float64(i)/float64(n))
		switch i % 5 {
		case 0:
			stack[i] = Entry{PureDP(x), 10}
		case 1:
			stack[i] = Entry{laplace(x), 3}
		case 2:
			stack[i] = Entry{BoundedRangeDP(x), 2}
		case 3:
			stack[i] = Entry{ConcentratedDP(0, x*x), 1}
		default:
			stack[i] = Entry{GaussianDP(x), 5}
		}
	}
	return stack
}

// Linear in distinct entries.
func BenchmarkClosed(b *testing.B) {
	for _, n := range []int{1, 100, 10000} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			stack := mixed(n)
			b.ReportAllocs()
			for b.Loop() {
				ClosedForms(context.Background(), stack, Target{Delta: 1e-6})
			}
		})
	}
}

// The same entry many times over: folded before anything is computed.
func BenchmarkClosedFolded(b *testing.B) {
	stack := make([]Entry, 10000)
	for i := range stack {
		stack[i] = Entry{PureDP(0.01), 1}
	}
	b.ReportAllocs()
	for b.Loop() {
		ClosedForms(context.Background(), stack, Target{Delta: 1e-6})
	}
}

// Not growing with the count.
func BenchmarkClosedCount(b *testing.B) {
	for _, k := range []float64{1, 1e3, 1e6, 1e12, 1e24} {
		b.Run(fmt.Sprintf("count=%g", k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ClosedForms(context.Background(), []Entry{{PureDP(1e-6), k}}, Target{Delta: 1e-6})
			}
		})
	}
}

func BenchmarkMethods(b *testing.B) {
	stack := []Entry{{PureDP(0.1), 100}, {GaussianDP(0.05), 20}}
	for _, t := range Methods() {
		if t.Method == Numerical || t.Method == RDPPinned {
			continue
		}
		b.Run(string(t.Method), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				prepareStack(stack, Target{Delta: 1e-6}).evaluate(b.Context(), t)
			}
		})
	}
}

func BenchmarkSampledGaussian(b *testing.B) {
	stack := []Entry{{Subsample(GaussianDP(1/1.1), 0.01), 1e4}}
	b.ReportAllocs()
	for b.Loop() {
		prepareStack(stack, Target{Delta: 1e-5}).evaluate(b.Context(), rdpTheorem)
	}
}

// How batches are drawn: a training of ten passes over a hundred allocated batches, and one
// of ten thousand steps on batches of fixed size.
func BenchmarkBatches(b *testing.B) {
	for name, stack := range map[string]func() []Entry{
		"allocated": func() []Entry { return []Entry{{AllocatedPass(100, 1), 10}} },
		"fixed":     func() []Entry { return []Entry{{FixedBatch(1, 0.01, 2), 1e4}} },
		"low noise": func() []Entry { return []Entry{{AllocatedPass(100, 0.3), 10}} },
		"many":      func() []Entry { return []Entry{{AllocatedPass(1e5, 1), 10}} },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Evaluate(b.Context(), Numerical, stack(), Target{Delta: 1e-6, Precision: 1e-3})
			}
		})
	}
}
