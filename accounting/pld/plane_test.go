package pld_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// The plane of DP-SGD: sampling rate, noise multiplier, steps, δ.
var (
	planeRates  = []float64{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 1}
	planeNoises = []float64{20, 5, 2, 1.2, 0.8, 0.5, 0.3}
	planeSteps  = []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}
	planeDeltas = []float64{1e-3, 1e-5, 1e-8, 1e-12, 1e-20, 1e-30}
)

// cell is a point of the plane by its four indices; ε rises with each of them.
type cell [4]int

func (c cell) pair() pairs.Pair {
	return pairs.Subsample(planeRates[c[0]], pairs.Gaussian(1/planeNoises[c[1]]))
}

func (c cell) epsilon(t *testing.T) pld.Interval {
	i, err := pld.Epsilon(context.Background(), []pairs.Part{{Pair: c.pair(), Count: planeSteps[c[2]]}},
		planeDeltas[c[3]], pld.Options{})
	if err != nil {
		t.Fatalf("%v: %v", c, err)
	}
	return i
}

// held checks an interval against what is known of its cell: Rényi divergences bound ε from
// above; without sampling the steps are one Gaussian release, which is worse.
func (c cell) held(t *testing.T, i pld.Interval) {
	steps, delta := planeSteps[c[2]], planeDeltas[c[3]]
	least := math.Inf(1)
	for _, alpha := range []float64{1.5, 2, 4, 8, 16, 32, 64, 128} {
		rdp := math.Max(c.pair().Remove.Renyi(alpha), c.pair().Add.Renyi(alpha))
		least = math.Min(least, steps*rdp+math.Log1p(-1/alpha)-math.Log(delta*alpha)/(alpha-1))
	}
	if i.Lower > math.Max(0, least)*(1+1e-9) {
		t.Errorf("%v: lower end %.9g above the Rényi bound %.9g", c, i.Lower, least)
	}
	at := special.LogGaussianProfile(math.Sqrt(steps)/planeNoises[c[1]], i.Lower*(1-1e-9))
	if i.Lower > 0 && at < math.Log(delta) {
		t.Errorf("%v: lower end %.9g above that without sampling", c, i.Lower)
	}
	if planeRates[c[0]] == 1 && special.LogGaussianProfile(math.Sqrt(steps)/planeNoises[c[1]],
		i.Upper*(1+1e-9)) > math.Log(delta) {
		t.Errorf("%v: upper end %.9g below that of the Gaussian", c, i.Upper)
	}
}

func (c cell) wide(i pld.Interval) bool {
	return !(i.Upper-i.Lower <= pld.DefaultWidth*i.Upper || i.Upper < 1e-12)
}

// A sample of the plane: every interval as narrow as promised, and ordered with its next
// neighbour in a random direction.
func TestPlane(t *testing.T) {
	gauge.Sequential(t)
	r := rand.New(rand.NewPCG(11, 16))
	for range gauge.Cases(5, 25) {
		a := cell{r.IntN(len(planeRates)), r.IntN(len(planeNoises)), r.IntN(len(planeSteps)), r.IntN(len(planeDeltas))}
		b := a
		axis := r.IntN(4)
		if b[axis]++; b[axis] == []int{len(planeRates), len(planeNoises), len(planeSteps), len(planeDeltas)}[axis] {
			a[axis], b[axis] = a[axis]-1, a[axis]
		}
		i, j := a.epsilon(t), b.epsilon(t)
		for c, x := range map[cell]pld.Interval{a: i, b: j} {
			c.held(t, x)
			if c.wide(x) {
				t.Errorf("%v: [%.9g, %.9g] is %.2g wide", c, x.Lower, x.Upper, 1-x.Lower/x.Upper)
			}
		}
		if i.Lower > j.Upper {
			t.Errorf("%v: lower end %.9g above the upper end %.9g of %v", a, i.Lower, j.Upper, b)
		}
	}
}

// TestPlaneLong is the whole plane, every two neighbours compared.
func TestPlaneLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	known := map[cell]pld.Interval{}
	var all, slowest time.Duration
	wide, compared := 0, 0
	for q := range planeRates {
		for z := range planeNoises {
			for k := range planeSteps {
				for d := range planeDeltas {
					c := cell{q, z, k, d}
					start := time.Now()
					i := c.epsilon(t)
					took := time.Since(start)
					all, slowest = all+took, max(slowest, took)
					c.held(t, i)
					if c.wide(i) {
						wide++
						t.Logf("q %g, z %g, K %g, δ %g: [%.9g, %.9g] is %.2g wide", planeRates[q], planeNoises[z], planeSteps[k], planeDeltas[d], i.Lower,
							i.Upper, 1-i.Lower/i.Upper)
					}
					known[c] = i
					for axis := range c {
						before := c
						if before[axis]--; before[axis] < 0 {
							continue
						}
						compared++
						if known[before].Lower > i.Upper {
							t.Errorf("%v: lower end %.9g above the upper end %.9g of %v", before, known[before].Lower, i.Upper, c)
						}
					}
				}
			}
		}
	}
	t.Logf("%d cells, %d wider than %g, %d neighbours compared; %v each, %v at most", len(known), wide, pld.DefaultWidth, compared, all/time.Duration(len(known)), slowest)
}
