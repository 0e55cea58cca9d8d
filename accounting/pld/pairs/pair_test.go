package pairs

import (
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/spectrum"

	"pgregory.net/rapid"
)

func within(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > relative*math.Abs(want) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// Orders from 50-digit quadrature (mpmath) of the definitions.
func TestRenyi(t *testing.T) {
	sampled := func(q, z float64) Pair { return Subsample(q, Gaussian(1/z)) }
	for _, c := range []struct {
		name        string
		pair        Pair
		alpha, want float64
		tolerance   float64
	}{
		{"laplace 1", Laplace(1), 1, 0.36787944117144233, 1e-12},
		{"laplace 1", Laplace(1), 1.5, 0.5128835112945086, 1e-10},
		{"laplace 1", Laplace(1), 64, 0.9891221586809695, 1e-12},
		{"laplace .05", Laplace(0.05), 1.01, 0.001241713640465664, 1e-9},
		{"laplace .05", Laplace(0.05), 2, 0.0024568497342060003, 1e-9},
		{"pure 1", Pure(1), 2, 0.73532566405552, 1e-11},
		{"pure .5", Pure(0.5), 32, 0.48470719405871, 1e-11},
		{"response ln3", Pure(math.Log(3)), 1, 0.5493061443340549, 1e-11},
		{"geometric 5", DiscreteLaplace(5, 1), 2, 0.03934908110429379, 1e-10},
		{"discrete gaussian 2.9", DiscreteGaussian(2.9, 1), 8.5, 0.5053507728894174, 1e-10},
		{"sgd", sampled(0.01, 1), 1.5, 1.27253743327e-4, 1e-8},
		{"sgd", sampled(0.01, 1), 1.1, 9.24147108469e-5, 1e-8},
		{"sgd", sampled(0.01, 1), 4.5, 4.14927067325e-4, 1e-9},
		{"sgd", sampled(0.1, 0.8), 2.5, .0580875710838, 1e-10},
		{"sgd", sampled(0.3, 2), 1.7, .021083180362, 1e-9},
		{"sgd", sampled(0.5, 1), 3.3, .823420331676, 1e-10},
		{"sgd", sampled(1e-3, 0.5), 1.3, 2.92496248025e-5, 1e-8},
		{"sgd", sampled(0.01, 1), 64, 27.3217319, 1e-8},
		{"sgd brutal", sampled(0.01, 0.1), 128, 6395.3585686, 1e-9},
		{"sgd brutal", sampled(0.01, 0.1), 1.25, 39.4743536, 1e-8},
	} {
		got := c.pair.Renyi(c.alpha)
		within(t, c.name+" order "+number(c.alpha), got, c.want, c.tolerance)
	}
}

// Profiles from sums of the definitions at 50 digits.
func TestDelta(t *testing.T) {
	for _, c := range []struct {
		name          string
		pair          Pair
		epsilon, want float64
	}{
		{"laplace", Laplace(1), 0.3, 0.29531191028128656},
		{"laplace", Laplace(1), 0.999999, 4.999998750143987e-07},
		{"gaussian", Gaussian(1), 20, 2.6647067053654977e-86},
		{"geometric", DiscreteLaplace(5, 1), 0, 0.09966799462495582},
		{"discrete laplace", DiscreteLaplace(2.2, 3), 0.4, 0.385875275062554},
		{"discrete gaussian", DiscreteGaussian(5, 1), 0.1, 0.04123580718928622},
		{"discrete gaussian", DiscreteGaussian(2.9, 1), 0.8, 0.0017420665095065721},
		{"approximate", Approximate(0.3, 1e-7), 0.3, 1e-7},
		{"sampled approximate", Subsample(0.137, Approximate(0.3, 1e-7)), 0.046817416379459825, 1.37e-8},
	} {
		within(t, c.name, c.pair.Delta(c.epsilon), c.want, 1e-8)
	}
}

// pairs of every kind, for the properties that all share.
func anyPair() *rapid.Generator[Pair] {
	return rapid.Custom(func(t *rapid.T) Pair {
		e := math.Exp(rapid.Float64Range(-3, 1.5).Draw(t, "ln ε"))
		var p Pair
		switch rapid.IntRange(0, 11).Draw(t, "kind") {
		case 0:
			p = Gaussian(e)
		case 1:
			p = Laplace(e)
		case 2:
			p = Pure(e)
		case 3:
			p = Approximate(e, 1e-5)
		case 4:
			p = Response(e, rapid.IntRange(2, 20).Draw(t, "k"))
		case 5:
			p = DiscreteLaplace(1/e, rapid.IntRange(1, 4).Draw(t, "Δ"))
		case 6:
			p = DiscreteGaussian(1/e, rapid.IntRange(1, 2).Draw(t, "Δ"))
		case 7:
			p = RevealedMixture([]float64{0.6, 0.4}, []Pair{identicalPair(), Pure(e)}) // a frequency oracle
		case 8:
			p = Shuffle(Reports{Epsilon: e, Weight: 1}, float64(rapid.IntRange(2, 300).Draw(t, "people")))
		case 9:
			p = NoisyThreshold(Laplace(e), 1e-5)
		case 10:
			p = GaussianThreshold(1/e, 1e-5, float64(rapid.IntRange(1, 5).Draw(t, "groups")), 10, 1e-4)
		default:
			p = BoundedRange(e)
		}
		if rapid.Bool().Draw(t, "sampled") {
			p = Subsample(rapid.Float64Range(0.001, 0.9).Draw(t, "q"), p)
		}
		return p
	})
}

// The add curve is the remove curve read backwards:
// δ_{Q‖P}(ε) = 1 − e^ε + e^ε δ_{P‖Q}(−ε).
func TestDirectionsAreReverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPair().Draw(t, "pair")
		e := rapid.Float64Range(-3, 3).Draw(t, "ε")
		add := math.Exp(p.Add.LogDelta(e))
		remove := 1 - math.Exp(e) + math.Exp(e)*math.Exp(p.Remove.LogDelta(-e))
		if math.Abs(add-remove) > 1e-11*(1+math.Exp(e)) {
			t.Fatalf("%s at %g: add %.15g, from remove %.15g", p.Key(), e, add, remove)
		}
	})
}

// The closed-form curve agrees with the one summed from atoms and densities, and masses
// add to one under P and under Q.
func TestLawsAreConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPair().Draw(t, "pair")
		e := rapid.Float64Range(-2, 3).Draw(t, "ε")
		for _, loss := range []*Loss{p.Remove, p.Add} {
			l := loss.upper
			d := l.of()
			if got, want := fromMasses(d, e), math.Exp(l.LogDelta(e)); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s at %g: %.15g from masses, %.15g in closed form", l.key, e, got, want)
			}
			for _, a := range l.list {
				if a.p > 1e-200 && a.q > 1e-200 && math.Abs(math.Log(a.p/a.q)-a.loss) > 1e-9 {
					t.Fatalf("%s: atom %v", l.key, a)
				}
			}
			sumP, sumQ := d.MassAbove(math.Inf(-1))
			if math.Abs(sumP+d.Top-1) > 1e-11 || math.Abs(sumQ+d.Bottom-1) > 1e-9 {
				t.Fatalf("%s: masses %.15g, %.15g", l.key, sumP+d.Top, sumQ+d.Bottom)
			}
			hi := l.hi()
			if math.IsInf(hi, 1) {
				continue
			}
			if above := math.Exp(l.LogDelta(hi + 1e-9*(1+math.Abs(hi)))); above > d.Top*(1+1e-12) {
				t.Fatalf("%s: δ = %g beyond the largest loss %.15g, which leaves %g", l.key, above, hi, d.Top)
			}
			if below := l.LogDelta(hi - 1e-3); !(below > math.Log(l.top)-1e-12) {
				t.Fatalf("%s: ln δ = %g just below the largest loss %.15g", l.key, below, hi)
			}
		}
	})
}

// The curve of BoundedRange is the supremum over t of the two-point curves.
func TestBoundedRangeIsTheSupremum(t *testing.T) {
	for _, e := range []float64{0.1, 1, 4} {
		pair := BoundedRange(e)
		for _, x := range []float64{-1.2 * e, -e, -0.7 * e, 0, 0.31 * e, 0.999 * e, e, 1.1 * e} {
			best := 0.0
			for i := 0; i <= 20000; i++ {
				shift := e * float64(i) / 20000
				p := (math.Exp(e) - math.Exp(shift)) / math.Expm1(e)
				d := p*math.Max(0, 1-math.Exp(x-shift)) + (1-p)*math.Max(0, 1-math.Exp(x-shift+e))
				best = math.Max(best, d)
			}
			if got := pair.Delta(x); got < best-1e-15 || got > best+1e-8 {
				t.Errorf("ε = %g at %g: %.12g, supremum %.12g", e, x, got, best)
			}
		}
	}
}

// Two Gaussian steps chained on stand-ins must lie just above the exact pair.
func TestChainOfGaussians(t *testing.T) {
	for _, mu := range []float64{0.2, 1, 3} {
		l := gaussian(mu)
		up := chain("two", finite(l, chainFineness), finite(l, chainFineness))
		for _, e := range []float64{-1, 0, 0.5, 2, 6} {
			got, want := math.Exp(up.LogDelta(e)), Gaussian(2*mu).Delta(e)
			if got < want*(1-1e-12) || got > want*1.01+1e-9 {
				t.Errorf("μ = %g at %g: chain %.12g, exact %.12g", mu, e, got, want)
			}
		}
	}
}

// Under replace the record may be swapped with any other: the general rule
// δ(ε₁+ε₂) ≤ δ(ε₁) + e^{ε₁}δ(ε₂) must not be beaten downward by less than one step.
func TestReplaceOfSampled(t *testing.T) {
	p := Subsample(0.1, Gaussian(1))
	r := Replace(p)
	for _, e := range []float64{0.1, 0.5, 1, 2} {
		d := r.Delta(e)
		rule := p.Remove.LogDelta(e / 2)
		bound := math.Exp(rule) + math.Exp(e/2)*math.Exp(p.Add.LogDelta(e/2))
		if d < p.Delta(e) || d > bound*1.001 {
			t.Errorf("at %g: %g, one step %g, rule %g", e, d, p.Delta(e), bound)
		}
	}
}

// Orders beyond those that a quadrature rule can number fall back on the inner
// divergence, at once: z = 0.8 at α = 1e15 once filled the memory.
func TestSampledRenyiAtHugeOrders(t *testing.T) {
	for _, mu := range []float64{0.01, 1.25, 30} {
		inner := Gaussian(mu)
		for _, alpha := range []float64{1e6, 1e12, 1e15, 1e18} {
			got := Subsample(0.01, inner).Renyi(alpha)
			if !(got >= 0 && got <= inner.Renyi(alpha)*(1+1e-12)) {
				t.Errorf("μ = %g, α = %g: %g, want at most %g", mu, alpha, got, inner.Renyi(alpha))
			}
		}
	}
}

// However large μ is, sampling has the inner divergence to fall back on.
func TestWideGaussians(t *testing.T) {
	for _, mu := range []float64{150, 199, 201, 1e4, 1e8} {
		inner := Gaussian(mu)
		if got := Subsample(0.01, inner).Renyi(2); !(got <= inner.Renyi(2)) {
			t.Errorf("μ = %g: D₂ = %g above %g", mu, got, inner.Renyi(2))
		}
	}
}

// The closed bounds on a sampled divergence lie above it.
func TestSampledBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := []Pair{Gaussian(rapid.Float64Range(0.1, 4).Draw(t, "μ")),
			Laplace(rapid.Float64Range(0.1, 4).Draw(t, "ε"))}[rapid.IntRange(0, 1).Draw(t, "noise")]
		q := math.Exp(rapid.Float64Range(-8, -0.01).Draw(t, "ln q"))
		alpha := 1 + math.Exp(rapid.Float64Range(-6, 5).Draw(t, "ln(α−1)"))
		pair := Subsample(q, inner)
		for _, l := range []*Estimate{pair.Remove.upper, pair.Add.upper, SampledReplace(q, inner).Remove.upper} {
			d := l.of()
			log, err := spectrum.LogMoment(&d, alpha-1)
			if least := (log - err) / (alpha - 1); l.bound(alpha) < least*(1-1e-12) {
				t.Fatalf("%s: D_%v is at least %.12g, bounded by %.12g", l.key, alpha, least, l.bound(alpha))
			}
		}
	})
}

// An estimate has a total mass of one and lies on its side of the list it is made of.
func TestEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []atom
		total := 0.0
		for x := -1.0; x < 1; x += 0.25 {
			p := rapid.Float64Range(0.01, 1).Draw(t, "p")
			points, total = append(points, atom{x, p, p * math.Exp(-x)}), total+p
		}
		scale := rapid.Float64Range(0.9, 1.1).Draw(t, "off")
		for i := range points {
			points[i].p /= total
			points[i].q /= total
		}
		truth := newList("truth", slices.Clone(points), 0, 0, 0)
		for i := range points {
			points[i].p *= scale
			points[i].q *= scale
		}
		l := estimate("estimate", points, 0, 0)
		mass := l.top
		for _, a := range l.list {
			mass += a.p
		}
		if math.Abs(mass-1) > 1e-12 {
			t.Fatalf("a total mass of %.15g", mass)
		}
		for e := -0.9; e < 1; e += 0.1 {
			if above := l.LogDelta(e) - truth.LogDelta(e); scale > 1 && above < -1e-12 || scale < 1 && above > 1e-12 {
				t.Fatalf("masses %v times as large: ln δ(%v) moved by %v", scale, e, above)
			}
		}
	})
}

// A chain by doubling is the chain step by step, and of bounded losses it does not exceed
// so many times the largest, however long it is.
func TestChainByDoubling(t *testing.T) {
	for _, p := range []Pair{Response(0.3, 5), Subsample(0.05, Approximate(0.2, 1e-9)), Subsample(0.1, Laplace(0.5))} {
		for _, one := range []*Estimate{p.Remove.upper, p.Add.upper} {
			one = finite(one, chainFineness)
			all := one
			for k := 2; k <= 7; k++ {
				all = chain("", all, one)
				for _, epsilon := range []float64{-0.4, 0, 0.1, 0.35} {
					if got, want := chainOf("", one, k,
						chainFineness).LogDelta(epsilon),
						all.LogDelta(epsilon); !(math.Abs(got-want) <= 1e-10) && got != want {
						t.Errorf("%s × %d: ln δ(%g) = %.14g, step by step %.14g", one.key, k, epsilon, got, want)
					}
				}
			}
			for _, k := range []int{1000, 1e7} {
				if got, most := chainOf("", one, k, chainFineness).hi(), float64(k)*one.hi(); !(got <= most*(1+1e-9)) {
					t.Errorf("%s × %d: a loss of %g, at most %g", one.key, k, got, most)
				}
			}
		}
	}
}

// Q against a sample with P in it has no loss above −ln(1−q), which keeps its digits.
func TestLargestLossOfRareSamples(t *testing.T) {
	for _, q := range []float64{0.9, 0.3, 1e-3, 1e-9, 1e-15, 1e-18, 1e-200} {
		for _, p := range []Pair{Gaussian(0.8), DiscreteGaussian(5000, 1), Approximate(0.5, 1e-6)} {
			want := -math.Log1p(-q)
			if got := Subsample(q, p).Add.upper.hi(); !(math.Abs(got/want-1) <= 8*ulp) {
				t.Errorf("%s drawn with probability %g: the largest loss is %.17g, not %.17g", p.Key(), q, got, want)
			}
		}
	}
}

// The losses of a discrete Gaussian have no end, listed or not: it has no pure ε, and on a sample
// D_α grows past the largest listed loss.
func TestListedLossesHaveNoEnd(t *testing.T) {
	for _, sigma := range []float64{0.6, 5, 5000} {
		p := DiscreteGaussian(sigma, 1)
		for _, q := range []float64{1, 0.3, 1e-8} {
			for _, pair := range []Pair{Subsample(q, p), SampledReplace(q, p),
				RevealedMixture([]float64{1 - q, q}, []Pair{identicalPair(), p})} {
				if got := pair.Renyi(math.Inf(1)); !math.IsInf(got, 1) {
					t.Errorf("%s: a pure ε of %g", pair.Key(), got)
				}
				// P ≥ q·P₁, and of whole orders D_α(P₁‖Q) is α/(2σ²).
				for _, alpha := range []float64{1e3, 1e6, 1e9} {
					least := (alpha*math.Log(q) + alpha*(alpha-1)/(2*sigma*sigma)) / (alpha - 1)
					if got := pair.Renyi(alpha); got < least*(1-1e-9) {
						t.Errorf("%s: D of order %g is %g, at least %g", pair.Key(), alpha, got, least)
					}
				}
			}
		}
	}
}
