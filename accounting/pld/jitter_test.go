package pld

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Raised to the lattice a law keeps its P-mass and its Q-mass, of which the lattice gets
// p·e^{−loss}; and the weights e^{λJ} are those of where the mass came from.
func TestPiecesKeepBothMasses(t *testing.T) {
	for _, l := range []law{
		Laplace(0.7).Remove.(law), gaussian{0.6}, Subsample(0.2, Gaussian(1)).Remove.(law),
		Subsample(0.3, Pure(1)).Remove.(law), Subsample(0.01, DiscreteGaussian(2, 1)).Add.(law), BoundedRange(0.9).Remove.(law),
	} {
		mean, deviation := moments(l)
		lo, hi := horizon(l, mean, deviation, -60)
		g := lattice{origin: lo - 0.003, step: deviation / 20}
		cut := g.pieces(l, lo, hi)
		for name, s := range map[string]strip{"from below": raisedFrom(cut), "from above": g.weighed(cut, 0)} {
			var p, q float64
			for i, m := range s.p {
				p += m
				q += m * math.Exp(-g.at(s.first+i))
			}
			if math.Abs(p-1) > 1e-9 || math.Abs(q-1) > 1e-9 {
				t.Errorf("%s %s: P-mass %.12g, Q-mass %.12g", l.Key(), name, p, q)
			}
		}
		// E[e^{λJ}] ≥ 1 + λ·E[J] > 1, and near it for a small λ.
		if w := g.weighed(cut, 0.01/g.step).total(); w < 1 || w > 1.01 {
			t.Errorf("%s: weighed by e^{J/100 steps} the mass is %.9g", l.Key(), w)
		}
	}
}

// One atom: what stays and what rises, and their weights, by hand.
func TestWeighedAtom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := lattice{origin: 0, step: rapid.Float64Range(1e-3, 0.5).Draw(t, "step")}
		x := rapid.Float64Range(0.01, 0.99).Draw(t, "place") * g.step
		lambda := rapid.Float64Range(-3, 3).Draw(t, "λ") / g.step
		l := newDiscrete("atom", []atom{{x, 1, math.Exp(-x)}}, 0, 0)
		got := g.weighed(g.pieces(l, -1, 1), lambda)
		up := math.Expm1(-x) / math.Expm1(-g.step)
		for i, want := range []float64{(1 - up) * math.Exp(-lambda*x), up * math.Exp(lambda*(g.step-x))} {
			if math.Abs(got.p[i]-want) > 1e-10*want {
				t.Fatalf("point %d: %g, want %g", i, got.p[i], want)
			}
		}
	})
}
