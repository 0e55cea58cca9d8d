package pld_test

import (
	"context"
	"fmt"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// One epoch of DP-SGD and a few counts with Laplace noise on the same data.
func ExampleEpsilon() {
	training := pairs.Subsample(0.01, pairs.Gaussian(1/1.1))
	counts := pairs.Laplace(0.1)
	stack := []pairs.Part{{Pair: training, Count: 100}, {Pair: counts, Count: 5}}
	i, err := pld.Epsilon(context.Background(), stack, 1e-6, pld.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ε is about %.2f; certified to %v\n", i.Upper, i.Upper-i.Lower < 1e-3*i.Upper)
	// Output: ε is about 1.00; certified to true
}

// The pair of an exponential mechanism costs far less than its pure ε says.
func ExampleBoundedRange() {
	for _, p := range []pairs.Pair{pairs.Pure(0.1), pairs.BoundedRange(0.1)} {
		i, _ := pld.Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: 100}}, 1e-6, pld.Options{})
		fmt.Printf("%.1f\n", i.Upper)
	}
	// Output:
	// 4.8
	// 2.6
}
