package accounting

import (
	"math"
	"testing"
)

func TestFitsForgivesRoundingOnly(t *testing.T) {
	sum := 0.0
	for _, x := range []float64{0.168, 0.37, 1.1, 0.042} {
		sum += x
	}
	if sum <= 1.68 {
		t.Fatal("the sum is not rounded up: this test says nothing")
	}
	for _, c := range []struct {
		epsilon, budget float64
		status          Status
		want            bool
	}{
		{sum, 1.68, Valid, true},
		{3 * 0.1, 0.3, Valid, true},
		{1.0000001, 1, Valid, false},
		{math.Inf(1), 1, Valid, false},
		{math.NaN(), 1, Valid, false},
		{0.5, 1, Unproven, false},
		{0.5, 1, NotApplicable, false},
	} {
		b := Bound{Method: Basic, Status: c.status, Epsilon: c.epsilon}
		if got := b.Fits(c.budget); got != c.want {
			t.Errorf("%v (%s) in a budget of %v: fits is %t", c.epsilon, c.status, c.budget, got)
		}
	}
}
