package labsview

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/report/chart"
)

// A chart grows from left to right on the axes of the whole.
func TestGrown(t *testing.T) {
	nan := math.NaN()
	c := chart.Chart{
		X: chart.Axis{Min: nan, Max: nan}, Y: chart.Axis{Min: nan, Max: nan},
		Series: []chart.Series{{X: []float64{0, 1, 2, 3, 4}, Y: []float64{5, 1, 2, 9, 0}}},
		Bars:   []chart.Bar{{Value: 3}, {Value: 4}},
	}
	half := leftPart(c, 0.5)
	if y := half.Series[0].Y; y[2] != 2 || !math.IsNaN(y[3]) || c.Series[0].Y[3] != 9 {
		t.Errorf("half of it is %v, of %v", y, c.Series[0].Y)
	}
	bars := half.Bars
	if half.X.Max != 4 || half.Y.Max != 9 || bars[0].Value != 3 || bars[1].Value != 0 || c.Bars[1].Value != 4 {
		t.Errorf("%+v", half)
	}
	if all := leftPart(c, 1); !math.IsNaN(all.X.Max) || all.Bars[1].Value != 4 {
		t.Errorf("%+v", all)
	}
}

// A run can be stepped through and played; another lab is whole again.
func TestLabIsPlayed(t *testing.T) {
	on, _, l := open(t, 120, 34)
	on.Press("enter", "labs.step", "labs.step", "labs.step", "labs.step-back")
	if view := on.View(); l.playback.at != 2 || !strings.Contains(view, "Step 2 of 100") || !strings.Contains(view, "Repeat 2:") {
		t.Errorf("at %d:\n%s", l.playback.at, view)
	}
	on.Press("labs.pace", " ") // nobody is in a hurry here: it plays to the end at once
	if l.playback.at != 100 || l.playback.job.Busy || !strings.Contains(on.View(), "Repeat 100:") {
		t.Errorf("played to %d", l.playback.at)
	}
	on.Press("esc")
	if l.playback.on || len(on.Left) > 0 || strings.Contains(on.View(), "Repeat ") {
		t.Error("esc did not show the run as a whole")
	}
	on.Press("labs.step-back")
	if l.playback.at != 100 {
		t.Errorf("a step back from the whole leads to %d", l.playback.at)
	}
	on.Press("labs.step", "labs.next-chart")
	if l.playback.on {
		t.Error("another chart is not whole")
	}
}

// A lab without steps of its own lets its chart grow.
func TestChartGrowsWithoutSteps(t *testing.T) {
	on, _, l := open(t, 120, 34)
	l.Choose("laplace-vs-exponential")
	on.Run(l.Refresh())
	for range 2 * frames {
		on.Press("labs.step")
		on.View()
	}
	if view := on.View(); l.playback.at != frames || !strings.Contains(view, "Step 40 of 40") {
		t.Errorf("at %d:\n%s", l.playback.at, view)
	}
}

// n goes from one paid step to the next, and stays at the last.
func TestSkipToWhatIsPaidFor(t *testing.T) {
	on, sh, l := open(t, 120, 34)
	l.Choose("sparse-vector")
	on.Run(l.Refresh())
	for i := range 5 {
		on.Press("labs.next-paid")
		if view := on.View(); !strings.Contains(view, "⊤: the noisy value is above") {
			t.Errorf("paid step %d:\n%s", i+1, view)
		}
	}
	at := l.playback.at
	if on.Press("labs.next-paid"); l.playback.at != at || !strings.Contains(sh.Status.Text, "no step") {
		t.Errorf("there is no sixth, and it went to %d", l.playback.at)
	}
	for _, size := range [][2]int{{60, 16}, {80, 22}, {200, 53}} {
		on.Size(size[0], size[1])
		on.View()
	}
}

// A lab that is shown or chosen runs by itself, once.
func TestLabShowsSomethingFirst(t *testing.T) {
	on, _, l := open(t, 120, 34)
	l.OnShow()
	on.Run(l.Refresh())
	if l.currentLab().run == nil || l.Refresh() != nil {
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
