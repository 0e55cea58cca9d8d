package scenarios

import (
	"math"
	"testing"
)

// A cost in a note is never rounded below what it is.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{2, 2}, {12.7575, 12.76}, {12.7525, 12.76}, {8.28671, 8.287}, {8.28601, 8.287}, {9.9991, 10}, {1.0001e-7, 1.001e-7}, {math.MaxFloat64, math.MaxFloat64},
	} {
		if got := atLeast(c.x); math.Abs(got-c.want) > 1e-12*c.want || got < c.x {
			t.Errorf("atLeast(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}
