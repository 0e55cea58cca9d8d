package audit

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"epsiloscope/internal/gauge"
)

// programme maximises c·x over x ≥ 0 with rows·x ≤ limits and, in its last row, Σ of some x equal to 1.
func programme(t *testing.T, c []float64, rows [][]float64, limits []float64, total []float64) float64 {
	t.Helper()
	n, k := len(c), len(rows)
	a, b := mat.NewDense(k+1, n+k, nil), append(limits, 1)
	for i, row := range rows {
		for j, x := range row {
			a.Set(i, j, x)
		}
		a.Set(i, n+i, 1) // what is left of the limit
	}
	for j, x := range total {
		a.Set(k, j, x)
	}
	cost := make([]float64, n+k)
	for j, x := range c {
		cost[j] = -x
	}
	value, _, err := lp.Simplex(cost, a, b, 1e-11, nil)
	if err != nil {
		t.Fatal(err)
	}
	return -value
}

// largestOverMechanisms returns the largest P[at least v of r guesses about m fair coins are right] over all mechanisms
// with an (ε, δ) guarantee. Averaging a mechanism over all flips of coins together with its guesses keeps the guarantee
// and the probability, so a mechanism is a distribution over which coins are guessed and which guesses are right:
// 2^r·C(m, r) unknowns, no further symmetry.
func largestOverMechanisms(t *testing.T, m, r, v int, epsilon, delta float64) float64 {
	type outcome struct{ guessed, right int }
	var outcomes []outcome
	index := map[outcome]int{}
	for guessed := range 1 << m {
		if bits.OnesCount(uint(guessed)) != r {
			continue
		}
		for right := range 1 << m {
			if right&^guessed == 0 {
				index[outcome{guessed, right}] = len(outcomes)
				outcomes = append(outcomes, outcome{guessed, right})
			}
		}
	}
	k := len(outcomes)
	n := k + m*k // and for each coin and outcome the excess (u − e^ε·u′)₊
	c, total := make([]float64, n), make([]float64, n)
	var rows [][]float64
	var limits []float64
	for i, o := range outcomes {
		total[i] = 1
		if bits.OnesCount(uint(o.right)) >= v {
			c[i] = 1
		}
	}
	for coin := range m {
		sum := make([]float64, n)
		for i, o := range outcomes {
			other := i // a coin that is not guessed changes nothing
			if o.guessed&(1<<coin) != 0 {
				other = index[outcome{o.guessed, o.right ^ 1<<coin}]
			}
			row := make([]float64, n)
			row[i]++
			row[other] -= math.Exp(epsilon)
			row[k+coin*k+i] = -1
			sum[k+coin*k+i] = 1
			rows, limits = append(rows, row), append(limits, 0)
		}
		rows, limits = append(rows, sum), append(limits, delta)
	}
	return programme(t, c, rows, limits, total)
}

// The p-value is the largest probability over all mechanisms on three and four coins, with abstentions too.
func TestOneRunAgainstAllMechanisms(t *testing.T) {
	for _, c := range gauge.Some(2, []struct {
		m, r, v        int
		epsilon, delta float64
	}{
		{3, 3, 1, 0.3, 0.01}, {3, 3, 2, 0.7, 0.02}, {3, 3, 3, 1, 0.05}, {3, 2, 1, 0.5, 0.03}, {3, 2, 2, 0.2, 0.01}, {3, 1, 1, 1, 0.02},
		{3, 3, 2, 0.5, 0}, {4, 4, 2, 0.4, 0.01}, {4, 4, 3, 0.8, 0.02}, {4, 4, 4, 1.2, 0.01}, {4, 2, 2, 0.6, 0.02}, {4, 3, 2, 0.5, 0.01},
	}) {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			want := largestOverMechanisms(t, c.m, c.r, c.v, c.epsilon, c.delta)
			got, err := OneRun{c.m, c.r, c.v}.PValue(c.epsilon, c.delta)
			if err != nil || math.Abs(got-math.Min(1, want)) > 1e-8 {
				t.Errorf("p = %.12g, the largest over all mechanisms is %.12g (%v)", got, want, err)
			}
		})
	}
}

// A mechanism that attains the bound at some number of right guesses must be refuted at level α with probability at
// most α: exactly, and in simulated audits.
func TestSaturatingMechanismsAreNotRefuted(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		m, r           int
		epsilon, delta float64
	}{{60, 20, 1, 1e-3}, {200, 50, 0.3, 1e-4}, {30, 30, 2, 1e-3}, {100, 10, 0, 5e-4}} {
		q := 1 / (1 + math.Exp(-c.epsilon))
		for _, share := range []float64{0.6, 0.8, 1} {
			at := OneRun{c.m, c.r, int(math.Ceil(share * float64(c.r)))}
			p, err := at.PValue(c.epsilon, c.delta)
			if err != nil || p >= 1 {
				continue
			}
			above, below, _, _ := tails(c.r, at.Correct, q)
			mass := make([]float64, c.r+1) // P[V = k] of the mechanism that attains p
			for k := range mass {
				a, _, _, _ := tails(c.r, k, q)
				b, _, _, _ := tails(c.r, k+1, q)
				if mass[k] = (a - b) * p / above; k < at.Correct {
					mass[k] = (a - b) * (1 - p) / below
				}
			}
			for _, alpha := range []float64{0.01, 0.05, 0.2} {
				refuted, simulated := 0.0, 0
				small := make([]bool, c.r+1)
				for v := range small {
					pv, err := OneRun{c.m, c.r, v}.PValue(c.epsilon, c.delta)
					if small[v] = err == nil && pv <= alpha; small[v] {
						refuted += mass[v]
					}
				}
				if refuted > alpha*(1+1e-9) {
					t.Errorf("%v at v = %d: refuted at %g with probability %g", c, at.Correct, alpha, refuted)
				}
				const audits = 4000
				for range audits {
					v, u := 0, random.Float64()
					for ; v < c.r && u > mass[v]; v++ {
						u -= mass[v]
					}
					if small[v] {
						simulated++
					}
				}
				if most := alpha*audits + 4*math.Sqrt(alpha*audits); float64(simulated) > most {
					t.Errorf("%v at v = %d: %d of %d audits refute a true claim at %g", c, at.Correct, simulated, audits, alpha)
				}
			}
		}
	}
}
