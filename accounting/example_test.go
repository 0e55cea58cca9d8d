package accounting_test

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld/pairs"
)

// A hundred queries with ε = 0.1 each: what do they cost together?
func Example() {
	stack := []accounting.Entry{{Release: accounting.PureDP(0.1), Count: 100}}
	for _, m := range []accounting.Method{accounting.Basic, accounting.Advanced, accounting.Optimal, accounting.RDP,
		accounting.ZCDP, accounting.GDP} {
		b := accounting.Evaluate(context.Background(), m, stack, accounting.Target{Delta: 1e-6})
		if b.Finite() {
			fmt.Printf("%-8s %.4f\n", b.Method, b.Epsilon)
		} else {
			fmt.Printf("%-8s %s\n", b.Method, b.Note)
		}
	}
	// Output:
	// basic    10.0000
	// advanced 6.3082
	// optimal  4.7746
	// rdp      5.0731
	// zcdp     5.2191
	// gdp      ε-DP is not Gaussian noise.
}

// Transforms wrap a release: one step of DP-SGD is Gaussian noise on a Poisson
// sample.
func ExampleSubsample() {
	step := accounting.Subsample(accounting.GaussianDP(1/1.1), 0.01)
	stack := []accounting.Entry{{Release: step, Count: 10000}}
	b := accounting.Evaluate(context.Background(), accounting.RDP, stack, accounting.Target{Delta: 1e-5})
	fmt.Printf("ε = %.4f at α = %.2f\n", b.Epsilon, b.Alpha)
	// Output:
	// ε = 5.6318 at α = 4.67
}

// What a hundred releases cost a person with three records.
func ExampleGroupPrivacy() {
	for _, r := range []accounting.Release{accounting.PureDP(0.1), accounting.GaussianDP(0.1)} {
		stack := []accounting.Entry{{Release: accounting.GroupPrivacy(r, 3), Count: 100}}
		b := accounting.Evaluate(context.Background(), accounting.ZCDP, stack, accounting.Target{Delta: 1e-6})
		fmt.Printf("%s: ε = %.3f\n", r.Name(), b.Epsilon)
	}
	// Output:
	// ε-DP: ε = 18.208
	// Gaussian: ε = 19.230
}

// Of every hundred answers, twenty are given by randomized response and the others are kept back, which everybody may
// know. Its Rényi curve and its pair are exact; ε and the share are all the numbers there are, so they make the key.
func ExampleExact() {
	const epsilon, share = 1.0, 0.2
	answer := accounting.PureDP(epsilon)
	release := accounting.Exact("survey of a few", "survey", accounting.Guarantees{
		Pure: epsilon,
		Renyi: func(alpha float64) float64 {
			r, _ := answer.Renyi(alpha)
			if alpha == 1 {
				return share * r
			}
			return math.Log1p(share*math.Expm1((alpha-1)*r)) / (alpha - 1)
		},
		Pair: func() pairs.Pair {
			return pairs.RevealedMixture([]float64{share, 1 - share}, []pairs.Pair{pairs.Pure(epsilon), pairs.Pure(0)})
		},
	}, epsilon, share)
	stack := []accounting.Entry{{Release: release, Count: 100}}
	for _, m := range []accounting.Method{accounting.Basic, accounting.RDP, accounting.Numerical} {
		b := accounting.Evaluate(context.Background(), m, stack, accounting.Target{Delta: 1e-6})
		fmt.Printf("%-9s %.2f\n", b.Method, b.Epsilon)
	}
	// Output:
	// basic     100.00
	// rdp       32.03
	// numerical 30.15
}

// How many queries with ε = 0.1 fit into a budget of 3?
func ExampleSolve() {
	answer, err := accounting.Solve(context.Background(), accounting.Search{
		Rising: true, Whole: true, Low: 1, High: 1e6,
		Cost: func(ctx context.Context, count float64) (float64, error) {
			stack := []accounting.Entry{{Release: accounting.PureDP(0.1), Count: count}}
			return accounting.Evaluate(ctx, accounting.Optimal, stack, accounting.Target{Delta: 1e-6}).Epsilon, nil
		},
	}, 3)
	fmt.Printf("%g queries cost %.4f (%v)\n", answer.Value, answer.Epsilon, err)
	// Output:
	// 46 queries cost 2.9964 (<nil>)
}

// A theorem can be cited.
func ExampleTheoremOf() {
	for _, m := range []accounting.Method{accounting.Basic, accounting.Optimal} {
		t, _ := accounting.TheoremOf(m)
		fmt.Printf("%s: %s %d\n", t.Label, t.Authors, t.Year)
	}
	// Output:
	// basic: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006
	// optimal KOV: Kairouz, Oh, Viswanath; Murtagh, Vadhan 2015
}
