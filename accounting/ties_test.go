package accounting

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

// TestTiesNameTheNativeTheorem holds stacks on which several theorems give one number: on all of them basic composition
// once won because it is listed first.
func TestTiesNameTheNativeTheorem(t *testing.T) {
	points := RenyiPoints([]RenyiPoint{{2, 0.1}, {8, 0.4}, {32, 1.6}})
	for _, c := range []struct {
		name  string
		stack []Entry
		want  Method
	}{
		{"ρ-zCDP, once: census-dhc", []Entry{{ConcentratedDP(0, 4.96), 1}}, ZCDP},
		{"ρ-zCDP, many", []Entry{{ConcentratedDP(0, 0.01), 30}}, ZCDP},
		{"Rényi points, once", []Entry{{points, 1}}, RDP},
		{"Gaussian, once", []Entry{{GaussianDP(0.3), 1}}, GDP},
		{"Gaussian, many", []Entry{{GaussianDP(0.3), 7}}, GDP},
		{"sampled Gaussian, once", []Entry{{Subsample(GaussianDP(1), 0.1), 1}}, Numerical},
		{"at most Gaussian, once", []Entry{{AtMostGaussian("a pass", 1, 0.5, "an attack"), 1}}, Numerical},
		{"nothing", nil, Basic},
	} {
		bounds := Compare(context.Background(), c.stack, Target{Delta: 1e-6})
		best := Best(bounds)
		if best < 0 || bounds[best].Method != c.want {
			t.Errorf("%s: %v, want %s. A theorem that is as small as numerical hides its interval: let it refuse such releases",
				c.name, bounds[best], c.want)
		}
	}
}

// TestBestIsSmallest asks random sets of bounds for the best: none is smaller, and none as small needs less δ.
func TestBestIsSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := make([]Bound, rapid.IntRange(1, 8).Draw(t, "n"))
		for i := range bounds {
			bounds[i] = Bound{Method: theorems[i].Method,
				Status:  rapid.SampledFrom([]Status{Valid, Unproven, Vacuous}).Draw(t, "status"),
				Epsilon: rapid.SampledFrom([]float64{0, 1, 1 + 1e-13, 1 + 1e-9, 2}).Draw(t, "ε"),
				Delta:   rapid.SampledFrom([]float64{0, 1e-6}).Draw(t, "δ"),
				By:      rapid.SampledFrom([]Method{"", Basic, RDP}).Draw(t, "by")}
		}
		before := append([]Bound(nil), bounds...)
		SettleTies(bounds)
		best := Best(bounds)
		for i, b := range bounds {
			if b.Epsilon > before[i].Epsilon || b.Status == Valid && (best < 0 || b.Epsilon < bounds[best].Epsilon) {
				t.Fatalf("best of %v is %d", bounds, best)
			}
			if b.Epsilon < before[i].Epsilon && (b.Status != Valid || b.Delta < bounds[best].Delta) {
				t.Fatalf("%v became %v, which %v does not prove", before[i], b, bounds[best])
			}
		}
	})
}
