package pairs

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/internal/gauge"

	"pgregory.net/rapid"
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

// The pair of k drawn records against the integral of its densities, written out.
func TestDrawsAgainstIntegral(t *testing.T) {
	for _, c := range []struct {
		mu, q   float64
		k       int
		replace bool
	}{{1, 0.01, 1, true}, {0.5, 0.8, 1, true}, {1, 0.01, 2, true}, {2, 0.3, 5, false}, {0.1, 0.5, 20, true},
		{0.3, 0.2, 7, false}} {
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
			for name, v := range map[string][2]float64{"remove": {pair.Remove.LogDelta(epsilon), forward},
				"add": {pair.Add.LogDelta(epsilon), back}} {
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
	gauge.Check(t, gauge.Cases(15, 30), func(t *rapid.T) {
		mu := math.Exp(rapid.Float64Range(-2, 1).Draw(t, "μ"))
		q := rapid.Float64Range(0.01, 0.99).Draw(t, "q")
		epsilon := rapid.Float64Range(-3, 5).Draw(t, "ε")
		one, sampled := SampledGaussianGroup(mu, q, 1, false), Subsample(q, Gaussian(mu))
		for _, d := range []float64{one.Remove.LogDelta(epsilon) - sampled.Remove.LogDelta(epsilon),
			one.Add.LogDelta(epsilon) - sampled.Add.LogDelta(epsilon)} {
			if d > 1e-9 || d < -1e-9 {
				t.Fatalf("one record: off by %v", d)
			}
		}
		k := rapid.IntRange(2, 5).Draw(t, "k")
		fewer, more := SampledGaussianGroup(mu, q, k-1, true).Delta(epsilon),
			SampledGaussianGroup(mu, q, k, true).Delta(epsilon)
		if more < fewer*(1-1e-9) || SampledGaussianGroup(mu, q, k, false).Delta(epsilon) > more*(1+1e-9) {
			t.Fatalf("%d records cost less than fewer, or than their removal", k)
		}
		if chain := Group(sampled, k).Delta(epsilon); SampledGaussianGroup(mu, q, k,
			false).Delta(epsilon) > chain*(1+1e-6)+1e-12 {
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

// A record that moves into a branch, or out of one, meets that branch alone; the order in
// which it does is not fixed, so the pair is the same both ways.
func TestMovingIntoNoBranch(t *testing.T) {
	branch := []Part{{Subsample(0.1, Gaussian(1)), 1}}
	moving := Parallel([][]Part{branch}, true)
	if !moving.Symmetric() {
		t.Fatal("two directions")
	}
	for _, epsilon := range []float64{-2, -0.05, 0.05, 1} {
		if got, want := moving.Delta(epsilon), branch[0].Pair.Delta(epsilon); got < want*(1-1e-9) ||
			got > want*1.01+1e-9 {
			t.Errorf("δ(%v) = %v, want %v", epsilon, got, want)
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
