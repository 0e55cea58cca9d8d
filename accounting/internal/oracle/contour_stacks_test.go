package oracle_test

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The inversion itself, against closed forms: Gaussian noise (Balle & Wang 2018), and two Laplace
// releases at their largest loss.
func TestInversionAgainstClosedForms(t *testing.T) {
	for _, mu := range []float64{0.1, 1, 4} {
		for _, epsilon := range []float64{0, 0.3, 1, 5} {
			phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
			want := phi(mu/2-epsilon/mu) - math.Exp(epsilon)*phi(-mu/2-epsilon/mu)
			got, off := invertMoments([]moments{gaussianMoments(mu/2, 4)}, epsilon)
			if !(math.Abs(got-want) <= off+1e-9*want) {
				t.Errorf("μ %v, ε %v: %v ± %v, want %v", mu, epsilon, got, off, want)
			}
		}
	}
	// One Laplace release: δ(ε) = 1 − e^{(ε−ε₀)/2}.
	got, off := invertMoments([]moments{laplaceMoments(1, 1)}, 0.5)
	if want := -math.Expm1(-0.25); !(math.Abs(got-want) <= off && off < 1e-4) {
		t.Errorf("Laplace: %v ± %v, want %v", got, off, want)
	}
}

// contourStack draws a stack as parts of the engine and, in both directions, as moments.
func contourStack(d draw) (parts []pairs.Part, ways [2][]moments, kind string) {
	put := func(pair pairs.Pair, count float64, removed, added moments) {
		parts = append(parts, pairs.Part{Pair: pair, Count: count})
		ways[0], ways[1] = append(ways[0], removed), append(ways[1], added)
	}
	kind = one(d, "Gaussian", "Laplace", "sampled", "mixed")
	if kind != "Laplace" { // some plain noise, so that the integral ends soon
		mu, n := d.log(0.15, 1.5), float64(d.between(1, 5))
		put(pairs.Gaussian(mu), n, gaussianMoments(mu, n), gaussianMoments(mu, n))
	}
	if kind == "Laplace" || kind == "mixed" {
		for range d.between(1, 2) {
			e, n := d.log(0.05, 1), float64(d.between(1, 12))
			put(pairs.Laplace(e), n, laplaceMoments(e, n), laplaceMoments(e, n))
		}
	}
	if kind == "sampled" || kind == "mixed" {
		q, mu, n := d.log(1e-3, 0.6), d.log(0.3, 2), float64(d.between(1, 300))
		put(pairs.Subsample(q, pairs.Gaussian(mu)), n, sampledMoments(q, mu, n, false), sampledMoments(q, mu, n, true))
	}
	return parts, ways, kind
}

// The certified interval against the inversion of moments along a contour, which shares nothing with
// lists of losses, nor with the accountant's spectra: at the upper end neither direction has more than δ,
// at the lower end one has at least δ.
func TestContourInversionOnRandomStacks(t *testing.T) {
	drawn, made := map[string]int{}, map[string]int{}
	for n := range max(gauge.Cases(12, 24), numbers/20) {
		d := numbered(n)
		parts, ways, kind := contourStack(d)
		if drawn[kind] == perKind() {
			continue
		}
		drawn[kind]++
		delta := d.log(1e-10, 0.05)
		i, err := pld.Epsilon(context.Background(), parts, delta, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		worst := func(epsilon float64) (delta, off float64) {
			for _, losses := range ways {
				x, err := invertMoments(losses, epsilon)
				delta, off = math.Max(delta, x), math.Max(off, err)
			}
			return delta, off
		}
		above, offAbove := worst(i.Upper)
		below, offBelow := worst(i.Lower)
		if i.Upper > 0 && above-offAbove > delta*(1+1e-8) || i.Lower > 0 && below+offBelow < delta*(1-1e-8) {
			t.Errorf("stack %d (%s) at δ %.6g: [%.9g, %.9g], but δ is %.9g ± %.1g and %.9g ± %.1g there", n, kind, delta, i.Lower, i.Upper, below, offBelow, above, offAbove)
		}
		if offAbove < 0.01*delta && i.Lower > 0 {
			made[kind]++
		}
	}
	t.Logf("within 1 %% of δ: %v", made)
	for _, kind := range []string{"Gaussian", "Laplace", "sampled", "mixed"} {
		if made[kind] == 0 {
			t.Errorf("no stack of kind %s was decided", kind)
		}
	}
}
