// Package labs runs the algorithms of the lectures on generated data, so that a
// reader can watch a theorem being true.
//
// Start with [All], which lists the experiments, and [Run], which runs one. A run is
// a pure function of its parameters and its seed. Labs draw their noise from the
// mechanisms of package mechanisms: what is simulated is what is accounted for.
//
// The random numbers here are for seeing, not for releasing data: floating-point
// noise leaks through its low bits (Mironov 2012).
package labs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"epsiloscope/mechanisms"
)

// Warning stands under every lab that draws noise.
const Warning = "These random numbers are for seeing, not for releasing data: floating-point noise leaks (Mironov 2012)."

// Lab is one experiment.
type Lab struct {
	Name    string // as on the command line: "differencing"
	Title   string
	Summary string // one line
	Decks   string // whose lecture it comes from
	Params  []mechanisms.Param
	run     func(*trial) error
}

// Outcome is everything one run has to show.
type Outcome struct {
	Lab     string
	Seed    uint64
	Values  mechanisms.Values // with the defaults filled in
	Figures []Figure
	Tables  []Table
	Plots   []Plot
	Says    []string // what there is to see, in sentences with this run's numbers
	Stack   []Item   // what the run's mechanisms cost, ready for a scenario
}

// Figure is one named number.
type Figure struct {
	Name  string
	Value float64
	Note  string
}

// Table is a small table of numbers under a title. The first column may be text.
type Table struct {
	Title   string
	Columns []string
	Rows    []Row
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
	Values    mechanisms.Values
	Count     float64
}

// All lists the labs in the order of a course.
func All() []Lab {
	return []Lab{
		differencing, randomizedResponse, laplaceCounts, exponential, laplaceVsExponential, selection,
		sparseVector, median, thresholdout, adaptiveGaussian, generalization, erm, composition, dpSGD,
	}
}

// Lookup finds a lab by name.
func Lookup(name string) (Lab, bool) {
	for _, l := range All() {
		if l.Name == name {
			return l, true
		}
	}
	return Lab{}, false
}

// Options of a run. Progress may be nil; it is called from the running goroutine
// with the fraction done.
type Options struct {
	Seed     uint64
	Values   mechanisms.Values
	Progress func(fraction float64)
}

// Run runs the named lab. It fails on a parameter out of its range, and stops with
// the context's error when that ends.
func Run(ctx context.Context, name string, opt Options) (*Outcome, error) {
	lab, ok := Lookup(name)
	if !ok {
		var names []string
		for _, l := range All() {
			names = append(names, l.Name)
		}
		return nil, fmt.Errorf("unknown lab %q; the labs are %s", name, strings.Join(names, ", "))
	}
	values, err := lab.fill(opt.Values)
	if err != nil {
		return nil, err
	}
	s := &trial{
		ctx: ctx, values: values, seed: opt.Seed, progress: opt.Progress,
		out: &Outcome{Lab: name, Seed: opt.Seed, Values: values},
	}
	if err := lab.run(s); err != nil {
		return nil, err
	}
	return s.out, nil
}

// fill checks the values given and adds the defaults.
func (l Lab) fill(given mechanisms.Values) (mechanisms.Values, error) {
	spec := mechanisms.Spec{Name: l.Name, Params: l.Params}
	if wrong := mechanisms.Check(spec, given); len(wrong) > 0 {
		return nil, wrong[0]
	}
	values := given.Clone()
	for _, p := range l.Params {
		if !values.Has(p.Name) {
			values[p.Name] = p.Default
		}
	}
	return values, nil
}

// trial is one run in progress.
type trial struct {
	ctx      context.Context
	values   mechanisms.Values
	seed     uint64
	progress func(float64)
	out      *Outcome
}

func (s *trial) number(name string) float64 { return s.values[name].Number }
func (s *trial) whole(name string) int      { return int(s.values[name].Number) }
func (s *trial) choice(name string) string  { return s.values[name].Text }

// rand is an independent stream: two uses of one run never share their numbers.
func (s *trial) rand(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, 0x9e3779b97f4a7c15*(stream+1)))
}

// step reports progress and says when to stop.
func (s *trial) step(done, total int) error {
	if s.progress != nil && total > 0 {
		s.progress(float64(done) / float64(total))
	}
	return s.ctx.Err()
}

func (s *trial) figure(name string, value float64, note string) {
	s.out.Figures = append(s.out.Figures, Figure{name, value, note})
}

func (s *trial) say(format string, args ...any) {
	s.out.Says = append(s.out.Says, fmt.Sprintf(format, args...))
}

func (s *trial) plot(p Plot)   { s.out.Plots = append(s.out.Plots, p) }
func (s *trial) table(t Table) { s.out.Tables = append(s.out.Tables, t) }

func (s *trial) spend(label, mechanism string, values mechanisms.Values, count float64) {
	s.out.Stack = append(s.out.Stack, Item{Mechanism: mechanism, Label: label, Values: values, Count: count})
}

// number and whole declare parameters with a default.
func number(name, symbol, help string, def, min, max float64) mechanisms.Param {
	return mechanisms.Param{
		Name: name, Symbol: symbol, Help: help, Type: mechanisms.Number, Min: min, Max: max,
		Optional: true, Default: mechanisms.NumberValue(def), Initial: mechanisms.NumberValue(def), Step: 1.25, Log: min > 0,
	}
}

func whole(name, symbol, help string, def, min, max float64) mechanisms.Param {
	p := number(name, symbol, help, def, min, max)
	p.Type = mechanisms.Whole
	p.Default, p.Initial = mechanisms.WholeValue(def), mechanisms.WholeValue(def)
	return p
}

func choice(name, help string, words ...string) mechanisms.Param {
	return mechanisms.Param{
		Name: name, Symbol: name, Help: help, Type: mechanisms.Choice, Choices: words,
		Optional: true, Default: mechanisms.ChoiceValue(words[0]), Initial: mechanisms.ChoiceValue(words[0]),
	}
}

// vertical and horizontal are marks across a plot.
func vertical(x float64, label string) Line   { return Line{x, math.NaN(), label} }
func horizontal(y float64, label string) Line { return Line{math.NaN(), y, label} }

// epsilonValue is the one-parameter value set most items need.
func epsilonValue(epsilon float64) mechanisms.Values {
	return mechanisms.Values{"epsilon": mechanisms.NumberValue(epsilon)}
}
