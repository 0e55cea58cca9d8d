package audit

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// channel is a mechanism on one record with three outputs: their probabilities with the record and without it.
type channel struct{ with, without [3]float64 }

func drawChannel(random *rand.Rand) (c channel) {
	for _, law := range []*[3]float64{&c.with, &c.without} {
		sum := 0.0
		for i := range law {
			if law[i] = random.ExpFloat64(); random.IntN(6) == 0 {
				law[i] = 0 // such an output gives the record away, or its absence
			}
			sum += law[i]
		}
		if sum == 0 {
			law[0], sum = 1, 1
		}
		for i := range law {
			law[i] /= sum
		}
	}
	return c
}

// delta returns the exact δ at ε, in both directions.
func (c channel) delta(epsilon float64) (remove, add float64) {
	for i, p := range c.with {
		remove += math.Max(0, p-math.Exp(epsilon)*c.without[i])
		add += math.Max(0, c.without[i]-math.Exp(epsilon)*p)
	}
	return remove, add
}

// score returns an output's likelihood ratio, as a number that is finite.
func (c channel) score(output int) float64 {
	return math.Max(-50, math.Min(50, math.Log(c.with[output]+1e-300)-math.Log(c.without[output]+1e-300)))
}

// claim returns the channel's own curve as a claim: a true one.
func (c channel) claim() Claim {
	var t Table
	for k := range 41 {
		e := 6 * float64(k*k) / 1600
		remove, add := c.delta(e)
		t.Epsilon, t.Remove, t.Add = append(t.Epsilon, e), append(t.Remove, remove*(1+1e-12)),
			append(t.Add, add*(1+1e-12))
	}
	return t.Claim()
}

// Every outcome of small audits of true claims, with its probability: none is refuted at a level more often than that
// level says, by one run or by independent runs, for a curve or for an (ε, δ) of it, at the best threshold and with
// every number of guesses.
func TestTrueClaimsByEnumeration(t *testing.T) {
	levels := []float64{0.01, 0.05, 0.2, 0.5}
	random := rand.New(rand.NewPCG(21, 22))
	cases := gauge.Cases(5, 150)
	if gauge.Long() {
		cases = 3000
	}
	for range cases {
		c := drawChannel(random)
		claim, epsilon := c.claim(), 2*random.Float64()
		remove, add := c.delta(epsilon)
		delta := math.Max(remove, add) * (1 + 1e-12)
		refuted := map[string][]float64{}
		count := func(name string, chance float64, p float64) {
			if refuted[name] == nil {
				refuted[name] = make([]float64, len(levels))
			}
			for i, level := range levels {
				if p < level {
					refuted[name][i] += chance
				}
			}
		}
		test := func(name string, chance float64, r Result) {
			p, err := r.CurvePValue(claim)
			if err != nil {
				t.Fatal(err)
			}
			count(name+", curve", chance, p)
			if delta < 1 {
				if p, err = r.PValue(epsilon, delta); err != nil {
					t.Fatal(err)
				}
				count(name+", (ε, δ)", chance, p)
			}
		}
		c.enumerateOneRun(t, 4, test)
		c.enumerateRuns(7, test)
		for name, chances := range refuted {
			for i, chance := range chances {
				if chance > levels[i]*(1+1e-9) {
					t.Errorf("%+v, %s: a true claim is refuted at %v with probability %v", c, name, levels[i], chance)
				}
			}
		}
	}
	t.Logf("%d mechanisms enumerated", cases)
}

// enumerateOneRun tests every outcome of m canaries, by ranks of their scores.
func (c channel) enumerateOneRun(t *testing.T, m int, test func(name string, chance float64, r Result)) {
	outputs := 1
	for range m {
		outputs *= 3
	}
	chances := map[OneRun]float64{}
	for members := range 1 << m {
		for all := range outputs {
			chance, scores := math.Ldexp(1, -m), make([]Score, m)
			for i, rest := 0, all; i < m; i, rest = i+1, rest/3 {
				law := c.without
				if members>>i&1 == 1 {
					law = c.with
				}
				chance *= law[rest%3]
				scores[i] = Score{c.score(rest % 3), members>>i&1 == 1}
			}
			if chance == 0 {
				continue
			}
			for guesses := 1; guesses <= m; guesses++ {
				o, err := OneRunScores(scores, guesses)
				if err != nil {
					t.Fatal(err)
				}
				chances[o] += chance
			}
		}
	}
	for o, chance := range chances {
		test("one run, "+string(rune('0'+o.Guesses))+" guesses", chance, o)
	}
}

// enumerateRuns tests every pair of counts of n runs of each kind, at each threshold.
func (c channel) enumerateRuns(n int, test func(name string, chance float64, r Result)) {
	for cut := range 3 {
		tpr, fpr := 0.0, 0.0
		for output := range 3 {
			if c.score(output) > c.score(cut) {
				tpr, fpr = tpr+c.with[output], fpr+c.without[output]
			}
		}
		mass := func(k int, p float64) float64 {
			if p <= 0 || p >= 1 {
				if k == int(math.Round(p))*n {
					return 1
				}
				return 0
			}
			return math.Exp(special.LogBinomial(float64(k), float64(n), p))
		}
		for tp := range n + 1 {
			for fp := range n + 1 {
				if chance := mass(tp, tpr) * mass(fp, fpr); chance > 0 {
					test("runs, threshold "+string(rune('0'+cut)), chance, TwoSample{n, tp, n, fp})
				}
			}
		}
	}
}
