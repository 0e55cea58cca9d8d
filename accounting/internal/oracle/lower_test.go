package oracle_test

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/scenarios"
)

// crowd is a sampled release for a person with many records.
type crowd struct {
	family            string
	adjacency         oracle.Adjacency
	group             int
	loss, rate, delta float64
	block             bool // or one of it in one branch and two in another
}

// A lower end says that some mechanism which keeps the promise gives away that much. So
// it may not lie above what none can: a release on a sample tells no more than the same
// release with the number of the person's records drawn beside it, a binomial mixture
// of unsampled ones. Groups reach beyond what is composed record by record.
func TestNoLowerEndIsAboveTheTruth(t *testing.T) {
	crowds := []crowd{ // once a fallback served as both ends, or there was no end at all
		{"pure", oracle.Replace, 1001, 0.0622, 9.44e-5, 0.00667, false},
		{"pure", oracle.AddRemove, 1001, 3, 1e-4, 0.2, false},
		{"pure", oracle.AddRemove, 1001, 0.36, 2e-4, 1e-6, true},
		{"gaussian", oracle.AddRemove, 3000, 0.4069, 5.4e-4, 1.17e-5, false},
		{"dp-sgd", oracle.AddRemove, 3000, 0.744, 0.0558, 1.25e-9, false},
		{"dp-sgd", oracle.AddRemove, 100000, 1e4, 1e-9, 0.01, false},
		{"gaussian", oracle.AddRemove, 100000, 1e4, 1e-9, 0.01, false},
	}
	for n := range numbers / 100 {
		d := numbered(n)
		c := crowd{one(d, "pure", "gaussian", "dp-sgd"), one(d, oracle.AddRemove, oracle.Replace), one(d, 1, 2, 3, 5, 40, 1001, 3000),
			d.log(0.01, 1), d.log(1e-6, 0.5), d.log(1e-10, 0.3), false}
		c.block = c.adjacency == oracle.AddRemove && d.IntN(3) == 0
		crowds = append(crowds, c)
	}
	above := 0
	for _, c := range crowds {
		stack, err := c.stack()
		if err != nil {
			t.Fatal(err)
		}
		b := accounting.Evaluate(t.Context(), accounting.Numerical, stack,
			accounting.Target{Delta: c.delta, Precision: 1e-2})
		if most := c.most(b.Lower * (1 - 1e-9)); b.Status == accounting.Valid && b.Lower > 0 &&
			most < c.delta*(1-1e-6) {
			t.Errorf("%+v: [%.9g, %.9g], but δ is at most %.9g at the lower end", c, b.Lower, b.Epsilon, most)
		}
		if b.Lower > 0 {
			above++
		}
	}
	t.Logf("%d cases", len(crowds))
	t.Logf("among them: a lower end above 0 %d", above)
}

func (c crowd) stack() ([]accounting.Entry, error) {
	entry := map[string]string{
		"pure":     fmt.Sprintf("{mechanism: pure, epsilon: %v, sampling: {rate: %v}}", c.loss, c.rate),
		"gaussian": fmt.Sprintf("{mechanism: gaussian, sigma: %v, sampling: {rate: %v}}", 1/c.loss, c.rate),
		"dp-sgd":   fmt.Sprintf("{mechanism: dp-sgd, noise_multiplier: %v, sampling_rate: %v, steps: 1}", 1/c.loss, c.rate),
	}[c.family]
	if c.block {
		entry = fmt.Sprintf("parallel: [[%s], [%s, %s]]", entry, entry, entry)
	}
	s, err := scenarios.Parse("case.yaml", []byte(fmt.Sprintf("version: 1\nadjacency: %s\ngroup: %d\nstack:\n  - %s\n", c.adjacency, c.group, entry)))
	if err != nil {
		return nil, err
	}
	return scenarios.Stack(s)
}

// most returns a δ at ε that no mechanism exceeds: in a block, the chance that any of the
// person's records is drawn.
func (c crowd) most(epsilon float64) (delta float64) {
	rate := c.rate
	if c.block {
		rate = 1 - (1-rate)*(1-rate)
	}
	for j := 1; j <= c.group; j++ {
		delta += math.Exp(logBinomial(c.group, j, rate)) * c.drawn(float64(j), epsilon)
	}
	return delta
}

// drawn returns the δ of so many records that are all looked at.
func (c crowd) drawn(records, epsilon float64) float64 {
	move := records * c.loss
	switch {
	case c.block:
		return 1
	case c.family == "pure": // the worst release of so much loss
		return math.Max(0, -math.Expm1(epsilon-move)/(1+math.Exp(-move)))
	case c.family == "dp-sgd" && c.adjacency == oracle.Replace: // turned round
		move *= 2
	}
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	return tail(epsilon/move-move/2) - math.Exp(epsilon+math.Log(tail(epsilon/move+move/2)))
}

// logBinomial returns the logarithm of the chance that j of n are drawn.
func logBinomial(n, j int, q float64) float64 {
	factorial := func(n int) float64 { x, _ := math.Lgamma(float64(n) + 1); return x }
	return factorial(n) - factorial(j) - factorial(n-j) + float64(j)*math.Log(q) + float64(n-j)*math.Log1p(-q)
}
