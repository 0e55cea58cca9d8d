package pld

import (
	"context"
	"math"
	"testing"
)

// The stack is as bad as its worse direction, and a direction that cannot be the worse
// one is not looked at again.
func TestDirections(t *testing.T) {
	directions, err := directionsOf(context.Background(), []Part{{sgd(0.01, 0.7), 3}}, true)
	if err != nil || len(directions) != 2 {
		t.Fatalf("%d directions, %v", len(directions), err)
	}
	if i := directions.interval(); !math.IsInf(i.Upper, 1) || i.Lower != 0 {
		t.Errorf("of nothing known: [%g, %g]", i.Lower, i.Upper)
	}
	directions[0].known = Interval{Lower: 1.5, Upper: 1.9}
	directions[1].known = Interval{Lower: 0.1, Upper: 0.2, Step: 7}
	if _, err := directions.spectral(context.Background(), 1e-6, 1e-2); err != nil {
		t.Fatal(err)
	}
	if directions[1].known != (Interval{Lower: 0.1, Upper: 0.2, Step: 7}) {
		t.Errorf("the better direction was evaluated: %+v", directions[1].known)
	}
	if i := directions.interval(); i.Direction != directions[0].name || i.Lower < 1.5 || i.Upper > 1.9 {
		t.Errorf("[%g, %g], %s", i.Lower, i.Upper, i.Direction)
	}
}

// Of two pairs of ends of one direction the better of each is kept.
func TestEndsMeet(t *testing.T) {
	a, b := Interval{Lower: 1, Upper: 3, Step: 1}, Interval{Lower: 2, Upper: 4, Step: 2}
	for _, got := range []Interval{a.meet(b), b.meet(a)} {
		if got.Lower != 2 || got.Upper != 3 || got.Step != 1 {
			t.Errorf("%+v", got)
		}
	}
	if a.near(0, 0.1) || !a.near(2.9, 0.1) || !(Interval{Lower: 2.9, Upper: 3}).near(0, 0.1) {
		t.Error("near is the lower end of the direction or of the stack")
	}
}
