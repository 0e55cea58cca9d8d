package labs

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/scenarios/report/chart"
)

// A chart grows from left to right on the axes of the whole.
func TestGrown(t *testing.T) {
	nan := math.NaN()
	c := chart.Chart{
		X: chart.Axis{Min: nan, Max: nan}, Y: chart.Axis{Min: nan, Max: nan},
		Series: []chart.Series{{X: []float64{0, 1, 2, 3, 4}, Y: []float64{5, 1, 2, 9, 0}}},
		Bars:   []chart.Bar{{Value: 3}, {Value: 4}},
	}
	half := grown(c, 0.5)
	if y := half.Series[0].Y; y[2] != 2 || !math.IsNaN(y[3]) || c.Series[0].Y[3] != 9 {
		t.Errorf("half of it is %v, of %v", y, c.Series[0].Y)
	}
	if half.X.Max != 4 || half.Y.Max != 9 || half.Bars[0].Value != 3 || half.Bars[1].Value != 0 || c.Bars[1].Value != 4 {
		t.Errorf("%+v", half)
	}
	if all := grown(c, 1); !math.IsNaN(all.X.Max) || all.Bars[1].Value != 4 {
		t.Errorf("%+v", all)
	}
}

// A run can be stepped through and played; another lab is whole again.
func TestLabIsPlayed(t *testing.T) {
	on, _, l := open(t, 120, 34)
	on.Press("enter", ".", ".", ".", ",")
	if view := on.View(); l.reel.at != 2 || !strings.Contains(view, "step 2 of 40") {
		t.Errorf("at %d:\n%s", l.reel.at, view)
	}
	on.Press("v", " ") // nobody is in a hurry here: it plays to the end at once
	if l.reel.at != frames || l.reel.job.Busy {
		t.Errorf("played to %d", l.reel.at)
	}
	for range 2 * frames {
		on.Press(".")
		on.View()
	}
	on.Press(".", "c")
	if l.reel.at != frames {
		t.Error("another chart is not whole")
	}
}

// A lab that is shown or chosen runs by itself, once.
func TestLabShowsSomethingFirst(t *testing.T) {
	on, _, l := open(t, 120, 34)
	l.Shown()
	on.Run(l.Refresh())
	if l.now().run.Outcome == nil || l.Refresh() != nil {
		t.Error("the lab that stands there was not run, or twice")
	}
	on.Press("down")
	if !l.wanted {
		t.Error("the next lab does not run by itself")
	}
	if view := on.View(); !strings.Contains(view, l.labs[0].Title[:10]) {
		t.Errorf("the list has no titles:\n%s", view)
	}
}
