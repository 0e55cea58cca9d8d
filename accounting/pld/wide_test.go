package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// narrowStacks are stacks that once kept a wide interval, with what was wrong.
var narrowStacks = []struct {
	why    string
	parts  []pairs.Part
	delta  float64
	noForm bool
}{
	{"Chernoff's s came from an outline that knows nothing of thin far tails", []pairs.Part{
		{Pair: pairs.Gaussian(math.Exp(0.25)), Count: 1},
		{Pair: pairs.Subsample(0.0019085330851761617, pairs.DiscreteGaussian(3.601138336272176, 2)), Count: 2},
		{Pair: pairs.Subsample(0.1983414140983447, pairs.Laplace(1)), Count: 1},
	}, math.Exp(-21.625), true},
	{"isolated losses on several lattices, each rounded down on the common grid", []pairs.Part{
		{Pair: pairs.DiscreteGaussian(20.085536923187668, 1), Count: 2},
		{Pair: pairs.Subsample(0.034615078256334364, pairs.Approximate(0.1581824100587056, 1e-5)), Count: 3},
	}, math.Exp(-4.615), true},
	{"the tilt stopped at the largest loss of one line, below the tail of another", []pairs.Part{
		{Pair: pairs.Subsample(0.024156521540135145, pairs.Gaussian(1)), Count: 1},
		{Pair: pairs.BoundedRange(0.049787068367863944), Count: 2},
		{Pair: pairs.DiscreteLaplace(1, 4), Count: 2},
	}, math.Exp(-61.7), false},
	{"no tilt is centred on ε at all", []pairs.Part{
		{Pair: pairs.Subsample(0.0051414671533282046, pairs.DiscreteGaussian(4.343669433267064, 2)), Count: 1},
		{Pair: pairs.Subsample(0.036521497931875646, pairs.DiscreteLaplace(1, 2)), Count: 3},
	}, math.Exp(-69), false},
	{"δ in the last hair's breadth below the largest loss of a density", []pairs.Part{
		{Pair: pairs.BoundedRange(1), Count: 2},
		{Pair: pairs.Subsample(0.008887419831211218, pairs.Pure(2.459329398369073)), Count: 1},
	}, math.Exp(-28.06), false},
	{"failures that nearly use up δ", []pairs.Part{
		{Pair: pairs.Approximate(0.05181840946126737, 3.7399771874413694e-19), Count: 5},
		{Pair: pairs.Pure(1.1875287164750257), Count: 1},
	}, math.Exp(-40.3), true},
	{"a few large losses far apart, beside many small ones", []pairs.Part{
		{Pair: pairs.DiscreteGaussian(0.2257151911762054, 1), Count: 5},
		{Pair: pairs.Subsample(0.022218547249046244, pairs.Pure(0.022865323080124338)), Count: 191994},
	}, math.Exp(-48.3), false},
	{"far losses of next to no mass, tilted, outweighed all others from below", []pairs.Part{
		{Pair: pairs.Subsample(0.15061588968964126, pairs.Laplace(0.23816978579651815)), Count: 1},
		{Pair: pairs.Subsample(0.10788004177783603, pairs.Approximate(0.049505948693918729, 1.5258622766943733e-10)), Count: 59},
		{Pair: pairs.Subsample(0.0035638745264007627, pairs.DiscreteGaussian(7.2141309438333474, 2)), Count: 17},
	}, math.Exp(-4.954506685483878), true},
	{"the same, so that the lower end was 0", []pairs.Part{
		{Pair: pairs.DiscreteGaussian(4.2919710413910925, 2), Count: 62},
		{Pair: pairs.Subsample(0.0016029162250212599, pairs.DiscreteGaussian(8.7182453666059256, 2)), Count: 15},
	}, math.Exp(-15.588140370377822), false},
	{"the same, alone", []pairs.Part{
		{Pair: pairs.Subsample(0.0012864887951761249, pairs.DiscreteGaussian(5.6307306616311985, 2)), Count: 3},
	}, math.Exp(-64.411849981718902), false},
	{"the longest transform, of the direction that does not count, ended the search", []pairs.Part{
		{Pair: pairs.BoundedRange(0.043982987585026612), Count: 3},
		{Pair: pairs.Subsample(0.79436886953017805, pairs.Response(0.87481951051233564, 7)), Count: 3},
		{Pair: pairs.Subsample(0.0017035525606405521, pairs.DiscreteGaussian(0.39998860609675574, 1)), Count: 3},
		{Pair: pairs.Subsample(0.0020548030347393238, pairs.Approximate(0.28442540614455802, 1.2095200895830839e-18)), Count: 6},
	}, math.Exp(-37.118403331183956), true},
	{"no tilt suits both a list and a grid, next to the largest loss", []pairs.Part{
		{Pair: pairs.Pure(0.056600176280314378), Count: 5},
		{Pair: pairs.Subsample(0.0013480283356786568, pairs.BoundedRange(0.62253840010609451)), Count: 9},
	}, 2.97e-26, true},
	{"the same, in the direction that does not count", []pairs.Part{
		{Pair: pairs.Laplace(0.33199505151275027), Count: 3},
		{Pair: pairs.Subsample(0.58416922493110035, pairs.Approximate(0.6656564456496642, 1.2493061221211023e-28)), Count: 1},
	}, 3.954e-24, false},
	{"the same, between losses far apart", []pairs.Part{
		{Pair: pairs.Subsample(0.011879054465873255, pairs.Gaussian(0.13840081659248221)), Count: 2},
		{Pair: pairs.DiscreteGaussian(0.20559084264288838, 1), Count: 1},
		{Pair: pairs.Gaussian(0.16609060391193184), Count: 6},
	}, 6.293e-21, true},
	{"smoothing that took all of δ was left as it was where the width asked for is worth more than δ itself", []pairs.Part{
		{Pair: pairs.Subsample(0.014247519340571582, pairs.Gaussian(0.025264446872080029)), Count: 4865},
		{Pair: pairs.DiscreteLaplace(0.5402529197264313, 3), Count: 1},
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
	i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Subsample(1e-3, pairs.Gaussian(2)), Count: 100}},
		1e-30, Options{Width: 1e-6})
	if w := i.width(); err != nil || !(w <= 1e-6) {
		t.Errorf("[%.9g, %.9g] is %.2g wide: %s, %v", i.Lower, i.Upper, w, i.Note, err)
	}
}

// Pairs known between two faces only cannot be narrow, but their upper end must not be far
// off for want of a tilt. The truth is that of the slow route.
func TestFacesWithoutTilt(t *testing.T) {
	for _, c := range []struct {
		pair          pairs.Pair
		rounds, delta float64
		truth, most   float64
		once          float64 // the upper end that it had
	}{
		{pairs.Parallel([][]pairs.Part{
			{{Pair: pairs.Subsample(0.052596809769165545, pairs.DiscreteGaussian(12.725887317599458, 2)), Count: 1}},
			{{Pair: pairs.Response(0.87723449777624429, 9), Count: 1}},
			{{Pair: pairs.Subsample(0.029371409643812647, pairs.DiscreteGaussian(18.711589310585669, 2)), Count: 1}},
		}, false), 3, 7.461e-26, 2.6317, 2.64, 5.08},
		{pairs.Parallel([][]pairs.Part{
			{{Pair: pairs.Subsample(0.0015358157497512854, pairs.DiscreteGaussian(6.4085712632065057, 2)), Count: 1}, {Pair: pairs.Pure(0.15162251026832879), Count: 1}},
			{{Pair: pairs.Approximate(0.069144113040886232, 8.4781103092977771e-36), Count: 1}},
		}, true), 4, 1.271e-30, 0.9186, 0.95, 1.50},
	} {
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: c.pair, Count: c.rounds}},
			c.delta, Options{NoForm: true})
		if err != nil || !(i.Upper >= c.truth && i.Upper <= c.most) || i.Lower > c.truth+1e-3 {
			t.Errorf("[%.6g, %.6g], once up to %g; %v", i.Lower, i.Upper, c.once, err)
		}
	}
}

// Where nothing is known from above, what is attained is still composed from below.
func TestLowerEndsWithoutUpperOnes(t *testing.T) {
	parts := []pairs.Part{{Pair: pairs.Bracket(pairs.Approximate(0, 1), pairs.Laplace(1), "a test"), Count: 5}}
	known := []pairs.Part{{Pair: pairs.Laplace(1), Count: 5}}
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
