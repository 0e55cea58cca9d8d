package accounting

import (
	"context"
	"fmt"
	"math"
	"testing"
)

// A selection whose losses span little has the lesser of two curves; what says nothing that can be is refused; and no
// certificate may take its pair for the selection itself.
func TestAttackedSelection(t *testing.T) {
	attacks := []Attack{{P: 0.6, Q: 0.4}, {P: 0.3, Q: 0.15}}
	with := func(span float64, attacks []Attack) Release {
		return AttackedSelection(PureDP(1), PureDP(0.3), span, fmt.Sprint(attacks),
			func() []Attack { return attacks }, "not tight")
	}
	for _, span := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, _, err := with(span, attacks).Approximate(); err == nil {
			t.Errorf("a span of %v was accepted", span)
		}
	}
	for what, r := range map[string]Release{
		"attacks without a name, for which others could be taken": AttackedSelection(PureDP(1), PureDP(0.3), 1, "", func() []Attack { return attacks }, "not tight"),
		"attacks without a note":                                  AttackedSelection(PureDP(1), PureDP(0.3), 1, "some", func() []Attack { return attacks }, ""),
		"a dominated selection without a note":                    DominatedSelection(PureDP(1), PureDP(0.3), ""),
	} {
		if _, _, err := r.Approximate(); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	useless := []Attack{{P: 0.4, Q: 0.6}, {P: 1, Q: 0.5}, {P: 0.5}, {P: math.NaN(), Q: 0.5}, {}}
	if b := Evaluate(context.Background(), Numerical, []Entry{{with(0, useless), 3}},
		Target{Delta: 1e-4}); b.Lower > 0.9 || !(b.Epsilon > 2) {
		t.Errorf("attacks that cannot be: [%v, %v]", b.Lower, b.Epsilon)
	}
	spanned, plain := with(1, attacks), with(0, attacks)
	if KeyOf(spanned) == KeyOf(plain) || KeyOf(plain) == KeyOf(with(0, attacks[:1])) {
		t.Error("different selections are folded")
	}
	for _, alpha := range []float64{1, 2, 50} {
		less, _ := spanned.Renyi(alpha)
		more, _ := plain.Renyi(alpha)
		if range1, _ := BoundedRangeDP(1).Renyi(alpha); less != math.Min(range1, more) {
			t.Errorf("D_%v = %v, of a span of 1 %v, of ε-DP %v", alpha, less, range1, more)
		}
	}
	if AttainsPair(spanned) || AttainsPair(Subsample(WithName(plain, "pick"), 0.1)) || !AttainsPair(PureDP(1)) ||
		!AttainsPair(BoundedRangeDP(1)) {
		t.Error("a selection attains the pair that dominates it only if nothing else is said")
	}
	for _, count := range []float64{1, 3, 40, 5000} {
		var ends [2]Bound
		for i, r := range []Release{spanned, plain} {
			ends[i] = Evaluate(context.Background(), Numerical, []Entry{{r, count}}, Target{Delta: 1e-4})
			if b := ends[i]; b.Status != Valid || !(b.Lower > 0 && b.Lower <= b.Epsilon) {
				t.Errorf("%v times: [%v, %v] %s", count, b.Lower, b.Epsilon, b.Note)
			}
		}
		if ends[0].Epsilon > ends[1].Epsilon*(1+1e-9) {
			t.Errorf("%v times: %v with a span of 1, %v without", count, ends[0].Epsilon, ends[1].Epsilon)
		}
	}
}
