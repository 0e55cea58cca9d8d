// Package chart is what a chart of a scenario shows, as data without a place: the explorer
// draws it in braille, the command line as CSV, SVG or PNG. [Kinds] lists all there are; each
// is one file.
package chart

import (
	"math"
	"slices"

	"epsiloscope/report"
)

// Chart is the data behind one chart, independent of where it is drawn: the
// explorer draws it in braille, the command line writes it as CSV, SVG or PNG.
type Chart struct {
	Title   string
	Caption string // unit, δ and adjacency of the scenario; see [Chart.ForExport]
	X, Y    Axis
	Series  []Series
	Bars    []Bar  // a bar chart if non-empty; Series are then drawn over it
	Marks   []Mark // lines and points with a label
	Notes   []string
	// Read is the x at which a legend reads the curves if there is no crosshair: the present
	// value. Zero for none.
	Read float64
	// Rivals means that all series bound one quantity from above, or all from below: the tightest at
	// Read is the answer, and the others are shown for comparison.
	Rivals bool
	// Winner names the series that is the answer among rivals that are equal at Read: that of the best bound. "" for
	// none.
	Winner string
	// Focus, if above 0, is the end of the horizontal axis until the whole chart is asked for.
	Focus float64
	// Whole means that every point sets the vertical scale, also those that [Chart.SetsScale] leaves out.
	Whole bool
	// Pending means that a better curve is still being computed: until it is there, no bound is the answer.
	Pending bool
	// Selected names the series that the reader has selected; it is always drawn. "" for none.
	Selected string
	// Square means that both axes show the same quantity, and one unit has the same length on both.
	Square bool
}

// WithoutFocus returns the chart with axes that show all of its data.
func (c Chart) WithoutFocus() Chart {
	c.Focus, c.Whole = 0, true
	return c
}

// LeavesOut reports whether the axes leave out some of the data because it does not decide.
func (c Chart) LeavesOut() bool {
	decides := c.SetsScale()
	for i, s := range c.Series {
		for k := range min(len(s.X), len(s.Y)) {
			if c.Focus > 0 && s.X[k] > c.Focus || !math.IsNaN(s.Y[k]) && !s.Other && !s.Rough && !decides(i, k) {
				return true
			}
		}
	}
	return false
}

// Axis describes an axis of a chart. The data decide how far it reaches if Min and Max are equal, as in one
// left at its zero value, and at an end that is NaN.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64
	Names    []string // of 1, 2, 3 …, in ASCII: ticks stand on whole numbers and have these names
	Days     bool     // the names are days: one that the tick before has is not written again
	Upper    bool     // values are upper bounds: readings are rounded up
	Lower    bool     // lower bounds: they are rounded down
}

// Series is a curve. Non-finite points are gaps.
type Series struct {
	Name   string
	X, Y   []float64
	Step   bool // drawn as steps or spikes (discrete distributions)
	Faint  bool // drawn in the background
	Broken bool // drawn in dashes, so that a curve it nearly covers shows between them
	Rough  bool // an approximation, which may lie below the truth
	Upper  bool // upper bounds, on an axis of other values
	// what an attack reaches, or the other end of certified intervals: rounded the other way than bounds, and not a
	// bound
	Attack bool
	Other  bool // another quantity than the rest: not a bound on theirs
	Pair   bool // one of two distributions that an attacker tries to tell apart
	Area   bool // the area below it is filled
	Stems  bool // drawn as a vertical line from zero to each point: masses of single values
	Shade  bool // the area between it and the best of the others is filled
	Look   int  // colour and mark, from 1, the same in every chart; 0: by its place in this one
}

// Looks returns the colours and marks of the series, from 0: its own if a series has one, else the
// first that no series before it and none with a look of its own has.
func (c Chart) Looks() []int {
	looks, taken, next := make([]int, len(c.Series)), map[int]bool{}, 0
	for _, s := range c.Series {
		taken[s.Look-1] = true
	}
	for i, s := range c.Series {
		if looks[i] = s.Look - 1; s.Look == 0 {
			for taken[next] {
				next++
			}
			looks[i] = next
			next++
		}
	}
	return looks
}

// IsSelected reports whether the reader has selected a series.
func (c *Chart) IsSelected(series int) bool {
	return c.Selected != "" && c.Series[series].Name == c.Selected
}

// Order returns the order in which the series are drawn: faint ones first, below the others.
func (c Chart) Order() (order []int) {
	for _, faint := range []bool{true, false} {
		for i, s := range c.Series {
			if s.Faint == faint {
				order = append(order, i)
			}
		}
	}
	return order
}

// ReadingAxis returns the axis on which the values of a series are read off.
func (c Chart) ReadingAxis(series int) Axis {
	c.Y.Upper = c.Y.Upper || c.Series[series].Upper
	if c.Series[series].Attack {
		c.Y.Upper, c.Y.Lower = c.Y.Lower, c.Y.Upper
	}
	return c.Y
}

// Bar is a bar of a bar chart.
type Bar struct {
	Label string
	Value float64
	Best  bool // drawn in the accent colour
	// Detail stands in brackets behind the label in pictures: the score of a candidate. It may be "".
	Detail string
}

// Caption returns the label of a bar with its detail.
func (b Bar) Caption() string {
	if b.Detail == "" {
		return b.Label
	}
	return b.Label + " (" + b.Detail + ")"
}

// Mark is a vertical line (X set), a horizontal one (Y set) or a point (both); the
// unset coordinate is NaN.
type Mark struct {
	X, Y  float64
	Label string
	Alert bool
	// Cross names two series that change places at X: a ring is drawn where their lines meet.
	Cross [2]string
	// Answer means that the point is the answer that stands beside the chart: a ring in the colour of the best bound.
	Answer bool
}

// WithoutAnswer returns the chart without the ring of the answer.
func (c Chart) WithoutAnswer() Chart {
	c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool { return m.Answer })
	return c
}

// Vertical returns a line at x.
func Vertical(x float64, label string) Mark { return Mark{X: x, Y: unset, Label: label} }

// Horizontal returns a horizontal mark at y.
func Horizontal(y float64, label string) Mark { return Mark{X: unset, Y: y, Label: label} }

// MarkBudget draws a budget as a line across, if there is one.
func (c *Chart) MarkBudget(epsilon float64) {
	if epsilon > 0 {
		c.Marks = append(c.Marks, Mark{X: unset, Y: epsilon, Label: "budget " + report.FormatGiven(epsilon), Alert: true})
	}
}

// unset marks a coordinate or an end of an axis that has no value.
var unset = math.NaN()
