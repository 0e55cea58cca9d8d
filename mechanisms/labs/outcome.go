package labs

import (
	"math"

	"epsiloscope/mechanisms/param"
)

// Outcome is everything one run has to show.
type Outcome struct {
	Lab     string
	Seed    uint64
	Values  param.Values // with the defaults filled in
	Figures []Figure
	Tables  []Table
	Plots   []Plot
	Says    []string // what there is to see, in sentences with this run's numbers
	Stack   []Item   // what the run's mechanisms cost, ready for a scenario
	// Sequence is the run step by step; it has none where there is no order of steps.
	Sequence Sequence
}

// Figure is one named number.
type Figure struct {
	Name  string
	Value float64
	Note  string
	Cost  bool // a privacy cost: whoever writes it rounds it up
}

// Table is a small table of numbers under a title. The first column may be text.
type Table struct {
	Title   string
	Columns []string
	Rows    []Row
	Costs   bool // its numbers are privacy costs
}

// Row is one line of a table.
type Row struct {
	Label  string
	Values []float64
}

// Plot is the data of one chart. A nil X in a series stands for 0, 1, 2, ….
type Plot struct {
	Title          string
	XLabel, YLabel string
	XLog, YLog     bool
	Series         []Series
	Bars           []Bar
	Lines          []Line
}

// Series is one curve; Steps draws it as a histogram.
type Series struct {
	Name  string
	X, Y  []float64
	Steps bool
}

// Bar is one bar of a bar chart.
type Bar struct {
	Label string
	Value float64
	Best  bool // the one to hope for, which need not be the tallest
}

// Line is a vertical (X) or horizontal (Y) mark; the other coordinate is NaN.
type Line struct {
	X, Y  float64
	Label string
}

// Item is a stack entry: a mechanism of the catalogue with its values.
type Item struct {
	Mechanism string
	Label     string
	Values    param.Values
	Count     float64
}

// vertical and horizontal are marks across a plot.
func vertical(x float64, label string) Line   { return Line{x, math.NaN(), label} }
func horizontal(y float64, label string) Line { return Line{math.NaN(), y, label} }
