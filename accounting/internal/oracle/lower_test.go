package oracle_test

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/scenarios"
)

// A lower end says that some mechanism which keeps the promise gives away that much. So
// it may not lie above what none can: a release on a sample tells no more than the same
// release with the number of the person's records drawn beside it, a binomial mixture
// of unsampled ones. Groups reach beyond what is composed record by record.
func TestNoLowerEndIsAboveTheTruth(t *testing.T) {
	above := 0
	for n := range cases / 80 {
		d := numbered(n)
		rate, group := d.log(1e-6, 0.5), one(d, 1, 2, 3, 5, 40, 1001, 3000)
		loss := d.log(0.01, 1)
		var entry string
		given := func(j int, epsilon float64) float64 { // δ of j records, not sampled
			mu := float64(j) * loss
			tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
			return tail(epsilon/mu-mu/2) - math.Exp(epsilon+math.Log(tail(epsilon/mu+mu/2)))
		}
		adjacency := one(d, oracle.AddRemove, oracle.Replace)
		switch one(d, "pure", "gaussian", "dp-sgd") {
		case "pure":
			entry = fmt.Sprintf("{mechanism: pure, epsilon: %v, sampling: {rate: %v}}", loss, rate)
			given = func(j int, epsilon float64) float64 { // of the worst pure release of j times the loss
				return math.Max(0, -math.Expm1(epsilon-float64(j)*loss)/(1+math.Exp(-float64(j)*loss)))
			}
		case "gaussian":
			entry = fmt.Sprintf("{mechanism: gaussian, sigma: %v, sampling: {rate: %v}}", 1/loss, rate)
		default:
			entry = fmt.Sprintf("{mechanism: dp-sgd, noise_multiplier: %v, sampling_rate: %v, steps: 1}", 1/loss, rate)
			if adjacency == oracle.Replace { // turned round
				half := given
				given = func(j int, epsilon float64) float64 { return half(2*j, epsilon) }
			}
		}
		if adjacency == oracle.AddRemove && d.IntN(3) == 0 { // the person's records in either branch
			entry = fmt.Sprintf("parallel: [[%s], [%s, %s]]", entry, entry, entry)
			given = func(int, float64) float64 { return 1 }
			rate = 1 - (1-rate)*(1-rate)
		}
		delta := d.log(1e-10, 0.3)
		text := fmt.Sprintf("version: 1\nadjacency: %s\ngroup: %d\nbudget: {delta: %v}\nstack:\n  - %s\n", adjacency, group, delta, entry)
		s, err := scenarios.Parse("case.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		stack, err := scenarios.NewEvaluator().Stack(s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := accounting.Evaluate(t.Context(), accounting.Numerical, stack, accounting.Target{Delta: delta, Precision: 1e-2})
		truth := 0.0
		for j := 1; j <= group; j++ {
			truth += math.Exp(logBinomial(group, j, rate)) * given(j, b.Lower*(1-1e-9))
		}
		if b.Status == accounting.Valid && b.Lower > 0 && truth < delta*(1-1e-6) {
			t.Errorf("case %d: [%.9g, %.9g] at δ = %g, but δ is at most %.9g at the lower end\n%s", n, b.Lower, b.Epsilon, delta, truth, text)
		}
		if b.Lower > 0 {
			above++
		}
	}
	t.Logf("%d cases, %d with a lower end above 0", cases/80, above)
}

// logBinomial is the logarithm of the chance that j of n are drawn.
func logBinomial(n, j int, q float64) float64 {
	factorial := func(n int) float64 { x, _ := math.Lgamma(float64(n) + 1); return x }
	return factorial(n) - factorial(j) - factorial(n-j) + float64(j)*math.Log(q) + float64(n-j)*math.Log1p(-q)
}
