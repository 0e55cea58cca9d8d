package pld

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/loss"

	"pgregory.net/rapid"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// drawSymmetric returns a pair that bounds a changed record.
func drawSymmetric(t *rapid.T) Pair {
	size := math.Exp(rapid.Float64Range(-3, 1.5).Draw(t, "size"))
	switch rapid.SampledFrom([]string{"pure", "approximate", "response", "laplace", "gaussian", "range", "geometric", "discrete"}).Draw(t, "family") {
	case "pure":
		return Pure(size)
	case "approximate":
		return Approximate(size, 0.01)
	case "response":
		return Response(size, 5)
	case "laplace":
		return Laplace(size)
	case "gaussian":
		return Gaussian(size)
	case "range":
		return BoundedRange(size)
	case "geometric":
		return DiscreteLaplace(1/size, 2)
	}
	return DiscreteGaussian(1/size+0.3, 1)
}

// What sampling makes of a number for a changed record: with absence vouched for it is at
// most what a revealed sample costs, and at most the chain of leaving and coming in; both
// are symmetric, the release itself at rate 1, and grow with the rate.
func TestSampledReplaceOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := drawSymmetric(t)
		q := rapid.Float64Range(0.001, 0.999).Draw(t, "q")
		epsilon := rapid.Float64Range(-4, 4).Draw(t, "ε")
		revealed, also := revealedSample(q, inner), SampledReplace(q, inner)
		at := func(p Pair) float64 { return p.Delta(epsilon) }
		below := func(what string, small, large float64) {
			if small > large*(1+1e-9)+1e-15 {
				t.Fatalf("%s: %v above %v", what, small, large)
			}
		}
		below("vouched against revealed", at(also), at(revealed))
		below("revealed against unsampled", at(revealed), at(inner))
		below("vouched against the chain", at(also), at(Replace(Subsample(q, inner))))
		below("removal against vouched", at(Subsample(q, inner)), at(also))
		more := q + (1-q)*rapid.Float64Range(0, 1).Draw(t, "more")
		below("a rate against a larger one, vouched", at(also), at(SampledReplace(more, inner)))
		below("a rate against a larger one, revealed", at(revealed), at(revealedSample(more, inner)))
		if epsilon >= 0 {
			below("revealed", at(revealed), q*at(inner))
			below("revealed, from below", q*at(inner), at(revealed))
		}
		for _, p := range []Pair{revealed, also} {
			if !p.Symmetric() {
				t.Fatal("two directions")
			}
			e := math.Abs(epsilon)
			mirrored := -math.Expm1(-e) + math.Exp(-e)*p.Delta(e)
			if got := p.Delta(-e); math.Abs(got-mirrored) > 1e-12 {
				t.Fatalf("δ(−%v) = %v, mirrored %v", e, got, mirrored)
			}
		}
		if SampledReplace(1, inner).Key() != inner.Key() {
			t.Fatal("at rate 1 it is another release")
		}
	})
}

// The laws as the grid sees them, atoms and tails, have the curves and divergences they say.
func TestNeighbourLawsAgree(t *testing.T) {
	gauge.Sequential(t)
	gauge.Check(t, gauge.Cases(5, 30), func(t *rapid.T) {
		inner := drawSymmetric(t)
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		pairs := []Pair{revealedSample(q, inner), SampledReplace(q, inner)}
		mu := math.Exp(rapid.Float64Range(-2, 1).Draw(t, "μ"))
		k := rapid.IntRange(1, 6).Draw(t, "k")
		drawn := SampledGaussianGroup(mu, q, k, true)
		removed := SampledGaussianGroup(mu, q, k, false)
		pairs = append(pairs, drawn, removed, Pair{removed.Add, removed.Remove})
		for _, p := range pairs {
			l := p.Remove.upper
			d := l.of()
			for range 4 {
				epsilon := rapid.Float64Range(-3, 3).Draw(t, "ε")
				want := fromMasses(d, epsilon)
				if got := math.Exp(l.LogDelta(epsilon)); math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s: δ(%v) = %v, from atoms and densities %v", l.key, epsilon, got, want)
				}
			}
			if mass, _ := d.MassAbove(math.Inf(-1)); math.Abs(mass+d.Top-1) > 1e-9 {
				t.Fatalf("%s: P has mass %v", l.key, mass+d.Top)
			}
			alpha := 1 + math.Exp(rapid.Float64Range(-2, 2).Draw(t, "α"))
			if l.top > beyondFloat {
				continue
			}
			sum := plainRenyi(d, alpha)
			if got := l.Renyi(alpha); math.Abs(got-sum) > 1e-9*(1+sum) {
				t.Fatalf("%s: D_%v = %v, by a plain sum %v", l.key, alpha, got, sum)
			}
		}
	})
}

// revealedSample returns a release that sees each record with probability q, and says which.
func revealedSample(q float64, inner Pair) Pair {
	return RevealedMixture([]float64{1 - q, q}, []Pair{identicalPair(), inner})
}

// Many releases on fresh samples that are revealed are a binomial mixture over how many of
// them drew the record: of j unsampled ones, in closed form. Nothing of the engine's is
// used.
func TestRevealedSampleIsABinomialMixture(t *testing.T) {
	gaussians := func(mu float64) func(j int, epsilon float64) float64 {
		return func(j int, epsilon float64) float64 {
			return math.Exp(special.LogGaussianProfile(mu*math.Sqrt(float64(j)), epsilon))
		}
	}
	responses := func(e float64) func(j int, epsilon float64) float64 {
		return func(j int, epsilon float64) float64 {
			sum := 0.0
			for i := 0; i <= j; i++ {
				loss := float64(2*i-j) * e
				logP := lchoose(j, i) - float64(i)*math.Log1p(math.Exp(-e)) - float64(j-i)*math.Log1p(math.Exp(e))
				if loss > epsilon {
					sum -= math.Exp(logP) * math.Expm1(epsilon-loss)
				}
			}
			return sum
		}
	}
	for _, c := range []struct {
		inner Pair
		of    func(j int, epsilon float64) float64
		q     float64
		k     int
		delta float64
	}{
		{Gaussian(1), gaussians(1), 0.01, 10, 1e-6},
		{Gaussian(0.25), gaussians(0.25), 0.1, 100, 1e-5},
		{Gaussian(0.7), gaussians(0.7), 0.9, 7, 1e-9},
		{Pure(1), responses(1), 0.05, 100, 1e-6},
		{Pure(0.3), responses(0.3), 0.5, 30, 1e-3},
	} {
		mixture := func(epsilon float64) float64 {
			sum := 0.0
			for j := 1; j <= c.k; j++ {
				sum += math.Exp(lchoose(c.k, j)+float64(j)*math.Log(c.q)+float64(c.k-j)*math.Log1p(-c.q)) * c.of(j, epsilon)
			}
			return sum
		}
		i, err := Epsilon(context.Background(), []Part{{revealedSample(c.q, c.inner), float64(c.k)}}, c.delta, Options{})
		if err != nil || mixture(i.Upper) > c.delta*(1+1e-9) || mixture(i.Lower) < c.delta*(1-1e-9) || i.Upper-i.Lower > 2e-3*i.Upper {
			t.Errorf("%s sampled at %v, %d times: [%v, %v], δ there is %v and %v, not around %v; %v",
				c.inner.Key(), c.q, c.k, i.Lower, i.Upper, mixture(i.Lower), mixture(i.Upper), c.delta, err)
		}
	}
}

func lchoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// An analyst who may swap the roles of the two records from release to release beats the
// removal composed with itself, and so the larger of both directions: ε = 2 sampled at 0.1,
// four times, ε = 0.247 (listed by hand: 0.0811 by the removal, 0.1284 by the analyst).
func TestSwappingAnalyst(t *testing.T) {
	const analyst = 0.1284
	at := func(p Pair) float64 {
		_, upper, err := DeltaAt(context.Background(), []Part{{p, 4}}, 0.247, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return upper
	}
	if removal := at(Subsample(0.1, Pure(2))); math.Abs(removal-0.0811) > 1e-4 {
		t.Errorf("the larger of both directions is %v", removal)
	}
	if also := at(SampledReplace(0.1, Pure(2))); also < analyst || math.Abs(also-0.1371) > 1e-4 {
		t.Errorf("with absence vouched for δ = %v, the analyst reaches %v", also, analyst)
	}
	// The best of all analysts, by a linear program over the three laws of the first release.
	const best = 0.0679497
	if i, err := Epsilon(context.Background(), []Part{{SampledReplace(0.05, Pure(1)), 2}}, 0.01, Options{}); err != nil || i.Lower > best || i.Upper < best {
		t.Errorf("[%v, %v], the best analyst reaches %v; %v", i.Lower, i.Upper, best, err)
	}
}

// The pair of k drawn records against the integral of its densities, written out.
func TestDrawsAgainstIntegral(t *testing.T) {
	for _, c := range []struct {
		mu, q   float64
		k       int
		replace bool
	}{{1, 0.01, 1, true}, {0.5, 0.8, 1, true}, {1, 0.01, 2, true}, {2, 0.3, 5, false}, {0.1, 0.5, 20, true}, {0.3, 0.2, 7, false}} {
		pair := SampledGaussianGroup(c.mu, c.q, c.k, c.replace)
		weights, _ := binomial(exactly(c.q), exactly(1-c.q), c.k, c.k, -1)
		density := func(x, sign float64) float64 {
			sum := 0.0
			for j, w := range weights {
				z := x - sign*float64(j)*c.mu
				sum += w * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
			}
			return sum
		}
		const h = 1e-3
		var ps, qs []float64
		for reach, x := 12+float64(c.k)*c.mu, -12-float64(c.k)*c.mu; x < reach; x += h {
			q := density(x, -1)
			if !c.replace {
				q = math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
			}
			ps, qs = append(ps, density(x, 1)), append(qs, q)
		}
		for _, epsilon := range []float64{-1, 0, 0.1, 1, 3} {
			forward, back := 0.0, 0.0
			for i, p := range ps {
				forward += h * math.Max(0, p-math.Exp(epsilon)*qs[i])
				back += h * math.Max(0, qs[i]-math.Exp(epsilon)*p)
			}
			for name, v := range map[string][2]float64{"remove": {pair.Remove.LogDelta(epsilon), forward}, "add": {pair.Add.LogDelta(epsilon), back}} {
				if got := math.Exp(v[0]); math.Abs(got-v[1]) > 1e-6 {
					t.Errorf("%+v, %s: δ(%v) = %v, the integral is %v", c, name, epsilon, got, v[1])
				}
			}
		}
	}
}

// For one record that is removed the drawn pair is the sampled Gaussian; more records cost
// more, and never more than the chain.
func TestDrawsOrder(t *testing.T) {
	gauge.Sequential(t)
	gauge.Check(t, 30, func(t *rapid.T) {
		mu := math.Exp(rapid.Float64Range(-2, 1).Draw(t, "μ"))
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		epsilon := rapid.Float64Range(-3, 5).Draw(t, "ε")
		one, sampled := SampledGaussianGroup(mu, q, 1, false), Subsample(q, Gaussian(mu))
		for _, d := range []float64{one.Remove.LogDelta(epsilon) - sampled.Remove.LogDelta(epsilon), one.Add.LogDelta(epsilon) - sampled.Add.LogDelta(epsilon)} {
			if d > 1e-9 || d < -1e-9 {
				t.Fatalf("one record: off by %v", d)
			}
		}
		k := rapid.IntRange(2, 5).Draw(t, "k")
		fewer, more := SampledGaussianGroup(mu, q, k-1, true).Delta(epsilon), SampledGaussianGroup(mu, q, k, true).Delta(epsilon)
		if more < fewer*(1-1e-9) || SampledGaussianGroup(mu, q, k, false).Delta(epsilon) > more*(1+1e-9) {
			t.Fatalf("%d records cost less than fewer, or than their removal", k)
		}
		if chain := Group(sampled, k).Delta(epsilon); SampledGaussianGroup(mu, q, k, false).Delta(epsilon) > chain*(1+1e-6)+1e-12 {
			t.Fatalf("%d records cost more than a chain, %v", k, chain)
		}
	})
}

// A sample that almost always draws almost everybody, so that the chance to draw nobody is
// beyond the digits of 1: never dearer than no sample, and hardly cheaper. A chance lost
// in rounding gave away ε = 69.08, the logarithm of it, where 45.13 is right.
func TestDrawsOfNearlyAll(t *testing.T) {
	for _, c := range []struct {
		mu, q float64
		k     int
	}{{1 / 0.842, 1 - 1e-6, 5}, {0.3, 0.99999, 12}, {0.1, 0.9999, 40}} {
		for _, replace := range []bool{false, true} {
			pair := SampledGaussianGroup(c.mu, c.q, c.k, replace)
			shift := c.mu * float64(c.k)
			if replace {
				shift *= 2
			}
			all := Gaussian(shift)
			for _, epsilon := range []float64{0, 1, 20, 40, 60} {
				want := all.Delta(epsilon)
				if got := pair.Delta(epsilon); got > want*(1+1e-9) || got < want*0.9 {
					t.Errorf("%+v, replace %v: δ(%v) = %v, all drawn %v", c, replace, epsilon, got, want)
				}
			}
			for _, l := range []*Loss{pair.Remove, pair.Add} {
				if got, want := l.Renyi(3), all.Remove.Renyi(3); got > want*(1+1e-9) || got < want/2 {
					t.Errorf("%+v, replace %v: D₃ = %v, all drawn %v", c, replace, got, want)
				}
			}
		}
	}
}

// The drawn pair needs no sum, no shifts and no line: laws of a few outcomes, one for each
// set of records that are drawn, which are as private against the law without them as
// their number allows and otherwise random.
func TestDrawsHoldForAnyRelease(t *testing.T) {
	quantile := func(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
	rapid.Check(t, func(t *rapid.T) {
		const outcomes = 5
		law := func(name string) []float64 {
			w, sum := make([]float64, outcomes), 0.0
			for i := range w {
				w[i] = math.Exp(rapid.Float64Range(-2, 2).Draw(t, name))
				sum += w[i]
			}
			for i := range w {
				w[i] /= sum
			}
			return w
		}
		k := rapid.IntRange(1, 3).Draw(t, "k")
		q := rapid.Float64Range(0.02, 0.98).Draw(t, "q")
		none := law("none")
		mu := 0.0
		side := func(name string) []float64 {
			mix := make([]float64, outcomes)
			for drawn := range 1 << k {
				j := float64(bits.OnesCount(uint(drawn)))
				p := none
				if drawn > 0 {
					p = law(name)
				}
				for event := 1; j > 0 && event < 1<<outcomes-1; event++ {
					in, out := 0.0, 0.0
					for i := range p {
						if event>>i&1 == 1 {
							in, out = in+p[i], out+none[i]
						}
					}
					mu = math.Max(mu, (quantile(in)-quantile(out))/j)
				}
				for i := range mix {
					mix[i] += math.Pow(q, j) * math.Pow(1-q, float64(k)-j) * p[i]
				}
			}
			return mix
		}
		here, there := side("here"), side("there")
		taken, changed := SampledGaussianGroup(mu, q, k, false), SampledGaussianGroup(mu, q, k, true)
		for _, epsilon := range []float64{-2, -0.5, 0, 0.2, 1, 2.5} {
			stick := func(p, q []float64) (sum float64) {
				for i := range p {
					sum += math.Max(0, p[i]-math.Exp(epsilon)*q[i])
				}
				return sum
			}
			for what, v := range map[string][2]float64{
				"taken out": {stick(here, none), math.Exp(taken.Remove.LogDelta(epsilon))},
				"put in":    {stick(none, here), math.Exp(taken.Add.LogDelta(epsilon))},
				"changed":   {stick(here, there), math.Exp(changed.Remove.LogDelta(epsilon))},
			} {
				if v[0] > v[1]*(1+1e-9)+1e-12 {
					t.Fatalf("%s, μ = %v: δ(%v) = %v, the pair says %v", what, mu, epsilon, v[0], v[1])
				}
			}
		}
	})
}

// More records than are listed are bracketed, on both sides of the exact pair.
func TestManyDraws(t *testing.T) {
	exact := SampledGaussianGroup(0.05, 0.02, 120, false)
	upper, lower := exact.Remove.upper, exact.Remove.lower
	if upper == lower {
		t.Fatal("all of 120 draws are listed: the test needs more")
	}
	listing, _ := binomial(exactly(0.02), exactly(0.98), 120, 120, -1)
	whole := drawsOf("whole", 0.05, listing, 0, false).Remove
	for _, epsilon := range []float64{0, 0.1, 0.5, 1} {
		want := whole.LogDelta(epsilon)
		if upper.LogDelta(epsilon) < want-1e-9 || lower.LogDelta(epsilon) > want+1e-9 {
			t.Errorf("ε = %v: %v is not within [%v, %v]", epsilon, want, lower.LogDelta(epsilon), upper.LogDelta(epsilon))
		}
	}
}

// With a number of its own for absence: a histogram under Gaussian noise, 1 for absence and
// √2 for a change, σ = 1, δ = 1e-5 (computed apart: what an attack reaches, and the least
// of the bounds).
func TestSampledAbsent(t *testing.T) {
	gauge.Sequential(t)
	for _, c := range []struct{ q, attack, most float64 }{{0.1, 1.708, 1.7905}, {0.9, 5.415, 6.3995}} {
		i, err := Epsilon(context.Background(), []Part{{SampledReplaceBy(c.q, Gaussian(1), Gaussian(math.Sqrt2)), 1}}, 1e-5, Options{})
		if err != nil || i.Upper < c.attack || i.Upper > c.most || i.Lower > i.Upper {
			t.Errorf("q = %v: [%v, %v], want from %v to %v; %v", c.q, i.Lower, i.Upper, c.attack, c.most, err)
		}
	}
	gauge.Check(t, gauge.Cases(20, 100), func(t *rapid.T) {
		a, b := math.Exp(rapid.Float64Range(-2, 1).Draw(t, "A")), math.Exp(rapid.Float64Range(-2, 1).Draw(t, "B"))
		of := rapid.SampledFrom([]func(float64) Pair{Gaussian, Laplace, Pure}).Draw(t, "family")
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		epsilon := rapid.Float64Range(0, 3).Draw(t, "ε")
		own := SampledReplaceBy(q, of(a), of(b)).Delta(epsilon)
		if least := Subsample(q, of(math.Min(a, b))).Delta(epsilon); own < least*(1-1e-9) {
			t.Fatalf("δ = %v, attained is %v", own, least)
		}
		// The mesh takes chords of the curve, which in a far tail cost some thousandths.
		if most := SampledReplace(q, of(math.Max(a, b))).Delta(epsilon); own > most*(1+1e-2)+1e-15 {
			t.Fatalf("δ = %v, the larger number for both gives %v", own, most)
		}
		if told := q * of(b).Delta(epsilon); own > told*(1+1e-2)+1e-15 {
			t.Fatalf("δ = %v, telling who was drawn gives %v", own, told)
		}
	})
}

// What is only feared is no lower end: a group too large to be chained step by step, and a
// loss that cannot be listed.
func TestFallbacksAreNoLowerEnds(t *testing.T) {
	for _, p := range []Pair{
		Group(Subsample(0.1, Laplace(0.001)), 1001), Group(Subsample(0.01, DiscreteGaussian(30, 1)), 5000),
		Parallel([][]Part{{{Subsample(0.1, Laplace(0.1)), 1e16}}, {{Gaussian(0.1), 1}}}, false),
		Group(SampledReplace(0.1, Gaussian(0.01)), 2000),
	} {
		i, err := Epsilon(context.Background(), []Part{{p, 1}}, 1e-6, Options{})
		if err != nil || i.Lower > 2 {
			t.Errorf("%s: [%v, %v], %v", p.Key(), i.Lower, i.Upper, err)
		}
	}
}

// A record that moves into a branch, or out of one, meets that branch alone; the order in
// which it does is not fixed, so the pair is the same both ways.
func TestMovingIntoNoBranch(t *testing.T) {
	branch := []Part{{Subsample(0.1, Gaussian(1)), 1}}
	moving := Parallel([][]Part{branch}, true)
	if !moving.Symmetric() {
		t.Fatal("two directions")
	}
	for _, epsilon := range []float64{-2, -0.05, 0.05, 1} {
		if got, want := moving.Delta(epsilon), branch[0].Pair.Delta(epsilon); got < want*(1-1e-9) || got > want*1.01+1e-9 {
			t.Errorf("δ(%v) = %v, want %v", epsilon, got, want)
		}
	}
}

// Where the stated failures take up δ to the last place, the largest loss is left: that is
// the upper end, and no infinite ε is certified from below.
func TestFailuresJustAsLargeAsDelta(t *testing.T) {
	for _, c := range []struct {
		parts []Part
		delta float64
		want  float64
	}{
		{[]Part{{Approximate(1, 0.1), 1}, {Approximate(2, 0.2), 1}}, 0.28, 3},
		{[]Part{{Approximate(2.72, 0.01), 1}}, 0.01, 2.72},
		{[]Part{{Laplace(1e16), 1}}, 1 - 1e-15, math.Inf(1)}, // taken for no protection: no loss is left over
	} {
		i, err := Epsilon(context.Background(), c.parts, c.delta, Options{})
		if err != nil || i.Upper != c.want || i.Lower > c.want {
			t.Errorf("δ = %v: [%v, %v], %v, want %v", c.delta, i.Lower, i.Upper, err, c.want)
		}
	}
	// A chain may lose more than its one step is known to: that is no tie.
	for _, p := range []Pair{Group(Subsample(0.5, Approximate(1, 0.02)), 2), Group(revealedSample(0.5, Approximate(1, 0.02)), 3)} {
		i, err := Epsilon(context.Background(), []Part{{p, 1}}, 0.01, Options{})
		if err != nil || !math.IsInf(i.Upper, 1) {
			t.Errorf("%s: [%v, %v], %v", p.Key(), i.Lower, i.Upper, err)
		}
	}
}

// The corners of a minorant are those of its values that lie below every chord of two
// others, one of which may be the value 1 at e^ε = 0. Losses that agree in all but their
// last digits are told apart: here e^{x−1} comes from its series, in 200 bits.
func TestMinorantOfCloseLosses(t *testing.T) {
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	exp := func(x float64) *big.Float { // of a small number
		sum, term := wide(1), wide(1)
		for n := 1; n < 40; n++ {
			term.Mul(term, wide(x)).Quo(term, wide(float64(n)))
			sum.Add(sum, term)
		}
		return sum
	}
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]float64{0x1p-50, 0x1p-48, 0x1p-40, 0x1p-10}).Draw(t, "step")
		mesh, value := []float64{1}, []float64{0x1p-6}
		for range rapid.IntRange(2, 7).Draw(t, "losses") {
			gap := float64(rapid.IntRange(1, 4).Draw(t, "gap")) * step
			mesh = append(mesh, mesh[len(mesh)-1]+gap)
			value = append(value, value[len(value)-1]-gap*float64(rapid.IntRange(20, 28).Draw(t, "fall"))/128)
		}
		// In units of e: 0 stands for ε = −∞.
		x, v := []*big.Float{wide(0)}, append([]float64{1}, value...)
		for _, m := range mesh {
			x = append(x, exp(m-1))
		}
		corners, _ := minorant(slices.Clone(mesh), slices.Clone(value))
		for i := 1; i < len(x)-1; i++ {
			most := math.Inf(-1) // how far above a chord, as a part of the step
			for j := range i {
				for k := i + 1; k < len(x); k++ {
					// (v_i − v_j)(x_k − x_j) − (v_k − v_j)(x_i − x_j), over x_k − x_j
					up := new(big.Float).Mul(wide(v[i]-v[j]), new(big.Float).Sub(x[k], x[j]))
					down := new(big.Float).Mul(wide(v[k]-v[j]), new(big.Float).Sub(x[i], x[j]))
					over, _ := up.Sub(up, down).Quo(up, new(big.Float).Sub(x[k], x[j])).Float64()
					most = math.Max(most, over/step)
				}
			}
			kept := slices.Contains(corners, mesh[i-1])
			if math.Abs(most) > 1e-6 && kept != (most < 0) {
				t.Fatalf("losses 1 + %v, values %v: %v lies %.3g steps above a chord, and is kept: %t", mesh[i-1]-1, value, mesh[i-1], most, kept)
			}
		}
	})
}

// fromMasses returns δ(ε) = P(L > ε) − e^ε·Q(L > ε) of atoms and densities.
func fromMasses(d loss.Distribution, epsilon float64) float64 {
	p, q := d.MassAbove(epsilon)
	return p - math.Exp(epsilon)*q + d.Top
}

// plainRenyi returns a divergence by a plain sum over atoms and Romberg's rule over densities.
func plainRenyi(d loss.Distribution, alpha float64) float64 {
	sum := 0.0
	for _, a := range d.Atoms {
		sum += math.Exp(a.LogP + (alpha-1)*a.Loss)
	}
	value := func(s loss.Sum, x float64) float64 {
		total := 0.0
		for _, t := range s {
			total += t.Weight * math.Exp(t.Rate*x+t.Shift)
		}
		return math.Log(total)
	}
	for _, e := range d.Densities {
		at := func(x float64) float64 {
			log := e.LogScale + e.Slope*x + alpha*value(e.Num, x) - (alpha-1)*value(e.Den, x)
			if e.Sigma > 0 {
				log -= x * x / (2 * e.Sigma * e.Sigma)
			}
			return math.Exp(log)
		}
		reach := 15.0 // beyond the mode of any term
		for _, t := range slices.Concat(e.Num, e.Den) {
			reach = math.Max(reach, 15+2*alpha*math.Abs(t.Rate))
		}
		lo, hi := math.Max(e.Lo, -reach), math.Min(e.Hi, reach)
		trapezoid := func(n int) float64 {
			h, total := (hi-lo)/float64(n), (at(lo)+at(hi))/2
			for i := 1; i < n; i++ {
				total += at(lo + float64(i)*h)
			}
			return h * total
		}
		const n = 10000
		a, b, c := trapezoid(n), trapezoid(2*n), trapezoid(4*n)
		first, second := b+(b-a)/3, c+(c-b)/3
		sum += second + (second-first)/15
	}
	return math.Log(sum) / (alpha - 1)
}

// What is known between two estimates is not called one noise, nor a gap between them round-off;
// where the estimates agree there is nothing to explain.
func TestWordsOfASingleRelease(t *testing.T) {
	for _, c := range []struct {
		pair        Pair
		form, noted string
	}{
		{Bracket(Gaussian(1), Gaussian(0.5), "why"), "the curves of a single release", "why"},
		{SampledReplace(0.1, Laplace(1)), "the curves of a single release", ""},
		{Gaussian(1), "all Gaussians are one Gaussian", ""},
	} {
		i, err := Epsilon(context.Background(), []Part{{c.pair, 1}}, 1e-6, Options{})
		if err != nil || i.Form != c.form || i.Note != c.noted || i.Budget.Roundoff > 1e-9 {
			t.Errorf("%s: %+v, %v", c.pair.Key(), i, err)
		}
	}
}
