package scale

import (
	"testing"

	"epsiloscope/report/chart"
)

// Of curves that round-off alone tells apart, the one that the answer names is the best; a smaller one beats it.
func TestTiesGoToTheWinner(t *testing.T) {
	for _, lower := range []bool{false, true} {
		for by, want := range map[float64]int{0: 0, 1e-15: 0, -1e-15: 0, 1e-13: 0, -1e-13: 0, 1e-9: 1} {
			other := 0.75 * (1 - by)
			if lower {
				other = 0.75 * (1 + by)
			}
			c := chart.Chart{Rivals: true, Winner: "answer", Read: 1, Y: chart.Axis{Lower: lower}, Series: []chart.Series{
				{Name: "answer", X: []float64{1, 2}, Y: []float64{0.75, 0.75}},
				{Name: "other", X: []float64{1, 2}, Y: []float64{other, other}},
				{Name: "approximation", X: []float64{1, 2}, Y: []float64{0.1, 0.1}, Rough: true},
			}}
			v := NewCurves(c, New(1, 2, false), New(0, 1, false), make([][][]Point, 3), 100)
			if got := v.Rank().Best; got != want {
				t.Errorf("lower %t: with the other %g away the best is %d, want %d", lower, by, got, want)
			}
		}
	}
}

// A lower bound that says nothing at the reading is not the best because of that.
func TestABoundWithoutAValueIsNotTheBest(t *testing.T) {
	for _, lower := range []bool{false, true} {
		c := chart.Chart{Rivals: true, Read: 1, Y: chart.Axis{Lower: lower}, Series: []chart.Series{
			{Name: "known", X: []float64{1, 2}, Y: []float64{0.5, 0.5}},
			{Name: "later", X: []float64{1.5, 2}, Y: []float64{0.5, 0.5}},
		}}
		v := NewCurves(c, New(1, 2, false), New(0, 1, false), make([][][]Point, 2), 100)
		if got := v.Rank(); got.Best != 0 || got.Order[0] != 0 {
			t.Errorf("lower %t: the best is %d, the order %v", lower, got.Best, got.Order)
		}
	}
}
