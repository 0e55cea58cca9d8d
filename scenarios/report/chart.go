// Package report puts an evaluated scenario into words, tables and charts. The
// command line and the explorer print what this package returns, so a number that
// appears twice is computed once.
//
// Start with [Table], [JSON], [CSV] and [Markdown], which write a [scenarios.Result], and
// with [Figure] and [Upper], which write its numbers. [Explain] and [NewStatement] put it
// into words, [NewPerson] says what it means for somebody in the data, and [Kinds] lists
// the charts: each builds a [Chart], data without a place, which package draw and the
// explorer turn into pictures. Other answers, such as a plan or a split, are a [Sheet] that
// knows every output format.
package report

import "time"

// Chart is the data behind one chart, independent of where it is drawn: the
// explorer draws it in braille, the command line writes it as CSV, SVG or PNG.
type Chart struct {
	Title   string
	Caption string // what a picture says of its scenario; see [Chart.About]
	X, Y    Axis
	Series  []Series
	Bars    []Bar  // a bar chart if non-empty; Series are then drawn over it
	Marks   []Mark // lines and points with a label
	Notes   []string
	// Read is the x at which a legend reads the curves off while nobody points at
	// another: what is set at present. Zero for none.
	Read float64
}

// Axis is one axis. Min and Max are NaN where the data decide.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64
	Upper    bool // values are upper bounds: whoever reads one off rounds it up
	// Since, if set, makes the values days after it: they are shown as dates, in UTC.
	Since time.Time
}

// Series is one curve. Non-finite points are gaps.
type Series struct {
	Name   string
	X, Y   []float64
	Step   bool // drawn as steps or spikes (discrete distributions)
	Faint  bool // drawn in the background
	Broken bool // drawn in dashes, so that a curve it nearly covers shows between them
	Look   int  // colour and mark, from 1, the same in every chart; 0: by its place in this one
}

// Bar is one bar of a bar chart.
type Bar struct {
	Label string
	Value float64
	Best  bool // drawn in the accent colour
}

// Mark is a vertical line (X set), a horizontal one (Y set) or a point (both); the
// unset coordinate is NaN.
type Mark struct {
	X, Y  float64
	Label string
	Alert bool
}
