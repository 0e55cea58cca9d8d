package slides

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// Figures of the lectures, recomputed.
func TestSlides(t *testing.T) {
	near := func(what string, got, want, tolerance float64) {
		if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	sparse := AdvancedEachSlide(1, 1e-6, 10) // of each run of a sparse vector
	near("the slide's ε₀", sparse, 0.06016, 1e-3)
	near("what the theorem charges it", accounting.AdvancedEpsilon(sparse, 1e-6, 10), 1.0373, 1e-4)
	near("Dwork & Roth's constant", accounting.AdvancedEpsilon(sparse/2, 1e-6, 10), 0.5092, 1e-4)
	near("Thresholdout in the paper", 2*mechanisms.Thresholdout{Budget: 100, Sigma: 0.02, N: 1e4}.SlideEpsilon(1e-6), 1.0774, 1e-4)
	near("take 2 holds from", TakeTwoFrom(), 5.958, 1e-3)
	for x, holds := range map[float64]bool{10: true, 5: false} {
		if slide, proven := TakeTwo(x); (proven <= slide) != holds {
			t.Errorf("take 2 at %v: %v on the slide, %v proven", x, slide, proven)
		}
	}
	// Bob: K = 10⁴ and δ′ = e⁻³².
	half, err := AdvancedEach(1-1e-12, math.Exp(-32), 1e4)
	if err != nil {
		t.Fatal(err)
	}
	near("the corollary", 1/half, 1600, 1e-9)
	near("the slide without the factor 2", 1/AdvancedEachSlide(1, math.Exp(-32), 1e4), 800, 1e-9)
	if _, err := AdvancedEach(1, 1e-6, 10); err == nil {
		t.Error("the corollary is proven below ε = 1 only")
	}
}
