package pairs

import (
	"math"
	"testing"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"
)

// Every loss is written down twice: as atoms and densities, which are composed, and as a
// closed curve. In each direction by itself the two agree.
func TestLossesHaveTheirCurves(t *testing.T) {
	inner := []Pair{
		Gaussian(0.8), Laplace(0.9), BoundedRange(1.3), Pure(0.7), Approximate(0.6, 1e-3), Response(1.1, 5),
		DiscreteGaussian(1.7, 2), DiscreteLaplace(2.5, 3), RepeatedApproximate(0.2, 1e-4, 7),
	}
	pairs := append([]Pair(nil), inner...)
	for i, p := range inner {
		for _, q := range gauge.Some(2, []float64{0.3, 1e-3}) {
			pairs = append(pairs, Subsample(q, p), SampledReplace(q, p), revealedSample(q, p),
				RevealedMixture([]float64{q, 1 - q}, []Pair{p, inner[(i+1)%len(inner)]}))
		}
	}
	pairs = append(pairs, SampledGaussianGroup(0.7, 0.1, 3, false), SampledGaussianGroup(0.7, 0.1, 3, true),
		SampledGaussianGroup(0.4, 0.02, 8, true))
	for _, p := range pairs {
		for _, l := range []*Loss{p.Remove, p.Add} {
			d, ok := l.upper.Composable()
			if !ok {
				t.Errorf("%s has no atoms and densities", l.Key())
				continue
			}
			lines := []spectrum.Line{{Loss: d, Count: 1}}
			for _, fineness := range []float64{4, 100} {
				losses, masses, top, okUp := exact.Pessimistic(lines, fineness)
				lowLosses, lowMasses, lowTop, okLow := exact.Optimistic(lines, fineness)
				if !okUp || !okLow {
					t.Fatalf("%s: too many cells", l.Key())
				}
				for epsilon := -2.05; epsilon < 3; epsilon += 0.25 * float64(gauge.Cases(2, 1)) {
					want := math.Exp(l.LogDelta(epsilon))
					a, b := listDelta(lowLosses, lowMasses, lowTop, epsilon), listDelta(losses, masses, top, epsilon)
					if a > want*(1+1e-9)+1e-24 || b < want*(1-1e-9)-1e-30 {
						t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", l.Key(), epsilon, a, b, want)
					}
					if fineness == 100 && b-a > 1e-2*want+1e-4 {
						t.Errorf("%s at %g: [%.12g, %.12g] is wide", l.Key(), epsilon, a, b)
					}
				}
			}
		}
	}
}

// listDelta returns δ(ε) of a list of losses with the mass top at +∞.
func listDelta(losses, masses []float64, top, epsilon float64) float64 {
	sum := top
	for i, x := range losses {
		if x > epsilon {
			sum -= masses[i] * math.Expm1(epsilon-x)
		}
	}
	return sum
}

// More runs than are listed are known from both sides only. The truth between is added up from binomial masses.
func TestManyRunsAreBracketed(t *testing.T) {
	const epsilon, delta = 0.01, 1e-6
	for _, n := range []float64{257, 1000, 30000} {
		many := RepeatedApproximate(epsilon, delta, n).Remove
		for _, x := range []float64{0, 0.05, 0.5, 2} {
			kept, sum := math.Exp(n*math.Log1p(-delta)), 0.0
			all, _ := math.Lgamma(n + 1)
			for k := 0.0; k <= n; k++ { // runs in which the loss is ε, and −ε in the others
				a, _ := math.Lgamma(k + 1)
				b, _ := math.Lgamma(n - k + 1)
				p := math.Exp(all - a - b + k*epsilon - n*math.Log1p(math.Exp(epsilon)))
				sum += p * math.Max(0, -math.Expm1(x-(2*k-n)*epsilon))
			}
			truth := math.Log(1 - kept + kept*sum)
			if low, high := many.Lower().LogDelta(x), many.Upper().LogDelta(x); low > truth+1e-9 || high < truth-1e-9 {
				t.Errorf("%v runs at %v: ln δ = %v is outside [%v, %v]", n, x, truth, low, high)
			}
		}
	}
}

// So are groups too large to count, between Laplace noise, of which every step is one record's, and the total
// guarantee. A group whose ε is 0 fails with the sum of what its records fail with, exactly.
func TestGroupsTooLargeToCount(t *testing.T) {
	const k = 1e19
	l, laplace := approximateGroup(1e-20, 0, k).Remove, Laplace(0.1).Remove
	for _, x := range []float64{0, 0.05, 0.09} {
		got, want := l.Lower().LogDelta(x), laplace.Lower().LogDelta(x)
		if math.Abs(got-want) > 1e-12*math.Abs(want) || l.Upper().LogDelta(x) < want {
			t.Errorf("at %v: [%v, %v], Laplace noise has %v", x, got, l.Upper().LogDelta(x), want)
		}
	}
	if l := approximateGroup(0, 1e-6, 3).Remove; !l.Exact() || math.Abs(l.Lower().LogDelta(1)-math.Log(3e-6)) > 1e-12 {
		t.Errorf("three records at (0, 1e-6): %v", l.Lower().LogDelta(1))
	}
}
