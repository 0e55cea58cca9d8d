package mechanisms_test

import (
	"context"
	"fmt"
	"log"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// From a mechanism to what a hundred of its answers cost.
func Example() {
	counts := mechanisms.Laplace{Epsilon: 0.1, Sensitivity: 1}
	stack, _, err := mechanisms.Entries(counts, mechanisms.Setting{Count: 100})
	if err != nil {
		log.Fatal(err)
	}
	target := accounting.Target{Delta: 1e-6}
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP} {
		b := accounting.Evaluate(context.Background(), m, stack, target)
		fmt.Printf("%-5s ε = %.3f\n", b.Method, b.Epsilon)
	}
	// Output:
	// basic ε = 10.000
	// rdp   ε = 4.984
}

// A scenario's values become a mechanism, and the mechanism what the accountants
// compose. An error names the parameter and what it allows.
func ExampleNew() {
	_, err := mechanisms.New("gaussian", param.Values{"sigma": param.NumberValue(-1)})
	fmt.Println(err)
	m, err := mechanisms.New("sparse-vector", param.Values{
		"epsilon": param.NumberValue(1), "positives": param.WholeValue(10),
	})
	if err != nil {
		log.Fatal(err)
	}
	entries, _, err := mechanisms.Entries(m, mechanisms.Setting{Adjacency: mechanisms.AddRemove})
	if err != nil {
		log.Fatal(err)
	}
	epsilon, _, err := entries[0].Release.Approximate()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f × %s at ε = %v\n", entries[0].Count, entries[0].Release.Name(), epsilon)
	// Output:
	// sigma: must be greater than 0, got -1
	// 10 × AboveThreshold at ε = 0.1
}

// A release may be asked directly what it promises; where it has no answer, the error
// is the reason.
func ExampleLaplace_Releases() {
	r := mechanisms.Laplace{Epsilon: 0.5, Sensitivity: 1}.Releases(1)[0].Release
	rho, _ := r.Concentrated()
	delta, _ := r.Profile(0.25)
	_, noMu := r.Gaussian()
	fmt.Printf("ρ = %.4f, δ(0.25) = %.4f; %v\n", rho, delta, noMu)
	// Output: ρ = 0.1065, δ(0.25) = 0.1175; Laplace is not Gaussian noise
}

// How far answers lie from the truth.
func ExampleLaplace_Noise() {
	noise := mechanisms.Laplace{Epsilon: 0.5, Sensitivity: 1}.Noise()
	fmt.Printf("half within %.2f, 95 %% within %.2f\n", -noise.Quantile(0.25), -noise.Quantile(0.025))
	// Output: half within 1.39, 95 % within 5.99
}

// Which candidate wins, exactly, and what the theorem says of it.
func ExampleExponential_Selection() {
	hair := mechanisms.Exponential{Epsilon: 0.1, Sensitivity: 1, Candidates: []param.Item{
		{Name: "dark", Value: 500}, {Name: "brown", Value: 400}, {Name: "blond", Value: 400}, {Name: "red", Value: 400},
	}}
	s, err := hair.Selection()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("dark wins with probability %.4f; wrong with %.4f, at most %.4f by the theorem\n", s.Right(), s.Tail(100), s.Bound(100))
	// Output: dark wins with probability 0.9802; wrong with 0.0198, at most 0.0270 by the theorem
}

// A setting says what surrounds a mechanism: who is a neighbour, how records are sampled,
// how many of them one person has, how often it runs.
func ExampleEntries() {
	noise := mechanisms.Gaussian{Sigma: 2, Sensitivity: 1}
	for _, at := range []mechanisms.Setting{
		{Adjacency: mechanisms.AddRemove, Count: 100},
		{Adjacency: mechanisms.AddRemove, Count: 100, Sampling: 0.01},
		{Adjacency: mechanisms.AddRemove, Count: 100, Sampling: 0.01, Group: 3},
	} {
		stack, _, err := mechanisms.Entries(noise, at)
		if err != nil {
			log.Fatal(err)
		}
		b := accounting.Evaluate(context.Background(), accounting.Numerical, stack, accounting.Target{Delta: 1e-6})
		fmt.Printf("%.3f\n", b.Epsilon)
	}
	// Output:
	// 35.566
	// 0.228
	// 0.744
}
