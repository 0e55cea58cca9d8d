package spectrum

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/internal/gauge"
)

// failing returns three Laplace losses, each of which gives the record away with some probability, beside a sampled
// Gaussian.
func failing(top float64) Stack {
	l := loss.Laplace(1)
	for i := range l.Atoms {
		l.Atoms[i].LogP += math.Log1p(-top)
	}
	for i := range l.Densities {
		l.Densities[i].LogScale += math.Log1p(-top)
	}
	l.Top, l.Bottom = top, top
	return Stack{Lines: []Line{
		{Key: "Laplace", Loss: l, Count: 3}, {Key: "sampled", Loss: loss.Subsample(0.1725, loss.Gaussian(1./3)), Count: 1},
	}}.withKeys()
}

// Beyond the largest losses that matter δ is the mass at +∞. It is read off without a spectrum, and no narrower than
// off one.
func TestFailedWithoutSpectrum(t *testing.T) {
	ctx := context.Background()
	const width = 1e-5
	r := failing(1e-7).narrowReader(width)
	short := 0
	for epsilon := 2.0; epsilon < 10; epsilon += 1 / float64(gauge.Cases(1, 2)) {
		made := len(r.readings)
		lower, upper, err := r.delta(ctx, epsilon)
		if err != nil || !(lower <= upper) {
			t.Fatalf("δ(%g) in [%v, %v]: %v", epsilon, lower, upper, err)
		}
		if len(r.readings) > made {
			continue
		}
		plain := failing(1e-7).narrowReader(width)
		plan, at, ok, err := plain.planAt(ctx, epsilon)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		next, ok, err := at.evaluate(ctx, plan)
		if err != nil || !ok {
			continue
		}
		least, most := at.read([]*Spectrum{next}, epsilon)
		if lower > most || upper < least {
			t.Errorf("δ(%g) in [%v, %v], by a spectrum in [%v, %v]", epsilon, lower, upper, least, most)
		}
		if l, u, ok := failing(1e-7).narrowReader(width).deltaOfFailures(ctx, epsilon); ok {
			if short++; l > least || u < most || u > l*(1+width) {
				t.Errorf("without a spectrum δ(%g) in [%v, %v], by one in [%v, %v]", epsilon, l, u, least, most)
			}
		}
	}
	if short < gauge.Cases(4, 8) || len(r.readings) > 10 {
		t.Errorf("%d values without a spectrum, %d spectra", short, len(r.readings))
	}
	if _, _, ok := failing(0).narrowReader(width).deltaOfFailures(ctx, 9); ok {
		t.Error("nothing lies at +∞, and δ is read off it")
	}
}

// One moment gives an upper end of δ, and none below the truth.
func TestBoundByMoment(t *testing.T) {
	ctx := context.Background()
	for _, top := range []float64{0, 1e-7} {
		for _, epsilon := range gauge.Some(2, []float64{0.5, 2, 3.2, 5, 7}) {
			r := failing(top).narrowReader(1e-5)
			lower, upper, err := r.delta(ctx, epsilon)
			if err != nil {
				t.Fatal(err)
			}
			if bound, ok := r.Bound(ctx, epsilon, 0.999*lower); ok {
				t.Errorf("δ(%g) ≤ %v, in [%v, %v]", epsilon, bound, lower, upper)
			}
			if bound, ok := r.Bound(ctx, epsilon, 200*upper); !ok || bound < lower {
				t.Errorf("δ(%g) ≤ %v (%v), in [%v, %v]", epsilon, bound, ok, lower, upper)
			}
		}
	}
	for _, epsilon := range []float64{20, 100, 1e4} { // above every loss that is not truncated
		if bound, ok := failing(0).narrowReader(1e-5).Bound(ctx, epsilon, 1e-16); !ok || !(bound <= 1e-16) {
			t.Errorf("δ(%g) ≤ %v (%v) is not negligible", epsilon, bound, ok)
		}
	}
}

func (s Stack) narrowReader(width float64) *Reader {
	r := s.Reader()
	r.width = width
	return r
}

// However much a plan smooths, its interval holds the δ of one that smooths a hundred times less.
func TestAnySmoothingHolds(t *testing.T) {
	ctx := context.Background()
	look := gauge.OneIn(5)
	for _, s := range []Stack{
		{Lines: []Line{{Loss: loss.Laplace(0.7), Count: 2}, {Loss: loss.Subsample(0.3, loss.Gaussian(0.5)), Count: 1}}},
		{Lines: []Line{{Loss: loss.Laplace(0.0625), Count: 40}}},
		{Lines: []Line{{Loss: loss.Subsample(0.01, loss.Gaussian(1)), Count: 10}}},
	} {
		short := s.withKeys().truncate(ctx, 1e-15)
		for _, epsilon := range []float64{-0.3, 0, 0.2, 0.9} {
			if !look() {
				continue
			}
			known := [2]float64{0, 1}
			for _, smooth := range []float64{0.1, 1, 3, 10, 100}[gauge.Cases(1, 0):] {
				target := aim(-10, epsilon, 1e-5, 0)
				target.smooth = smooth
				p, ok := short.choose(target)
				if !ok {
					t.Fatal("no plan")
				}
				next, ok, err := short.evaluate(ctx, p)
				if err != nil || !ok {
					continue
				}
				lower, upper := short.read([]*Spectrum{next}, epsilon)
				if lower > known[1] || upper < known[0] {
					t.Errorf("smoothed by %g δ(%g) in [%v, %v], by less in %v", smooth, epsilon, lower, upper, known)
				}
				known = [2]float64{math.Max(known[0], lower), math.Min(known[1], upper)}
			}
			if known[1] > known[0]*1.001+1e-15 {
				t.Errorf("δ(%g) in %v: this test needs it narrow", epsilon, known)
			}
		}
	}
}
