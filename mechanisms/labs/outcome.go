package labs

import (
	"fmt"
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

// Sequence is the algorithm of a run step by step, to be watched: what each step saw, what
// it did and what is left. Labs without a natural order of steps have none.
type Sequence struct {
	Columns []string // names of the values of a step
	Drawn   int      // how many of them, from the first, are curves over the steps
	Window  int      // how many steps a chart shows at a time; 0 for all so far
	Mark    string   // what the marked steps have in common: "paid for"
	Steps   []Step
}

// Step is one of them.
type Step struct {
	Values []float64 // one for each column; NaN where there is none
	Says   string    // what happened
	Marked bool
}

// mostSteps is how many a run keeps: nobody watches more.
const mostSteps = 2000

func (s *trial) watch(q Sequence) { s.out.Sequence = q }

// watching reports whether another step would be kept.
func (s *trial) watching() bool {
	q := s.out.Sequence
	return q.Columns != nil && len(q.Steps) < mostSteps
}

func (s *trial) saw(marked bool, values []float64, format string, args ...any) {
	if s.watching() {
		s.out.Sequence.Steps = append(s.out.Sequence.Steps, Step{values, fmt.Sprintf(format, args...), marked})
	}
}
