package pairs

import (
	"math"
	"testing"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/pld/spectrum"
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
		for _, q := range []float64{0.3, 1e-3} {
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
				for epsilon := -2.05; epsilon < 3; epsilon += 0.25 {
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

// More runs than are listed are known from both sides only: the total guarantee of 1,000 runs is far above what they
// cost, and no attack reaches it.
func TestManyRunsAreBracketed(t *testing.T) {
	for _, n := range []float64{257, 1000, 2.5} {
		many := RepeatedApproximate(0.001, 1e-9, n).Remove
		fewer := RepeatedApproximate(0.001, 1e-9, min(256, math.Floor(n))).Remove
		if many.Exact() || many.Note() == "" {
			t.Errorf("%v runs are known exactly", n)
		}
		for _, epsilon := range []float64{0, 0.01, 0.1} {
			if got, want := many.Lower().LogDelta(epsilon), fewer.Lower().LogDelta(epsilon); got != want {
				t.Errorf("%v runs at %v: %v, of fewer %v", n, epsilon, got, want)
			}
			if many.Upper().LogDelta(epsilon) < fewer.Upper().LogDelta(epsilon) {
				t.Errorf("%v runs at %v cost less than fewer", n, epsilon)
			}
		}
	}
}
