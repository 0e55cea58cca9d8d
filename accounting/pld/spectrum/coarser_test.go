package spectrum

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/internal/gauge"
)

// At a small tilt a plan of many frequencies smooths more. δ is then still as narrow as it was asked for, and the
// interval overlaps one of a hundredth of the width (a tenth in the quick form).
func TestManyFrequenciesAreSmoothedMore(t *testing.T) {
	ctx := context.Background()
	stack := Stack{Lines: []Line{
		{Key: "a", Loss: loss.Laplace(0.7373), Count: 12}, {Key: "b", Loss: loss.Laplace(1), Count: 6},
		{Key: "c", Loss: loss.Laplace(0.0625), Count: 4}, {Key: "d", Loss: loss.Laplace(1.5), Count: 1},
	}}
	const width = 1e-5
	r := stack.Reader()
	r.width = width
	short := r.stack.truncate(ctx, 1e-15)
	usual, ok := short.choose(aim(-10, 0, width, 0))
	if !ok || usual.frequencies() < manyFrequencies {
		t.Fatalf("the usual plan has %v frequencies: this test needs many", usual.frequencies())
	}
	plan, _, ok, err := r.planAt(ctx, 0)
	if err != nil || !ok || plan.frequencies() > usual.frequencies()/3 {
		t.Errorf("the plan has %v frequencies, the usual one %v: %v", plan.frequencies(), usual.frequencies(), err)
	}
	lower, upper, err := stack.Deltas(ctx, []float64{0}, width)
	if err != nil || upper[0] > lower[0]*(1+10*width) {
		t.Fatalf("δ(0) in [%v, %v]: %v", lower, upper, err)
	}
	least, most, err := stack.Deltas(ctx, []float64{0}, width/float64(gauge.Cases(10, 100)))
	if err != nil || most[0] < lower[0] || least[0] > upper[0] {
		t.Errorf("δ(0) in [%v, %v] and in [%v, %v]: %v", lower, upper, least, most, err)
	}
}
