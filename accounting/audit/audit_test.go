package audit

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"epsiloscope/internal/gauge"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"pgregory.net/rapid"
)

// The largest probability of v right guesses over all mechanisms on a few coins with an (ε, δ) guarantee,
// by a linear programme over every conditional distribution: no symmetry is assumed.
func largestByProgramme(t *testing.T, coins, v int, epsilon, delta float64) float64 {
	t.Helper()
	worlds := 1 << coins                                   // the coins; a guess is a world too, r = m
	variable := func(s, g int) int { return s*worlds + g } // P[guess g | coins s]
	type pair struct{ a, b int }
	var pairs []pair
	for s := range worlds {
		for i := range coins {
			pairs = append(pairs, pair{s, s ^ 1<<i})
		}
	}
	excess := func(p, g int) int { return worlds*worlds + p*worlds + g } // z ≥ P[g|a] − e^ε·P[g|b]
	n := worlds*worlds + len(pairs)*worlds
	c := make([]float64, n)
	for s := range worlds {
		for g := range worlds {
			if coins-bits.OnesCount(uint(s^g)) >= v {
				c[variable(s, g)] = -1 / float64(worlds)
			}
		}
	}
	// G·x ≤ h, A·x = b, x ≥ 0.
	var rows [][]float64
	var h []float64
	for k, p := range pairs {
		sum := make([]float64, n)
		for g := range worlds {
			row := make([]float64, n)
			row[variable(p.a, g)], row[variable(p.b, g)], row[excess(k, g)] = 1, -math.Exp(epsilon), -1
			rows, h = append(rows, row), append(h, 0)
			sum[excess(k, g)] = 1
		}
		rows, h = append(rows, sum), append(h, delta)
	}
	total := len(rows)
	// Standard form: one slack variable per inequality.
	a := mat.NewDense(total+worlds, n+total, nil)
	b := make([]float64, total+worlds)
	for i, row := range rows {
		for j, x := range row {
			a.Set(i, j, x)
		}
		a.Set(i, n+i, 1)
		b[i] = h[i]
	}
	for s := range worlds {
		for g := range worlds {
			a.Set(total+s, variable(s, g), 1)
		}
		b[total+s] = 1
	}
	value, _, err := lp.Simplex(append(c, make([]float64, total)...), a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return -value
}

func TestOneRunAgainstLinearProgramme(t *testing.T) {
	for _, c := range []struct {
		coins, v       int
		epsilon, delta float64
	}{{2, 1, math.Log(4), 0.01}, {2, 2, 0.5, 0.02}, {1, 1, 1, 0.1}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			want := largestByProgramme(t, c.coins, c.v, c.epsilon, c.delta)
			got, err := OneRun{c.coins, c.coins, c.v}.PValue(c.epsilon, c.delta)
			if err != nil || math.Abs(got-want) > 1e-8 {
				t.Errorf("p = %.12g, the largest over all mechanisms is %.12g (%v)", got, want, err)
			}
		})
	}
}

// The p-value rises with ε, δ and the canaries and falls with the right guesses; without δ it is the
// binomial tail; one canary gives q + δ(1−q).
func TestOneRunInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.IntRange(1, 400).Draw(t, "r")
		o := OneRun{r + rapid.IntRange(0, 600).Draw(t, "more"), r, rapid.IntRange(0, r).Draw(t, "v")}
		epsilon, delta := rapid.Float64Range(0, 12).Draw(t, "ε"), rapid.Float64Range(0, 0.01).Draw(t, "δ")
		p, err := o.PValue(epsilon, delta)
		if err != nil || !(p > 0 && p <= 1) {
			t.Fatal(p, err)
		}
		const slack = 1 + 1e-9
		if more, _ := o.PValue(epsilon+0.1, delta); more*slack < p {
			t.Errorf("falls with ε: %g to %g", p, more)
		}
		if more, _ := o.PValue(epsilon, delta+1e-4); more*slack < p {
			t.Errorf("falls with δ: %g to %g", p, more)
		}
		if more, _ := (OneRun{o.Canaries + 10, o.Guesses, o.Correct}).PValue(epsilon, delta); more*slack < p {
			t.Errorf("falls with the canaries: %g to %g", p, more)
		}
		if o.Correct < o.Guesses {
			if less, _ := (OneRun{o.Canaries, o.Guesses, o.Correct + 1}).PValue(epsilon, delta); less > p*slack {
				t.Errorf("rises with the right guesses: %g to %g", p, less)
			}
		}
		q := 1 / (1 + math.Exp(-epsilon))
		one, _ := OneRun{1, 1, 1}.PValue(epsilon, delta)
		if want := q + delta*(1-q); math.Abs(one-want) > 1e-9 {
			t.Errorf("one canary: %g, not %g", one, want)
		}
	})
}

// A mechanism with exactly the claimed guarantee must be refuted at level 5 % in at most 5 % of audits: noisy
// sums of canaries with the attacker who guesses those of which the noisy answer is most extreme.
func TestAuditsOfTrueClaimsAreValid(t *testing.T) {
	const audits, canaries, guesses = 400, 60, 20
	epsilon := 1.0
	truth := math.Exp(epsilon) / (1 + math.Exp(epsilon))
	random := rand.New(rand.NewPCG(1, 2))
	refuted := 0
	for range audits {
		correct := 0
		for range guesses { // each answered by randomized response: the mechanism saturates its claim
			if random.Float64() < truth {
				correct++
			}
		}
		if p, err := (OneRun{canaries, guesses, correct}).PValue(epsilon, 0); err != nil {
			t.Fatal(err)
		} else if p <= 0.05 {
			refuted++
		}
	}
	if refuted > audits/20+13 { // 3 standard deviations
		t.Errorf("%d of %d true claims were refuted at 5 %%", refuted, audits)
	}
	if p, _ := (OneRun{canaries, guesses, guesses}).PValue(epsilon, 0); p > 0.05 {
		t.Errorf("a mechanism without noise is not refuted: p = %g", p)
	}
}

func TestTwoSampleIsValid(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	audits, runs := gauge.Cases(150, 400), 80
	epsilon := 1.0
	tpr := math.Exp(epsilon) / (1 + math.Exp(epsilon))
	refuted := 0
	for range audits {
		s := TwoSample{Members: runs, NonMembers: runs}
		for range runs {
			if random.Float64() < tpr {
				s.TruePositives++
			}
			if random.Float64() < 1-tpr {
				s.FalsePositives++
			}
		}
		lower, err := s.EpsilonLower(0, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := s.PValue(epsilon, 0)
		if (lower > epsilon) != (p < 0.05) {
			t.Errorf("%v: ε ≥ %g at 95 %%, p = %g", s, lower, p)
		}
		if lower > epsilon {
			refuted++
		}
	}
	if refuted > audits/20+13 {
		t.Errorf("%d of %d true claims were refuted", refuted, audits)
	}
}

func TestAuditRefuses(t *testing.T) {
	for _, r := range []Result{
		OneRun{}, OneRun{10, 11, 1}, OneRun{10, 5, 6}, OneRun{10, 0, 0}, OneRun{-1, -1, -1},
		OneRun{10, 5, -1}, OneRun{2e9, 1, 1},
		TwoSample{}, TwoSample{10, 11, 10, 0}, TwoSample{10, 0, 10, 11}, TwoSample{0, 0, 10, 1},
		TwoSample{10, -1, 10, 0},
	} {
		if p, err := r.PValue(1, 0); err == nil || p != 1 {
			t.Errorf("%#v: p = %g, %v", r, p, err)
		}
		if e, err := r.EpsilonLower(0, 0.95); err == nil || e != 0 {
			t.Errorf("%#v: ε ≥ %g, %v", r, e, err)
		}
		if p, err := r.CurvePValue(gaussianClaim(1)); err == nil || p != 1 {
			t.Errorf("%#v: curve p = %g, %v", r, p, err)
		}
	}
	for _, good := range []Result{OneRun{10, 5, 5}, TwoSample{10, 9, 10, 1}} {
		for _, x := range []float64{-1, math.NaN(), math.Inf(-1)} {
			if p, err := good.PValue(x, 0); err == nil || p != 1 {
				t.Errorf("%#v: ε = %g: %g", good, x, p)
			}
			if p, err := good.PValue(1, x); err == nil || p != 1 {
				t.Errorf("%#v: δ = %g: %g", good, x, p)
			}
			if e, err := good.EpsilonLower(0, x); err == nil || e != 0 {
				t.Errorf("%#v: confidence %g: %g", good, x, e)
			}
		}
	}
}
