package accounting

import (
	"context"
	"math"
	"strings"
	"testing"
)

// A group of more than 2³⁰ records once had the pair of a group of 2³⁰: the
// numerical bound answered 0.00107 where the truth is 1.
func TestGroupsBeyondThirtyTwoBits(t *testing.T) {
	for _, r := range []Release{PureDP(1e-12), ApproximateDP(1e-12, 1e-300), GaussianDP(1e-12)} {
		for _, k := range []float64{1 << 29, 1 << 31, 1e12, 1e18, 1e20, 1e300} {
			bounds := byMethod(Compare(context.Background(), []Entry{{GroupPrivacy(r, k), 1}}, Target{Delta: 1e-6}))
			// Laplace noise that k records move by kε keeps the promise: δ(t) = 1 − e^{(t−kε)/2}.
			if epsilon, _, err := r.Approximate(); err == nil {
				attained := k*epsilon + 2*math.Log1p(-1e-6)
				if n := bounds[Numerical]; n.Status == Valid && n.Epsilon < attained*(1-1e-9) {
					t.Errorf("%s, k = %g: numerical %g is below Laplace noise's %g", r.Key(), k, n.Epsilon, attained)
				}
			}
			if n, g := bounds[Numerical], bounds[GDP]; n.Status == Valid && g.Status == Valid &&
				n.Epsilon < g.Epsilon*(1-1e-9) {
				t.Errorf("%s, k = %g: numerical %g is below the exact %g", r.Key(), k, n.Epsilon, g.Epsilon)
			}
			for _, b := range bounds {
				if math.IsNaN(b.Epsilon) {
					t.Errorf("%s, k = %g: %s is not a number", r.Key(), k, b.Method)
				}
			}
		}
	}
}

// Several records that hardly escape the sample cost no more than without it, in ρ too.
func TestSampledGroupGains(t *testing.T) {
	for _, sampled := range []Release{Subsample(PureDP(1), 0.99), SampledReplace(PureDP(1), 0.99)} {
		rho, err := GroupPrivacy(sampled, 2).Concentrated()
		if most, _ := GroupPrivacy(PureDP(1), 2).Concentrated(); err != nil || !(rho <= most) {
			t.Errorf("%s: ρ = %v, without sampling %v, %v", sampled.Name(), rho, most, err)
		}
	}
}

// A wide interval says why it is wide, also where a closed bound takes the place of its upper end.
func TestWideIntervalKeepsItsNote(t *testing.T) {
	b := Evaluate(context.Background(), Numerical,
		[]Entry{{ShuffledPass(100, 1, 0.01, 1, false), 1}}, Target{Delta: 1e-6})
	if !strings.Contains(b.Note, "Shuffling has no proven gain") {
		t.Errorf("[%v, %v]: %s", b.Lower, b.Epsilon, b.Note)
	}
}

// What is called the certified upper end is the end that is shown.
func TestUpperEndOfAnotherTheorem(t *testing.T) {
	b := Evaluate(context.Background(), Numerical,
		[]Entry{{GaussianDP(1.0 / 51), 64000}, {BoundedRangeDP(0.2565), 4000}}, Target{Delta: 1e-7})
	if !strings.Contains(b.Note, "The upper end is that of RDP instead") {
		t.Fatalf("no other theorem is better: %s", b.Note)
	}
	for _, in := range b.Inputs {
		if in.Meaning == "certified upper end" && in.Value != b.Epsilon {
			t.Errorf("the certified upper end is %v in the table, %v in the bound", in.Value, b.Epsilon)
		}
	}
}

// k steps of a pure promise cost less than any kε-DP release may, in every currency but
// the ε itself, and no less than Laplace noise that keeps the promise.
func TestStepsOfAPurePromise(t *testing.T) {
	for _, c := range []struct{ epsilon, k float64 }{{1, 2}, {0.1, 3}, {1e-4, 5000}, {3, 64},
		{1e-200, 7}, {0.7, 1e20}} {
		r, whole := GroupPrivacy(PureDP(c.epsilon), c.k), PureDP(c.epsilon*c.k)
		if epsilon, delta, err := r.Approximate(); err != nil || delta != 0 || epsilon != c.epsilon*c.k {
			t.Errorf("%+v: (%g, %g), %v", c, epsilon, delta, err)
		}
		total := c.epsilon * c.k
		for _, alpha := range []float64{1, 1 + 1e-9, 1.5, 2, 30, 1e6, 1e200, math.Inf(1)} {
			got, err := r.Renyi(alpha)
			most, _ := whole.Renyi(alpha)
			least := 0.0
			if alpha > 1 && alpha*total < 600 { // Mironov 2017, Table II
				least = math.Log(alpha/(2*alpha-1)*math.Exp((alpha-1)*total)+(alpha-1)/(2*alpha-1)*math.Exp(
					-alpha*total)) / (alpha - 1)
			}
			if err != nil || !(got <= most) || !(got >= least*(1-1e-6)-1e-12) {
				t.Errorf("%+v: D_%g = %g, not between Laplace noise's %g and %g: %v", c, alpha, got, least, most, err)
			}
		}
		rho, err := r.Concentrated()
		if most, _ := whole.Concentrated(); err != nil || !(rho <= most) || !(rho >= 0) {
			t.Errorf("%+v: ρ = %g of at most %g: %v", c, rho, most, err)
		}
		for _, share := range []float64{-0.5, 0, 0.3, 0.99} {
			got, err := r.Profile(share * total)
			if most, _ := whole.Profile(share * total); err != nil || !(got >= 0 && got <= most) {
				t.Errorf("%+v: δ(%g) = %g of at most %g: %v", c, share*total, got, most, err)
			}
		}
	}
}

// Where none of a person's records is drawn with probability 1 − δ or more, any release costs
// nothing at that δ, by (ε, δ)-DP itself, and no attack attains more. A little below that δ it
// costs something. Of 100 records not every number that may be drawn is told apart.
func TestHardlyEverDrawn(t *testing.T) {
	const k = 100
	for _, q := range []float64{1e-100, 1e-15, 1e-9} {
		drawn := -math.Expm1(k * math.Log1p(-q))
		r := RevealedGroup(func(j float64) Release { return PureDP(j) }, q, k)
		at := func(delta float64) Bound {
			return Evaluate(context.Background(), Numerical, []Entry{{Release: r, Count: 1}},
				Target{Delta: delta, Precision: 0.01})
		}
		if b := at(3 * drawn); b.Status != Valid || b.Lower != 0 || b.Epsilon > 1e-9 {
			t.Errorf("rate %g, δ %g: %v to %v, %s", q, 3*drawn, b.Lower, b.Epsilon, b.Note)
		}
		// One record drawn, at ε = 1: its δ at ½ is (e − e^½)/(1 + e).
		if b := at(0.28765 * drawn); b.Status != Valid || b.Epsilon < 0.499 || b.Lower > 0.501 {
			t.Errorf("rate %g: %v to %v, want ½ inside", q, b.Lower, b.Epsilon)
		}
	}
}
