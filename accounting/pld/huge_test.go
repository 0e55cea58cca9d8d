package pld

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Large K: the cost must not grow, the interval must hold. Truth for Gaussians is the
// closed form, for pure releases the normal limit within its known error is not good
// enough, so the two ends must only agree.
func TestManyCopies(t *testing.T) {
	for _, k := range []float64{1e5, 1e6, 1e9} {
		mu := 1 / math.Sqrt(k)
		for _, delta := range []float64{1e-2, 1e-6, 1e-30} {
			_, want := invert(pairs.Gaussian(1).Remove.Upper().LogDelta, delta)
			i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Gaussian(mu), Count: k}},
				delta, Options{NoForm: true})
			if err != nil {
				t.Errorf("K = %g, δ = %g: %v", k, delta, err)
				continue
			}
			if i.Lower > want || i.Upper < want || i.width() > 1e-3 {
				t.Errorf("K = %g, δ = %g: [%.9g, %.9g], want %.9g", k, delta, i.Lower, i.Upper, want)
			}
		}
		for _, p := range []pairs.Pair{pairs.Laplace(mu), pairs.Pure(mu), sgd(0.01, math.Sqrt(k)/100+0.5),
			pairs.BoundedRange(mu), pairs.Subsample(0.1, pairs.Pure(10*mu))} {
			i, err := Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: k}}, 1e-6, Options{})
			if err != nil || i.width() > 2e-2 || i.width() > 1e-3 && k <= 1e6 {
				t.Errorf("%s × %g: [%.9g, %.9g], %v", p.Key(), k, i.Lower, i.Upper, err)
			}
		}
	}
}

// Counts beyond any accountant: an answer or a reason, never a hang or NaN.
func TestAbsurdCounts(t *testing.T) {
	for _, k := range []float64{1e12, 1e18, 1e24} {
		for _, parts := range [][]pairs.Part{
			{{Pair: pairs.Pure(0.1), Count: k}},
			{{Pair: pairs.Laplace(1e-9), Count: k}},
			{{Pair: sgd(0.01, 1), Count: k}},
			{{Pair: pairs.Laplace(0.1), Count: k}, {Pair: pairs.Pure(0.01), Count: k / 10}},
			{{Pair: pairs.Approximate(0.1, 1e-9), Count: k}},
		} {
			i, err := Epsilon(context.Background(), parts, 1e-6, Options{})
			if err != nil {
				continue
			}
			if math.IsNaN(i.Lower) || math.IsNaN(i.Upper) || i.Lower > i.Upper {
				t.Errorf("%s × %g: [%g, %g]", parts[0].Pair.Key(), k, i.Lower, i.Upper)
			}
		}
	}
}

// --precision 1e-4 and 1e-5.
func TestPrecision(t *testing.T) {
	for _, w := range []float64{1e-4, 1e-5} {
		for _, c := range []struct {
			parts []pairs.Part
			delta float64
			want  float64
		}{
			{[]pairs.Part{{Pair: pairs.Gaussian(0.1), Count: 1000}}, 1e-6, 19.423656474031052},
			{[]pairs.Part{{Pair: pairs.Laplace(1 / 7.7), Count: 150}}, 1e-8, 9.308159424},
			{[]pairs.Part{{Pair: sgd(0.01, 1.1), Count: 1000}}, 1e-12, 3.0916233460648304},
		} {
			i, err := Epsilon(context.Background(), c.parts, c.delta, Options{Width: w, NoForm: true})
			if err != nil {
				t.Error(err)
				continue
			}
			if i.Lower > c.want*(1+1e-9) || i.Upper < c.want*(1-1e-9) || i.width() > w {
				t.Errorf("%s: [%.12g, %.12g], want %.12g within %g", c.parts[0].Pair.Key(), i.Lower, i.Upper, c.want, w)
			}
		}
	}
}

// Every progressive interval holds, and each is no wider than the one before.
func TestRefine(t *testing.T) {
	const want = 0.2717363 // between the ends at a width of 1e-6
	last := math.Inf(1)
	steps := 0
	err := Refine(context.Background(), []pairs.Part{{Pair: sgd(0.01, 1.1), Count: 10}}, 1e-5, Options{Width: 2e-5},
		func(i Interval) bool {
			steps++
			if i.Lower > want+2e-7 || i.Upper < want-2e-7 || i.width() > last {
				t.Errorf("step %d: [%g, %g]", steps, i.Lower, i.Upper)
			}
			last = i.width()
			return true
		})
	if err != nil || steps < 2 || last > 2e-5 {
		t.Errorf("%d steps to width %g, %v", steps, last, err)
	}
}

// Who watches the interval narrow ends where who asks once does. (With intervals met
// along the way the two differed in the fourth digit for one stack in twenty. Ten releases of
// Laplace noise once took their first block of frequencies from the step before.)
func TestRefineEndsAtEpsilon(t *testing.T) {
	gauge.Sequential(t)
	checkRefineEnds(t, []pairs.Part{{Pair: pairs.Laplace(1), Count: 10}}, 1e-2)
	gauge.Check(t, gauge.Cases(8, 25), func(t *rapid.T) {
		var parts []pairs.Part
		for range rapid.IntRange(1, 2).Draw(t, "lines") {
			e := rapid.Float64Range(0.01, 2).Draw(t, "ε")
			pair := rapid.SampledFrom([]pairs.Pair{pairs.Laplace(e), pairs.Pure(e), pairs.Gaussian(e),
				pairs.BoundedRange(e), sgd(0.01, 1/e)}).Draw(t, "pair")
			parts = append(parts, pairs.Part{Pair: pair, Count: float64(rapid.IntRange(1, 50).Draw(t, "count"))})
		}
		delta := math.Pow(10, -rapid.Float64Range(1, 9).Draw(t, "digits of δ"))
		checkRefineEnds(t, parts, delta)
	})
}

func checkRefineEnds(t rapid.TB, parts []pairs.Part, delta float64) {
	once, err := Epsilon(context.Background(), parts, delta, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var last Interval
	if err := Refine(context.Background(), parts, delta, Options{}, func(i Interval) bool {
		last = i
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if last.Lower != once.Lower || last.Upper != once.Upper {
		t.Fatalf("watched [%v, %v], asked once [%v, %v]", last.Lower, last.Upper, once.Lower, once.Upper)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Epsilon(ctx, []pairs.Part{{Pair: pairs.Laplace(0.1), Count: 100}}, 1e-6, Options{}); err == nil {
		t.Error("a cancelled context must end the evaluation")
	}
}

// A moment of any order ends soon: a density with hardly any mass next to the largest loss
// once kept it busy for hours. It is monotone in the order and at most that loss.
func TestHugeOrders(t *testing.T) {
	for _, epsilon := range []float64{1e-6, 1, 500} {
		pair, least := pairs.Subsample(0.1, pairs.Laplace(epsilon)), 0.0
		most := math.Log1p(0.1 * math.Expm1(epsilon))
		for _, alpha := range []float64{10, 1e3, 1e9, 7.2e13, 1e16, 1e300} {
			got := pair.Renyi(alpha)
			if !(got >= least*(1-1e-12) && got <= most*(1+1e-9)) {
				t.Errorf("ε %v: D of order %v is %v, of a smaller order %v, the largest loss is %v", epsilon, alpha, got, least, most)
			}
			least = got
		}
	}
}
