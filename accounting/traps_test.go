package accounting

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

func evaluate(t *testing.T, m Method, delta float64, stack ...Entry) float64 {
	t.Helper()
	b := Evaluate(context.Background(), m, stack, Target{Delta: delta})
	if b.Status != Valid {
		t.Fatalf("%s: %s: %s", m, b.Status, b.Note)
	}
	return b.Epsilon
}

// With α capped at 10⁶ the RDP column exceeded basic on one pure stack in five.
func TestInfinityIsACandidateOrder(t *testing.T) {
	b := Evaluate(context.Background(), RDP, []Entry{{PureDP(3), 1}}, Target{Delta: 1e-12})
	if b.Epsilon > 3 {
		t.Errorf("RDP %g exceeds the pure ε", b.Epsilon)
	}
	// Without δ only α = ∞ is left, and the bound is pure.
	b = Evaluate(context.Background(), RDP, []Entry{{PureDP(1), 4}}, Target{})
	if b.Status != Valid || b.Epsilon != 4 || !math.IsInf(b.Alpha, 1) || b.Delta != 0 {
		t.Errorf("δ = 0: %+v", b)
	}
}

// exactOptimal returns the KOV δ at t, summed in 400-bit arithmetic.
func exactOptimal(epsilon float64, k int64, at float64) float64 {
	const precision = 400
	f := func(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
	// e^x by squaring a Taylor series of x/2^40.
	exp := func(x *big.Float) *big.Float {
		y := new(big.Float).SetPrec(precision).SetMantExp(x, -40)
		sum, term := f(1), f(1)
		for i := 1; i < 30; i++ {
			term.Mul(term, y)
			term.Quo(term, f(float64(i)))
			sum.Add(sum, term)
		}
		for range 40 {
			sum.Mul(sum, sum)
		}
		return sum
	}
	ratio := exp(f(epsilon)) // odds of the truth
	one := new(big.Float).SetPrec(precision).Add(f(1), ratio)
	p := new(big.Float).SetPrec(precision).Quo(ratio, one)
	mass := f(1) // P(no lie)
	for range k {
		mass.Mul(mass, p)
	}
	lift := exp(f(at))
	step := new(big.Float).SetPrec(precision).Mul(ratio, ratio) // e^{2ε}
	loss := f(1)                                                // e^{−ℓ}
	down := new(big.Float).SetPrec(precision).Quo(f(1), ratio)
	for range k {
		loss.Mul(loss, down)
	}
	sum := f(0)
	for l := int64(0); float64(k-2*l)*epsilon > at; l++ {
		part := new(big.Float).SetPrec(precision).Mul(lift, loss)
		part.Sub(f(1), part)
		sum.Add(sum, part.Mul(part, mass))
		mass.Mul(mass, f(float64(k-l)))
		mass.Quo(mass, f(float64(l+1)))
		mass.Quo(mass, ratio)
		loss.Mul(loss, step)
	}
	v, _ := sum.Float64()
	return v
}

// At the ε it reports the optimal column's true δ must be at most the target, and
// close to it: upward only, at any K.
func TestOptimalErrsUpward(t *testing.T) {
	for _, c := range []struct {
		epsilon float64
		k       int64
		delta   float64
	}{
		{0.1, 10, 1e-6}, {0.1, 101, 1e-6}, {1, 100, 1e-6}, {0.01, 2000, 1e-9}, {1e-3, 2000, 1e-3},
		{0.5, 30, 1e-30}, {1e-9, 300, 1e-12}, {4, 7, 0.2}, {0.05, 500, 0.4},
	} {
		got := evaluate(t, Optimal, c.delta, Entry{PureDP(c.epsilon), float64(c.k)})
		if got == 0 || got == float64(c.k)*c.epsilon { // as close as float64 comes to the top
			continue
		}
		back := exactOptimal(c.epsilon, c.k, got)
		if back > c.delta*(1+1e-9) || back < c.delta*(1-1e-5) {
			t.Errorf("ε=%g ×%d at δ=%g: true δ there is %g", c.epsilon, c.k, c.delta, back)
		}
	}
}

// Blocks of lattice points stand in for single ones beyond K ≈ 10⁶; in the limit of
// many small responses the answer is Gaussian, with the same μ.
func TestOptimalAtLargeCounts(t *testing.T) {
	want := GaussianToEpsilon(1, 1e-6)
	for _, k := range []float64{1e8, 1e10, 1e12, 1e18, 1e24} {
		got := evaluate(t, Optimal, 1e-6, Entry{PureDP(1 / math.Sqrt(k)), k})
		if math.Abs(got-want) > 2e-6*want {
			t.Errorf("K=%g: %.12g, want about %.12g", k, got, want)
		}
		for _, m := range []Method{RDP, ZCDP, AdvancedKOV} {
			if other := evaluate(t, m, 1e-6, Entry{PureDP(1 / math.Sqrt(k)), k}); got > other {
				t.Errorf("K=%g: optimal %g above %s %g", k, got, m, other)
			}
		}
	}
}

func TestBoundedRangeIsTightAndBelowPure(t *testing.T) {
	for _, epsilon := range []float64{1e-12, 1e-6, 0.1, 1, 5, 800} {
		rho := boundedRangeRho(epsilon)
		if rho > epsilon*epsilon/8*(1+1e-14) || rho <= 0 {
			t.Errorf("ε=%g: ρ = %g above ε²/8", epsilon, rho)
		}
		r := BoundedRangeDP(epsilon)
		for _, alpha := range []float64{1, 1 + 1e-9, 1.5, 2, 1000, 1e9} {
			v, _ := r.Renyi(alpha)
			if p := pureRenyi(epsilon, alpha); v > p*(1+1e-12) {
				t.Errorf("ε=%g α=%g: %g above pure %g", epsilon, alpha, v, p)
			}
			if v > alpha*rho*(1+1e-9) {
				t.Errorf("ε=%g α=%g: %g above αρ = %g", epsilon, alpha, v, alpha*rho)
			}
			// No t on a grid is worse than the closed form's.
			for i := 0.0; i <= 50; i++ {
				if w := discreteAt(epsilon, epsilon*i/50, alpha); w > v*(1+1e-9) {
					t.Errorf("ε=%g α=%g: t=%g gives %g, more than %g", epsilon, alpha, epsilon*i/50, w, v)
				}
			}
		}
	}
	v, _ := BoundedRangeDP(1).Renyi(1)
	within(t, v, 0.123301561, 1e-8) // table of exponential mechanisms in the peers' tests
}

// The mixture's own curve, not the generic pure one at the amplified ε: 17 times
// smaller at ε = 3, q = 0.01.
func TestSampledPureUsesTheMixture(t *testing.T) {
	s := Subsample(PureDP(3), 0.01)
	amplified, _, _ := s.Approximate()
	v, err := s.Renyi(2)
	if err != nil {
		t.Fatal(err)
	}
	if generic := pureRenyi(amplified, 2); v > generic/10 {
		t.Errorf("mixture %g, generic %g", v, generic)
	}
	rho, err := s.Concentrated()
	if err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []float64{1, 1.1, 2, 5, 20, 100, 1e4} {
		if v, _ := s.Renyi(alpha); v > alpha*rho*(1+1e-12) {
			t.Errorf("α=%g: %g above αρ = %g", alpha, v, alpha*rho)
		}
	}
}

func TestParallelTakesTheDearestBranches(t *testing.T) {
	branches := [][]Entry{{{PureDP(0.1), 3}}, {{PureDP(0.5), 1}}, {{laplace(0.4), 1}}}
	if got := evaluate(t, Basic, 1e-6, Entry{Parallel(branches, false), 1}); got != 0.5 {
		t.Errorf("add-remove: %g, want the dearest branch 0.5", got)
	}
	if got := evaluate(t, Basic, 1e-6, Entry{Parallel(branches, true), 1}); got != 0.9 {
		t.Errorf("replace: %g, want the two dearest 0.9", got)
	}
	rho, _ := Parallel(branches, true).Concentrated()
	within(t, rho, PureToConcentrated(0.5)+0.4+math.Expm1(-0.4), 1e-14)
}

// What the leading libraries get wrong, each once observed by running them.

func TestTenExponentialMechanismsCostMoreThanOne(t *testing.T) {
	one := evaluate(t, RDP, 1e-6, Entry{BoundedRangeDP(1), 1})
	ten := evaluate(t, RDP, 1e-6, Entry{BoundedRangeDP(1), 10})
	if ten < 4*one {
		t.Errorf("ten cost %g, one %g", ten, one)
	}
}

func TestTenRandomizedResponsesCostTenUnderBasic(t *testing.T) {
	within(t, evaluate(t, Basic, 1e-6, Entry{PureDP(math.Log(3)), 10}), 10*math.Log(3), 1e-15)
}

func TestOptimalDoesNotOverflow(t *testing.T) {
	for _, c := range []Entry{{PureDP(1), 800}, {PureDP(0.1), 1100}, {PureDP(1e4), 1e6}} {
		e, _, _ := c.Release.Approximate()
		got := evaluate(t, Optimal, 1e-6, c)
		if !(got > 0 && got <= c.Count*e) {
			t.Errorf("ε=%g ×%g: %g", e, c.Count, got)
		}
	}
}

func TestPureHundredIsNotBelowTheExactValue(t *testing.T) {
	within(t, evaluate(t, Optimal, 1e-6, Entry{PureDP(1), 100}), 83.530701678484, 1e-12)
	for _, m := range []Method{Basic, AdvancedKOV, RDP, ZCDP} {
		if got := evaluate(t, m, 1e-6, Entry{PureDP(1), 100}); got < 83.5307 {
			t.Errorf("%s: %g", m, got)
		}
	}
}

func TestCentralLimitNeverWins(t *testing.T) {
	stack := []Entry{{Subsample(GaussianDP(1/1.1), 0.01), 1e4}}
	bounds := ClosedForms(context.Background(), stack, Target{Delta: 1e-5})
	b := byMethod(bounds)[GDP]
	if b.Status != Unproven {
		t.Fatalf("GDP is %s", b.Status)
	}
	if best := bounds[Best(bounds)]; best.Method == GDP || best.Epsilon < 5.1926 {
		t.Errorf("best is %s with %g, below the truth of 5.1926", best.Method, best.Epsilon)
	}
}

// With much noise a sample hides next to nothing of the limit: it is that of Gaussian noise, q·μ.
func TestCentralLimitOfMuchNoise(t *testing.T) {
	for _, mu := range []float64{1e-4, 1e-8, 1e-12, 1e-100} {
		within(t, uniformLimit(0.5, mu), 0.5*mu, 1e-3)
		within(t, poissonLimit(0.5, mu), 0.5*mu, 1e-3)
	}
}

// discreteAt returns the divergence of the bounded-range pair with a given t.
func discreteAt(epsilon, t, alpha float64) float64 {
	if t <= 0 || t >= epsilon {
		return 0 // a point mass: the two distributions agree
	}
	return special.DiscreteRenyi(boundedRangePoints(epsilon, epsilon-t), alpha)
}

// TestOptimalOfManyDifferentEpsilons composes eighteen different ε, which are too many to be listed by the product, and
// adds up all 2¹⁸ signs.
func TestOptimalOfManyDifferentEpsilons(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var stack []Entry
	losses, masses := []float64{0}, []float64{1}
	for range 18 {
		epsilon := 0.02 + 0.4*rng.Float64()
		stack = append(stack, Entry{PureDP(epsilon), 1})
		p, n := 1/(1+math.Exp(-epsilon)), len(losses)
		for i := range n {
			losses, masses = append(losses, losses[i]-epsilon), append(masses, masses[i]*(1-p))
			losses[i], masses[i] = losses[i]+epsilon, masses[i]*p
		}
	}
	delta := func(epsilon float64) (sum float64) {
		for i, l := range losses {
			if l > epsilon {
				sum -= masses[i] * math.Expm1(epsilon-l)
			}
		}
		return sum
	}
	for _, d := range []float64{0.1, 1e-3, 1e-6} {
		b := Evaluate(context.Background(), Optimal, stack, Target{Delta: d})
		if b.Status != Valid || delta(b.Epsilon) > d || delta(b.Epsilon*(1-2e-4)) < d {
			t.Errorf("at δ = %g: %+v, where δ is %g", d, b, delta(b.Epsilon))
		}
		responses, err := Responses(stack)
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := DeltaAt(context.Background(), responses, b.Epsilon, 0)
		if truth := delta(b.Epsilon); err != nil || lower > truth || upper < truth {
			t.Errorf("the profile at ε = %g: %g to %g, %v; the sum is %g", b.Epsilon, lower, upper, err, truth)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if b := Evaluate(stopped, Optimal, stack, Target{Delta: 1e-6}); b.Status == Valid || !strings.Contains(b.Note, "stopped") {
		t.Errorf("after it was stopped: %+v", b)
	}
}

// Next to no lies among 1e12 releases: the lattice was walked through point by point,
// a million million of them.
func TestOptimalOfManyLoudReleases(t *testing.T) {
	look := gauge.OneIn(5)
	for _, epsilon := range []float64{12, 20, 28.88, 40, 300} {
		for _, delta := range []float64{0.5, 1e-9, 1e-300} {
			for _, count := range []float64{1e6, 1e12, 1e18} {
				if !look() {
					continue
				}
				b := Evaluate(context.Background(), Optimal, []Entry{{PureDP(epsilon), count}}, Target{Delta: delta})
				mean := count * epsilon * math.Tanh(epsilon/2)
				if b.Status != Valid || b.Epsilon > count*epsilon || b.Epsilon < 0.99*mean {
					t.Errorf("ε₀ = %g, K = %g, δ = %g: %s %.17g, sum %.17g", epsilon, count, delta, b.Status, b.Epsilon, count*epsilon)
				}
			}
		}
	}
}

// What costs less than the square root of the smallest number still costs something: no
// bound gives it away at δ = 0.
func TestTinyIsNotNothing(t *testing.T) {
	for _, r := range []Release{PureDP(1e-170), Subsample(PureDP(1), 1e-300), GaussianDP(1e-170),
		Subsample(GaussianDP(1), 1e-300)} {
		for _, b := range Compare(context.Background(), []Entry{{r, 1}}, Target{}) {
			if b.Status == Valid && !(b.Epsilon > 0) {
				t.Errorf("%s of %s: ε = %g", b.Method, r.Name(), b.Epsilon)
			}
		}
	}
	if b := Evaluate(context.Background(), ZCDP, []Entry{{PureDP(0), 1}},
		Target{}); b.Status != Valid || b.Epsilon != 0 {
		t.Errorf("nothing: %s, ε = %g", b.Status, b.Epsilon)
	}
}
