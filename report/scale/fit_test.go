package scale

import (
	"math"
	"testing"

	"epsiloscope/report/chart"
)

var auto = chart.Axis{Min: math.NaN(), Max: math.NaN()}

func plotted(log bool, ys ...float64) chart.Chart {
	c := chart.Chart{X: auto, Y: auto}
	c.Y.Log = log
	s := chart.Series{}
	for i, y := range ys {
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, y)
	}
	c.Series = []chart.Series{s}
	return c
}

func TestFitY(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	budget := func(c chart.Chart, y float64) chart.Chart {
		c.Marks = []chart.Mark{{X: nan, Y: y, Label: "budget"}}
		return c
	}
	fixedTop := plotted(false, 1, 500)
	fixedTop.Y.Max = 30
	for _, c := range []struct {
		name   string
		c      chart.Chart
		lo, hi float64
	}{
		{"amounts start at zero", plotted(false, 1, 7.3), 0, 8},
		{"close values do not", plotted(false, 100, 101), 100, 101},
		{"non-finite values do not count", plotted(false, 0, 4, inf, -inf, nan), 0, 4},
		{"log ends at 1, 2, 5", plotted(true, 0.13, 66), 0.1, 100},
		{"log ignores zero", plotted(true, 0, 1, 10), 1, 10},
		{"a mark nearby is shown", budget(plotted(false, 0, 4), 6), 0, 6},
		{"a mark far away is not", budget(plotted(false, 0, 4), 600), 0, 4},
		{"a fixed end stays", fixedTop, 0, 30},
		{"a constant is spread", plotted(false, 5, 5), 4.4, 5.6},
		{"nothing at all", plotted(false), 0, 1},
		{"the zero axis is unset", chart.Chart{Series: []chart.Series{{X: []float64{0, 1}, Y: []float64{0, 4}}}}, 0, 4},
	} {
		_, y := Fit(c.c)
		if math.Abs(y.Min-c.lo) > 1e-9 || math.Abs(y.Max-c.hi) > 1e-9 {
			t.Errorf("%s: %g to %g, want %g to %g", c.name, y.Min, y.Max, c.lo, c.hi)
		}
	}
}

// A zoomed picture fits the height of what it shows.
func TestFitYFollowsX(t *testing.T) {
	c := plotted(false, 0, 1, 2, 3, 4, 100)
	if y := FitY(c, New(0, 4, false)); y.Max != 4 {
		t.Errorf("top is %g, want 4", y.Max)
	}
	if y := FitY(c, New(1.2, 1.8, false)); y.Max < 4 {
		t.Errorf("between two points the top is %g: nothing to see", y.Max)
	}
}

// Entries and counts are whole: no tick stands at half of one, and the last step of
// a ledger has some width.
func TestFitXOfSteps(t *testing.T) {
	c := plotted(false, 0, 2, 5, 6)
	c.Series[0].Step = true
	x := FitX(c)
	if !x.Whole || x.Max != 3.5 {
		t.Errorf("steps of four entries on %+v", x)
	}
	c.X.Max = 3 // the last entry: its step must still be seen
	if got := FitX(c).Max; got != 3.5 {
		t.Errorf("an axis up to the last entry ends at %g", got)
	}
	for _, k := range x.Ticks(12) {
		if k.Value != math.Trunc(k.Value) {
			t.Errorf("tick at %s", k.Label)
		}
	}
	if got := len(x.Window(0.1, 0.2).Ticks(3)); got == 0 {
		t.Error("no tick left between two entries")
	}
}

func TestFitBars(t *testing.T) {
	c := chart.Chart{Y: auto, Bars: []chart.Bar{{Value: 3}, {Value: math.NaN()}, {Value: 12}}}
	if y := FitBars(c); y.Min != 0 || y.Max != 12 {
		t.Errorf("bars from %g to %g, want 0 to 12", y.Min, y.Max)
	}
	c.Y.Log = true
	if y := FitBars(c); y.Min >= 3 {
		t.Errorf("log bars start at %g: the shortest would vanish", y.Min)
	}
}
