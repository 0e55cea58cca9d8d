package pld

import "testing"

// Intervals that overlap meet; of two that contradict each other neither end is believed
// beyond the other: an upper end that may be wrong must not win by being smaller.
func TestMeet(t *testing.T) {
	for _, c := range []struct{ i, j, want [2]float64 }{
		{[2]float64{1, 3}, [2]float64{2, 4}, [2]float64{2, 3}},
		{[2]float64{1, 2}, [2]float64{3, 4}, [2]float64{1, 4}},
		{[2]float64{3, 4}, [2]float64{1, 2}, [2]float64{1, 4}},
		{[2]float64{1, 2}, [2]float64{2 + 1e-12, 3}, [2]float64{2 + 1e-12, 2 + 1e-12}},
	} {
		got := Interval{Lower: c.i[0], Upper: c.i[1]}.meet(Interval{Lower: c.j[0], Upper: c.j[1]})
		if got.Lower != c.want[0] || got.Upper != c.want[1] {
			t.Errorf("%v meets %v: [%v, %v], want %v", c.i, c.j, got.Lower, got.Upper, c.want)
		}
	}
}
