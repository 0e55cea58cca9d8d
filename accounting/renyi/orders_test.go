package renyi

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/special"
	_ "epsiloscope/internal/gauge" // the seed of property tests
)

// Passing over hopeless orders finds what looking at all of them finds, or better, with
// far fewer questions over all. In a single case it may ask more: it looks at six whole
// orders besides, and where orders tie it refines another one.
func TestLeast(t *testing.T) {
	var some, all int
	rapid.Check(t, func(t *rapid.T) {
		rho := math.Exp(rapid.Float64Range(-20, 5).Draw(t, "ln ρ"))
		pure := math.Exp(rapid.Float64Range(-10, 8).Draw(t, "ln ε"))
		logDelta := rapid.Float64Range(-690, -0.7).Draw(t, "ln δ")
		asked := 0
		curve := func(alpha float64) float64 {
			asked++
			return math.Min(special.LaplaceRenyi(pure, alpha), alpha*rho)
		}
		convert := func(alpha, r float64) float64 { // the tight conversion
			return math.Max(0, r-math.Log1p(1/(alpha-1))-(logDelta+math.Log(alpha))/(alpha-1))
		}
		_, least, _ := LeastOrder(curve, convert, pure)
		got := math.Min(pure, least)
		once := asked
		want := math.Min(pure, special.Minimise(func(u float64) float64 {
			return convert(1+math.Exp(u), curve(1+math.Exp(u)))
		}, math.Log(minOrder), math.Log(maxOrder), gridOrders).Value)
		if got > want*(1+1e-9) { // smaller, where a kink at a whole order was found: fine
			t.Errorf("ρ = %v, ε = %v, ln δ = %v: %.15g, among all orders %.15g", rho, pure, logDelta, got, want)
		}
		some, all = some+once, all+asked-once
	})
	if 5*some > 3*all {
		t.Errorf("%d questions instead of %d", some, all)
	}
}
