package labs

import (
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// The expected size of a sum of Laplace noises: 1 for one, 3/2 for two (by hand: the
// density of two is (1+|x|)e^{−|x|}/4), and √(2k)·√(2/π) for many, as the sum is normal
// with variance 2k.
func TestMeanAbsSum(t *testing.T) {
	for k, want := range map[int]float64{1: 1, 2: 1.5, 2000: math.Sqrt(2*2000) * math.Sqrt(2/math.Pi)} {
		if got := meanAbsSum(k); math.Abs(got-want) > 1e-3*want {
			t.Errorf("%d noises: %v, want %v", k, got, want)
		}
	}
	noise, r := mechanisms.LaplaceNoise(1), rand.New(rand.NewPCG(1, 2))
	sum := 0.0
	for range 20_000 {
		x := 0.0
		for range 16 {
			x += noise.Rand(r)
		}
		sum += math.Abs(x) / 20_000
	}
	if want := meanAbsSum(16); math.Abs(sum-want) > 5*math.Sqrt(32.0/20_000) {
		t.Errorf("sampled %v, computed %v", sum, want)
	}
}

// The row of the histogram shows the 95 % error of its noise, not of a few thousand draws. By
// integration of two Gamma densities: 11.16253 for 16 cells; ln 20 for one.
func TestErrorOfAHistogram(t *testing.T) {
	for kinds, want := range map[float64]float64{2: math.Log(20), 32: 11.16253} {
		_, out := sequenceOf(t, "laplace-counts", param.Values{"kinds": param.WholeValue(kinds)})
		if got := out.Tables[0].Rows[3].Values[4]; math.Abs(got-want) > 1e-5 {
			t.Errorf("%v kinds: %v, want %v", kinds, got, want)
		}
	}
}

// Coordinated noise beats every split of the budget once there are enough counts, and
// does not get worse with more of them (Bassi, "How many counting queries?").
func TestCoordinatedNoise(t *testing.T) {
	var errs [2][]float64
	for i, m := range []float64{100, 1000} {
		_, out := sequenceOf(t, "laplace-counts", param.Values{"queries": param.WholeValue(m)})
		for _, r := range out.Tables[0].Rows {
			errs[i] = append(errs[i], r.Values[2])
		}
	}
	if few, many := errs[0], errs[1]; many[3] != few[3] || many[3] > many[2]/10 || few[3] > few[2] {
		t.Errorf("expected errors of basic, advanced, exact, coordinated: %v with 100 counts, %v with 1000", few, many)
	}
}
