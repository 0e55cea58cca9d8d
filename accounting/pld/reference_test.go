package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

func sgd(q, z float64) pairs.Pair { return pairs.Subsample(q, pairs.Gaussian(1/z)) }

// truths are tight values of ε with the source of each.
var truths = []struct {
	name      string
	parts     []pairs.Part
	delta     float64
	want      float64
	tolerance float64 // absolute, of the reference itself
}{
	// exact sums of Kairouz, Oh, Viswanath, mpmath
	{"pure 1 ×100", []pairs.Part{{Pair: pairs.Pure(1), Count: 100}}, 1e-6, 83.530701678484, 1e-10},
	{"pure .1 ×10", []pairs.Part{{Pair: pairs.Pure(.1), Count: 10}}, 1e-6, .99937090572176, 1e-10},
	{"pure .1 ×100", []pairs.Part{{Pair: pairs.Pure(.1), Count: 100}}, 1e-6, 4.774567588108, 1e-10},
	{"pure .1 ×1000", []pairs.Part{{Pair: pairs.Pure(.1), Count: 1000}}, 1e-6, 19.344671447993, 1e-10},
	{"pure .5 ×20", []pairs.Part{{Pair: pairs.Pure(.5), Count: 20}}, 1e-5, 9.8594110241151, 1e-10},
	{"pure 1 ×10", []pairs.Part{{Pair: pairs.Pure(1), Count: 10}}, 1e-6, 9.9999770658207, 1e-10},
	{"pure 1 ×30", []pairs.Part{{Pair: pairs.Pure(1), Count: 30}}, 1e-2, 23.67805945825, 1e-10},
	{"pure .01 ×1000", []pairs.Part{{Pair: pairs.Pure(.01), Count: 1000}}, 1e-9, 1.7829322998948, 1e-10},
	{"pure .2 ×1000", []pairs.Part{{Pair: pairs.Pure(.2), Count: 1000}}, 1e-14, 66.79493583820032, 1e-10},
	{"geometric 5 ×100", []pairs.Part{{Pair: pairs.DiscreteLaplace(5, 1), Count: 100}}, 1e-6, 10.676577200555892, 1e-10},
	// dp_accounting's own runs, extrapolated
	{"approximate ×100", []pairs.Part{{Pair: pairs.Approximate(.1, 1e-8), Count: 100}}, 1e-5, 4.329637, 1e-4},
	{"discrete gaussian 5 ×20", []pairs.Part{{Pair: pairs.DiscreteGaussian(5, 1), Count: 20}}, 1e-6, 4.306178, 1e-4},
	{"sampled laplace ×50", []pairs.Part{{Pair: pairs.Subsample(.1, pairs.Laplace(1)), Count: 50}}, 1e-6, 3.20190, 1e-4},
	{"laplace .1 ×100", []pairs.Part{{Pair: pairs.Laplace(.1), Count: 100}}, 1e-6, 4.69267, 1e-4},
	{"laplace 1 ×10", []pairs.Part{{Pair: pairs.Laplace(1), Count: 10}}, 1e-6, 9.998978, 1e-4},
	{"mixed of three", []pairs.Part{{Pair: pairs.Laplace(.2), Count: 10}, {Pair: pairs.Gaussian(.25), Count: 5}, {Pair: sgd(.01, 1), Count: 500}}, 1e-6, 4.082819, 1e-3},
	// closed form of the Gaussian
	{"gaussian 1", []pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, 1e-5, 4.3771780956812, 1e-9},
	{"gaussian 1", []pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, 1e-10, 6.547924066865, 1e-9},
	{"gaussian 1", []pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, 1e-20, 9.5109362405744, 1e-9},
	{"gaussian 1", []pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}}, 1e-30, 11.743883025232, 1e-9},
	{"gaussian .1 ×1000", []pairs.Part{{Pair: pairs.Gaussian(.1), Count: 1000}}, 1e-6, 19.423656474031052, 1e-9},
	{"gaussian .01 ×1e6", []pairs.Part{{Pair: pairs.Gaussian(.01), Count: 1e6}}, 1e-6, 96.7172719638677, 1e-9},
	{"gaussian 1/30 ×1000", []pairs.Part{{Pair: pairs.Gaussian(1. / 30), Count: 1000}}, 1e-30, 12.412115379043065, 1e-9},
	// contour inversion at 30 digits
	{"laplace b 7.7 ×150", []pairs.Part{{Pair: pairs.Laplace(1 / 7.7), Count: 150}}, 1e-8, 9.308159424, 3e-9},
	{"laplace b 20 ×1000", []pairs.Part{{Pair: pairs.Laplace(.05), Count: 1000}}, 1e-6, 8.2044, 1e-4},
	{"laplace b 20 ×1000", []pairs.Part{{Pair: pairs.Laplace(.05), Count: 1000}}, 1e-12, 11.81953404362815, 1e-9},
	{"laplace b 20 ×1000", []pairs.Part{{Pair: pairs.Laplace(.05), Count: 1000}}, 1e-20, 15.293005905467504, 1e-9},
	// tilted FFT, extrapolated, and contour inversion
	{"sgd .01 1 ×1000", []pairs.Part{{Pair: sgd(.01, 1), Count: 1000}}, 1e-6, 2.1245, 2e-4},
	{"sgd .01 1 ×1000", []pairs.Part{{Pair: sgd(.01, 1), Count: 1000}}, 1e-10, 3.2904, 2e-4},
	{"sgd .01 1 ×1000", []pairs.Part{{Pair: sgd(.01, 1), Count: 1000}}, 1e-12, 3.9143, 2e-4},
	{"sgd .01 1 ×1000", []pairs.Part{{Pair: sgd(.01, 1), Count: 1000}}, 1e-14, 4.5437, 2e-4},
	{"sgd .01 1 ×1000", []pairs.Part{{Pair: sgd(.01, 1), Count: 1000}}, 1e-20, 6.3617, 2e-4},
	{"sgd .01 1 ×1e5", []pairs.Part{{Pair: sgd(.01, 1), Count: 1e5}}, 1e-6, 27.6726, 5e-4},
	{"sgd .01 1 ×1e5", []pairs.Part{{Pair: sgd(.01, 1), Count: 1e5}}, 1e-10, 34.617, 2e-3},
	{"sgd .01 1.1 ×1e4", []pairs.Part{{Pair: sgd(.01, 1.1), Count: 1e4}}, 1e-5, 5.1926, 2e-4},
	{"sgd 256/60000 .8 ×14062", []pairs.Part{{Pair: sgd(256./60000, .8), Count: 14062}}, 1e-5, 4.549838725694013, 1e-8},
	{"sgd .01 1.1 ×1000", []pairs.Part{{Pair: sgd(.01, 1.1), Count: 1000}}, 1e-12, 3.0916233460648304, 1e-8},
	{"sgd .04 1.5 ×2250", []pairs.Part{{Pair: sgd(.04, 1.5), Count: 2250}}, 1e-5, 6.76878, 1e-4},
}

func TestTruthLiesInside(t *testing.T) {
	for _, c := range truths {
		for _, opt := range []Options{{}, {NoForm: true}} {
			i, err := Epsilon(context.Background(), c.parts, c.delta, opt)
			if err != nil {
				t.Errorf("%s at %g: %v", c.name, c.delta, err)
				continue
			}
			if !(i.Lower <= c.want+c.tolerance && c.want-c.tolerance <= i.Upper) {
				t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, i.Lower, i.Upper, c.want)
			}
			if w := i.width(); w > 1e-3 || math.IsNaN(w) {
				t.Errorf("%s at %g: [%.9g, %.9g], width %.2g, grid %d", c.name, c.delta, i.Lower, i.Upper, w, i.Grid)
			}
			if testing.Verbose() {
				t.Logf("%s at %g: [%.9g, %.9g] width %.2g grid %d step %.3g %+v", c.name, c.delta, i.Lower, i.Upper, i.width(), i.Grid, i.Step, i.Budget)
			}
		}
	}
}
