package pairs

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The table says what the sum over all losses says, to the last digits, in the far
// tail too.
func TestCurveTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sigma := math.Exp(rapid.Float64Range(0, 4).Draw(t, "ln σ"))
		l := DiscreteGaussian(sigma, rapid.IntRange(1, 5).Draw(t, "Δ")).Remove.upper
		if top := rapid.SampledFrom([]float64{0, 1e-9, 0.1}).Draw(t, "at +∞"); top > 0 {
			l = newList("with an infinite loss", slices.Clone(l.list), top, 0, 0)
		}
		lo, hi := l.list[0].loss, l.hi()
		epsilon := rapid.Float64Range(lo-1, hi+1).Draw(t, "ε")
		if rapid.Bool().Draw(t, "on a loss") {
			epsilon = rapid.SampledFrom(l.list).Draw(t, "loss").loss
		}
		got, want := l.LogDelta(epsilon), summedDelta(l.list, l.top, epsilon)
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("σ = %v: ln δ(%v) = %.17g, summed %.17g", sigma, epsilon, got, want)
		}
	})
}

// summedDelta returns ln δ(ε) of a list, atom by atom.
func summedDelta(points []atom, top, epsilon float64) float64 {
	sum := top
	for _, a := range points {
		if a.loss > epsilon {
			sum -= a.p * math.Expm1(epsilon-a.loss)
		}
	}
	return math.Min(0, math.Log(sum))
}
