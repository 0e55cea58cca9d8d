package pld_test

import (
	"math"
	"testing"

	"epsiloscope/internal/gauge"
)

// The slow route itself, against figures from elsewhere: closed forms, and exact sums
// of Kairouz, Oh and Viswanath and contour inversion at 50 digits. Both of its ends
// must hold them, closely.
func TestSlowRouteHoldsKnownFigures(t *testing.T) {
	normal := func(mu float64) noise { return gaussianNoise(shifts{mu: 1}, still) }
	sgd := func(q, z float64) noise { return normal(1 / z).sampled(q) }
	double := func(e float64) noise { return laplaceNoise(shifts{e: 1}, still) }
	for _, c := range gauge.Some(4, []struct {
		name      string
		world     world
		delta     float64
		want      float64
		tolerance float64 // absolute, of the figure
	}{
		{"gaussian 1", world{{normal(1), 1, false}}, 1e-5, 4.3771780956812, 1e-10},
		{"gaussian 1", world{{normal(1), 1, false}}, 1e-30, 11.743883025232, 1e-10},
		{"gaussian .1 ×1000", world{{normal(.1), 1000, false}}, 1e-6, 19.423656474031052, 1e-10},
		{"gaussian 1/30 ×1000", world{{normal(1. / 30), 1000, false}}, 1e-30, 12.412115379043065, 1e-10},
		{"pure 1 ×100", world{{promised(1, 0), 100, false}}, 1e-6, 83.530701678484, 1e-10},
		{"pure .1 ×10", world{{promised(.1, 0), 10, false}}, 1e-6, .99937090572176, 1e-10},
		{"geometric 5 ×100", world{{discreteLaplaceNoise(5, shifts{1: 1}, still), 100, false}}, 1e-6, 10.676577200555892, 1e-10},
		{"laplace b 7.7 ×150", world{{double(1 / 7.7), 150, false}}, 1e-8, 9.308159424, 3e-9},
		{"laplace b 20 ×1000", world{{double(.05), 1000, false}}, 1e-20, 15.293005905467504, 1e-10},
		{"sgd .01 1 ×1000", world{{sgd(.01, 1), 1000, false}}, 1e-6, 2.1245, 2e-4},
		{"sgd .01 1 ×1000", world{{sgd(.01, 1), 1000, false}}, 1e-20, 6.3617, 2e-4},
		{"sgd .01 1.1 ×1000", world{{sgd(.01, 1.1), 1000, false}}, 1e-12, 3.0916233460648304, 1e-8},
		{"sgd 256/60000 .8 ×14062", world{{sgd(256./60000, .8), 14062, false}}, 1e-5, 4.549838725694013, 1e-8},
	}) {
		lower, upper := curve(c.world.enclose(false, c.delta, 3000, 600).delta).epsilon(c.delta)
		if lower > c.want+c.tolerance || upper < c.want-c.tolerance {
			t.Errorf("%s at %g: [%.12g, %.12g] misses %.12g", c.name, c.delta, lower, upper, c.want)
		}
		if width := (upper - lower) / c.want; width > 2e-3 || math.IsNaN(width) {
			t.Errorf("%s at %g: [%.12g, %.12g] is %.2g wide", c.name, c.delta, lower, upper, width)
		}
		t.Logf("%s at %g: [%.9g, %.9g] %.2g wide", c.name, c.delta, lower, upper, (upper-lower)/c.want)
	}
}
