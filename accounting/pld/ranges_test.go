package pld

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The recursion of Dong, Durfee & Rogers 2020, bracketed by an independent program; 2 × 1 by
// direct maximisation. The intervals must meet, and the width be what a tenth of a second buys.
func TestAdaptiveRangeFigures(t *testing.T) {
	for _, c := range []struct{ epsilon, count, low, high, width float64 }{
		{0.1, 10, 0.634169548, 0.634199886, 1e-4},
		{1, 10, 7.716305769, 7.716790436, 1e-4},
		{0.1, 100, 2.250809437, 2.251392543, 3e-4},
		{0.5, 50, 9.37539, 9.37717, 2e-4},
		{1, 100, 34.844, 34.962, 5e-4},
		{1, 2, 1.977821839, 1.977821839, 2e-3},
	} {
		pair, ok := pairs.AdaptiveRange(c.epsilon, c.count, 1e-4)
		if !ok {
			t.Errorf("%v × %v: refused", c.count, c.epsilon)
			continue
		}
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pair, Count: 1}}, 1e-6, Options{})
		if err != nil || i.Upper < c.low || i.Lower > c.high || i.Upper-i.Lower > c.width*i.Upper {
			t.Errorf("%v × %v: %v to %v, %v; want %v to %v", c.count, c.epsilon, i.Lower, i.Upper, err, c.low, c.high)
		}
	}
}

// The bound is worth its work: below what the pair of one release says of many.
func TestAdaptiveRangeBeatsTheLogisticPair(t *testing.T) {
	for _, c := range gauge.Some(2, []struct{ epsilon, count float64 }{{0.1, 30}, {0.1, 1000}, {1, 20}}) {
		pair, ok := pairs.AdaptiveRange(c.epsilon, c.count, 1e-4)
		if !ok {
			t.Fatal("refused")
		}
		all, err := Epsilon(context.Background(), []pairs.Part{{Pair: pair, Count: 1}}, 1e-6, Options{})
		each, err2 := Epsilon(context.Background(),
			[]pairs.Part{{Pair: pairs.BoundedRange(c.epsilon), Count: c.count}}, 1e-6, Options{})
		if err != nil || err2 != nil || !(all.Upper < 0.99*each.Lower) {
			t.Errorf("%v × %v: %v together, %v one by one", c.count, c.epsilon, all.Upper, each.Lower)
		}
	}
}

// Who moves last aims by what the others gave. For two kinds of selections and Gaussian noise
// the ends come close; who plays the same throughout does worse.
func TestAdaptiveRangeAmongOthers(t *testing.T) {
	rest := []pairs.Part{{Pair: pairs.Laplace(0.1), Count: 20}, {Pair: pairs.Gaussian(1. / 40), Count: 100}}
	pair, _ := pairs.AdaptiveRange(0.1, 12, 1e-4)
	i, err := Epsilon(context.Background(), append(rest, pairs.Part{Pair: pair, Count: 1}), 1e-6, Options{})
	if err != nil || i.Lower > i.Upper || i.Upper-i.Lower > 3e-4*i.Upper {
		t.Errorf("[%v, %v], %v", i.Lower, i.Upper, err)
	}
	steady, _ := pairs.AdaptiveRangeAt(0.2, 0.3, 5, 1e-4)
	i, err = Epsilon(context.Background(),
		append(rest, pairs.Part{Pair: pair, Count: 1}, pairs.Part{Pair: steady, Count: 1}), 1e-6, Options{})
	if err != nil || i.Lower > i.Upper || i.Upper-i.Lower > 0.02*i.Upper {
		t.Errorf("[%v, %v], %v", i.Lower, i.Upper, err)
	}
}

// Binomial sums over one common t, by an independent program (Dong, Durfee & Rogers 2020).
func TestFixedRangeFigures(t *testing.T) {
	for _, c := range []struct{ epsilon, count, want float64 }{
		{0.1, 10, 0.628636839}, {1, 10, 7.713316341}, {0.1, 100, 2.24602621}, {0.5, 50, 9.34110}, {1, 2, 1.977821839},
	} {
		pair, ok := pairs.FixedRange(c.epsilon, c.count)
		if !ok {
			t.Fatal("refused")
		}
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: pair, Count: 1}}, 1e-6, Options{})
		if err != nil || i.Upper < c.want*(1-1e-6) || i.Upper > c.want*(1+3e-4) || i.Lower > c.want*(1+1e-6) ||
			i.Lower < c.want*(1-5e-4) {
			t.Errorf("%v × %v: %v to %v, %v; want %v", c.count, c.epsilon, i.Lower, i.Upper, err, c.want)
		}
	}
}
