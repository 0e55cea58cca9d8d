package pld

import (
	"context"
	"math"
	"testing"
)

// The stack is as bad as its worse direction, and a direction that cannot be the worse
// one is not looked at again.
func TestStanding(t *testing.T) {
	directions, err := new(Accountant).directions([]Part{{sgd(0.01, 0.7), 3}}, true)
	if err != nil || len(directions) != 2 {
		t.Fatalf("%d directions, %v", len(directions), err)
	}
	k := newStanding(directions)
	if i := k.interval(); !math.IsInf(i.Upper, 1) || i.Lower != 0 {
		t.Errorf("of nothing known: [%g, %g]", i.Lower, i.Upper)
	}
	k.ends[0] = ends{lower: 0.3, upper: 0.4}
	k.ends[1] = ends{lower: 0.1, upper: 0.2, step: 7}
	if _, err := k.spectral(context.Background(), 1e-6, 1e-2); err != nil {
		t.Fatal(err)
	}
	if k.ends[1] != (ends{lower: 0.1, upper: 0.2, step: 7}) {
		t.Errorf("the better direction was evaluated: %+v", k.ends[1])
	}
	if i := k.interval(); i.Direction != directions[0].name || i.Lower < 0.3 || i.Upper > 0.4 {
		t.Errorf("[%g, %g], %s", i.Lower, i.Upper, i.Direction)
	}
}

// Of two pairs of ends of one direction the better of each is kept.
func TestEndsMeet(t *testing.T) {
	a, b := ends{lower: 1, upper: 3, step: 1}, ends{lower: 2, upper: 4, step: 2}
	for _, got := range []ends{a.meet(b), b.meet(a)} {
		if got.lower != 2 || got.upper != 3 || got.step != 1 {
			t.Errorf("%+v", got)
		}
	}
	if a.near(0, 0.1) || !a.near(2.9, 0.1) || !(ends{lower: 2.9, upper: 3}).near(0, 0.1) {
		t.Error("near is the lower end of the direction or of the stack")
	}
}
