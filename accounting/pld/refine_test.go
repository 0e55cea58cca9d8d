package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// The stack is as bad as its worse direction, and a direction that cannot be the worse
// one is not looked at again.
func TestDirections(t *testing.T) {
	q := query{quantity: epsilonAt{}, at: []float64{1e-6}, width: 1e-2, noForm: true}
	stack, err := enclose(context.Background(), []pairs.Part{{Pair: sgd(0.01, 0.7), Count: 3}}, q)
	if err != nil || len(stack) != 2 {
		t.Fatalf("%d directions, %v", len(stack), err)
	}
	if i := stack.intervalAt(0); !math.IsInf(i.Upper, 1) || i.Lower != 0 {
		t.Errorf("of nothing known: [%g, %g]", i.Lower, i.Upper)
	}
	worse, better := stack[0], stack[1]
	worse.known[0].Interval = Interval{Lower: 1.5, Upper: 1.9}
	better.known[0].Interval = Interval{Lower: 0.1, Upper: 0.2, Step: 7}
	if err := stack.ask(context.Background(), q, bySpectrum); err != nil {
		t.Fatal(err)
	}
	if better.known[0].Interval != (Interval{Lower: 0.1, Upper: 0.2, Step: 7}) {
		t.Errorf("the better direction was evaluated: %+v", better.known[0])
	}
	if i := stack.intervalAt(0); i.Direction != worse.name || i.Lower < 1.5 || i.Upper > 1.9 {
		t.Errorf("[%g, %g], %s", i.Lower, i.Upper, i.Direction)
	}
}

// Of two pairs of ends of one direction the better of each is kept.
func TestEndsMeet(t *testing.T) {
	a, b := Interval{Lower: 1, Upper: 3, Step: 1}, Interval{Lower: 2, Upper: 4, Step: 2}
	for _, order := range [][2]Interval{{a, b}, {b, a}} {
		got, err := order[0].meet(order[1], 1e-12)
		if err != nil || got.Lower != 2 || got.Upper != 3 || got.Step != 1 {
			t.Errorf("%+v", got)
		}
	}
	near := func(i Interval, least float64) bool {
		return query{quantity: epsilonAt{}, at: nil, width: 0.1}.narrow(i.withLower(least))
	}
	if near(a, 0) || !near(a, 2.9) || !near(Interval{Lower: 2.9, Upper: 3}, 0) {
		t.Error("near is the lower end of the direction or of the stack")
	}
}

// What is not a number says nothing.
func TestNoNumberSaysNothing(t *testing.T) {
	a := Interval{Lower: 1, Upper: 3}
	for _, nan := range []Interval{{Lower: math.NaN(), Upper: 2}, {Lower: 2, Upper: math.NaN()}} {
		if got, err := a.meet(nan, 1e-12); got != a || err != nil {
			t.Errorf("%+v", got)
		}
	}
}
