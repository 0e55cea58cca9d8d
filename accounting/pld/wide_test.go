package pld

import (
	"context"
	"math"
	"testing"
)

// narrowStacks are stacks that once kept a wide interval, with what was wrong.
var narrowStacks = []struct {
	why    string
	parts  []Part
	delta  float64
	noForm bool
}{
	{"Chernoff's s came from an outline that knows nothing of thin far tails", []Part{
		{Gaussian(math.Exp(0.25)), 1},
		{Subsample(0.0019085330851761617, DiscreteGaussian(3.601138336272176, 2)), 2},
		{Subsample(0.1983414140983447, Laplace(1)), 1},
	}, math.Exp(-21.625), true},
	{"isolated losses on several lattices, each rounded down on the common grid", []Part{
		{DiscreteGaussian(20.085536923187668, 1), 2},
		{Subsample(0.034615078256334364, Approximate(0.1581824100587056, 1e-5)), 3},
	}, math.Exp(-4.615), true},
	{"the tilt stopped at the largest loss of one line, below the tail of another", []Part{
		{Subsample(0.024156521540135145, Gaussian(1)), 1},
		{BoundedRange(0.049787068367863944), 2},
		{DiscreteLaplace(1, 4), 2},
	}, math.Exp(-61.7), false},
	{"no tilt is centred on ε at all", []Part{
		{Subsample(0.0051414671533282046, DiscreteGaussian(4.343669433267064, 2)), 1},
		{Subsample(0.036521497931875646, DiscreteLaplace(1, 2)), 3},
	}, math.Exp(-69), false},
	{"δ in the last hair's breadth below the largest loss of a density", []Part{
		{BoundedRange(1), 2},
		{Subsample(0.008887419831211218, Pure(2.459329398369073)), 1},
	}, math.Exp(-28.06), false},
	{"failures that nearly use up δ", []Part{
		{Approximate(0.05181840946126737, 3.7399771874413694e-19), 5},
		{Pure(1.1875287164750257), 1},
	}, math.Exp(-40.3), true},
	{"a few large losses far apart, beside many small ones", []Part{
		{DiscreteGaussian(0.2257151911762054, 1), 5},
		{Subsample(0.022218547249046244, Pure(0.022865323080124338)), 191994},
	}, math.Exp(-48.3), false},
	{"far losses of next to no mass, tilted, outweighed all others from below", []Part{
		{Subsample(0.15061588968964126, Laplace(0.23816978579651815)), 1},
		{Subsample(0.10788004177783603, Approximate(0.049505948693918729, 1.5258622766943733e-10)), 59},
		{Subsample(0.0035638745264007627, DiscreteGaussian(7.2141309438333474, 2)), 17},
	}, math.Exp(-4.954506685483878), true},
	{"the same, so that the lower end was 0", []Part{
		{DiscreteGaussian(4.2919710413910925, 2), 62},
		{Subsample(0.0016029162250212599, DiscreteGaussian(8.7182453666059256, 2)), 15},
	}, math.Exp(-15.588140370377822), false},
	{"the same, alone", []Part{
		{Subsample(0.0012864887951761249, DiscreteGaussian(5.6307306616311985, 2)), 3},
	}, math.Exp(-64.411849981718902), false},
	{"the longest transform, of the direction that does not count, ended the search", []Part{
		{BoundedRange(0.043982987585026612), 3},
		{Subsample(0.79436886953017805, Response(0.87481951051233564, 7)), 3},
		{Subsample(0.0017035525606405521, DiscreteGaussian(0.39998860609675574, 1)), 3},
		{Subsample(0.0020548030347393238, Approximate(0.28442540614455802, 1.2095200895830839e-18)), 6},
	}, math.Exp(-37.118403331183956), true},
	{"no tilt suits both a list and a grid, next to the largest loss", []Part{
		{Pure(0.056600176280314378), 5},
		{Subsample(0.0013480283356786568, BoundedRange(0.62253840010609451)), 9},
	}, 2.97e-26, true},
	{"the same, in the direction that does not count", []Part{
		{Laplace(0.33199505151275027), 3},
		{Subsample(0.58416922493110035, Approximate(0.6656564456496642, 1.2493061221211023e-28)), 1},
	}, 3.954e-24, false},
	{"the same, between losses far apart", []Part{
		{Subsample(0.011879054465873255, Gaussian(0.13840081659248221)), 2},
		{DiscreteGaussian(0.20559084264288838, 1), 1},
		{Gaussian(0.16609060391193184), 6},
	}, 6.293e-21, true},
	{"smoothing that took all of δ was left as it was where the width asked for is worth more than δ itself", []Part{
		{Subsample(0.014247519340571582, Gaussian(0.025264446872080029)), 4865},
		{DiscreteLaplace(0.5402529197264313, 3), 1},
	}, 3.4333451257623668e-28, false},
}

func TestNarrow(t *testing.T) {
	for _, c := range narrowStacks {
		i, err := Epsilon(context.Background(), c.parts, c.delta, Options{NoForm: c.noForm})
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if w := i.width(); !(w <= DefaultWidth) {
			t.Errorf("%s: [%.9g, %.9g] is %.2g wide: %s", c.why, i.Lower, i.Upper, w, i.Note)
		}
	}
}

// A tilt below the saddle point's, which wants fewer frequencies, once left this 1.7e-5 wide.
func TestNarrowOnDemand(t *testing.T) {
	i, err := Epsilon(context.Background(), []Part{{Subsample(1e-3, Gaussian(2)), 100}}, 1e-30, Options{Width: 1e-6})
	if w := i.width(); err != nil || !(w <= 1e-6) {
		t.Errorf("[%.9g, %.9g] is %.2g wide: %s, %v", i.Lower, i.Upper, w, i.Note, err)
	}
}

// Pairs known between two faces only cannot be narrow, but their upper end must not be far
// off for want of a tilt. The truth is that of the slow route.
func TestFacesWithoutTilt(t *testing.T) {
	for _, c := range []struct {
		pair          Pair
		rounds, delta float64
		truth, most   float64
		once          float64 // the upper end that it had
	}{
		{Parallel([][]Part{
			{{Subsample(0.052596809769165545, DiscreteGaussian(12.725887317599458, 2)), 1}},
			{{Response(0.87723449777624429, 9), 1}},
			{{Subsample(0.029371409643812647, DiscreteGaussian(18.711589310585669, 2)), 1}},
		}, false), 3, 7.461e-26, 2.6317, 2.64, 5.08},
		{Parallel([][]Part{
			{{Subsample(0.0015358157497512854, DiscreteGaussian(6.4085712632065057, 2)), 1}, {Pure(0.15162251026832879), 1}},
			{{Approximate(0.069144113040886232, 8.4781103092977771e-36), 1}},
		}, true), 4, 1.271e-30, 0.9186, 0.95, 1.50},
	} {
		i, err := Epsilon(context.Background(), []Part{{c.pair, c.rounds}}, c.delta, Options{NoForm: true})
		if err != nil || !(i.Upper >= c.truth && i.Upper <= c.most) || i.Lower > c.truth+1e-3 {
			t.Errorf("[%.6g, %.6g], once up to %g; %v", i.Lower, i.Upper, c.once, err)
		}
	}
}

// Where nothing is known from above, what is attained is still composed from below.
func TestLowerEndsWithoutUpperOnes(t *testing.T) {
	parts := []Part{{Bracket(disclosingPair(), Laplace(1), "a test"), 5}}
	known := []Part{{Laplace(1), 5}}
	i, err := Epsilon(context.Background(), parts, 1e-5, Options{})
	want, _ := Epsilon(context.Background(), known, 1e-5, Options{})
	if err != nil || !math.IsInf(i.Upper, 1) || i.Lower > want.Upper || i.Lower < want.Lower*(1-1e-3) {
		t.Errorf("[%g, %g], %v, attained [%g, %g]", i.Lower, i.Upper, err, want.Lower, want.Upper)
	}
	low, high, err := DeltaAt(context.Background(), parts, 2, Options{})
	least, most, _ := DeltaAt(context.Background(), known, 2, Options{})
	if err != nil || high != 1 || low > most || low < least*(1-1e-2) {
		t.Errorf("δ in [%g, %g], %v, attained [%g, %g]", low, high, err, least, most)
	}
}
