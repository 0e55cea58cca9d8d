package labs

import (
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// Outcome is the result of one run.
type Outcome struct {
	Lab     Lab
	Seed    uint64
	Values  param.Values // with the defaults filled in
	Figures []Figure
	Tables  []Table
	Charts  []chart.Chart
	Says    []string          // what there is to see, in sentences with this run's numbers
	Stack   []scenarios.Entry // the mechanisms that were run; none if there is no guarantee
	// Adjacency is the neighbouring relation that the sensitivities in Stack hold for.
	Adjacency mechanisms.Adjacency
	// NoGuarantee says why no ε covers what was run; "" if Stack covers it.
	NoGuarantee string
	// Leaks are attacks on what was run. The cost of Stack is at least what each of them reached.
	Leaks []Leak
	// Sequence is the run step by step; it is empty if the algorithm has no order of steps.
	Sequence Sequence
	// Cost is the cost of [Outcome.Scenario], once it was evaluated; nil if there is no
	// guarantee.
	Cost *scenarios.Result

	derived map[string]float64 // parameters that the run replaced, by name
}

// Leak is an attack: an event S with P(S) − e^Epsilon·Q(S) = Delta for the outputs P and Q on two neighbours, so that
// the δ of the mechanism at Epsilon is at least Delta.
type Leak struct {
	Event     string
	Epsilon   float64
	Delta     float64
	Deviation float64 // standard deviation of Delta if it was sampled; 0 if it is exact
}

// Figure is a named number.
type Figure struct {
	Name  string
	Value float64
	Note  string
	Upper bool // an upper bound, such as a privacy cost: it is rounded up wherever it is written
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

// Sequence is the algorithm of a run step by step, to be played back: what each step saw, what
// it did and what is left.
type Sequence struct {
	Columns    []string // names of the values of a step
	CurveCount int      // how many of them, from the first, are curves over the steps
	Window     int      // how many steps a chart shows at a time; 0 for all so far
	Mark       string   // what the marked steps have in common: "paid for"
	Steps      []Step
}

// Step is a step of a sequence.
type Step struct {
	Values []float64 // one for each column; NaN where there is none
	Says   string    // what happened
	Marked bool
}

// maxSteps is the largest number of steps that a run keeps for playing.
const maxSteps = 2000

func (s *trial) startSequence(q Sequence) { s.out.Sequence = q }

// keepsSteps reports whether another step would be kept: a sequence was started and is not full.
func (s *trial) keepsSteps() bool {
	q := s.out.Sequence
	return q.Columns != nil && len(q.Steps) < maxSteps
}

func (s *trial) addStep(marked bool, values []float64, format string, args ...any) {
	if s.keepsSteps() {
		s.out.Sequence.Steps = append(s.out.Sequence.Steps, Step{values, fmt.Sprintf(format, args...), marked})
	}
}

// defaultDelta is the δ at which the cost of a run is read if the lab has none of its own.
const defaultDelta = 1e-6

// ErrNoGuarantee is the error of [Outcome.Scenario] for a run that no ε covers.
type ErrNoGuarantee struct{ Lab, Reason string }

func (e ErrNoGuarantee) Error() string {
	return fmt.Sprintf("the lab %s shows a run without a guarantee, so it has no scenario to price: %s", e.Lab, e.Reason)
}

// Scenario returns the mechanisms of the run with the adjacency and the unit of its deck, at the lab's δ. It fails with
// [ErrNoGuarantee] if no ε covers the run.
func (o *Outcome) Scenario() (*scenarios.Scenario, error) {
	if o.NoGuarantee != "" {
		return nil, ErrNoGuarantee{o.Lab.Name, o.NoGuarantee}
	}
	s := scenarios.New()
	s.Name, s.Description, s.Unit, s.Adjacency = o.Lab.Title, o.Lab.Summary, o.Lab.Unit, o.Adjacency
	s.Budget.Delta = defaultDelta
	if d, ok := o.Values["delta"]; ok && d.Number > 0 {
		s.Budget.Delta = d.Number
	}
	for _, e := range o.Stack {
		s.Stack = append(s.Stack, e.Clone())
	}
	return s, nil
}

// UsedValue writes the value of a parameter that the run used, which may differ from the one given: 0 for the example's
// own ε.
func (o *Outcome) UsedValue(name string) string {
	if x, ok := o.derived[name]; ok {
		return report.Short(x)
	}
	return ValueText(o.Values[name])
}

// settings returns the parameters that the run used in one line: "epsilon = 0.5 · repeats = 1000 · seed 1".
func (o *Outcome) settings() string {
	text := ""
	for _, p := range o.Lab.Params {
		text += fmt.Sprintf("%s = %s · ", p.Name, o.UsedValue(p.Name))
	}
	return text + fmt.Sprintf("seed %d", o.Seed)
}

// ValueText writes a parameter of a lab for people.
func ValueText(v param.Value) string {
	if v.Type == param.Choice {
		return v.Text
	}
	return report.Short(v.Number)
}

// Text returns the value for people, an upper bound rounded up.
func (f Figure) Text() string { return Number(f.Value, boundSide(f.Upper)) }

// boundSide returns the side to which a value is rounded that is, or is not, an upper bound.
func boundSide(isUpper bool) numeral.Side {
	if isUpper {
		return numeral.Up
	}
	return numeral.ToNearest
}

// Number writes a value of a run for people: a whole number in full, any other in four
// digits, rounded to a side.
func Number(x float64, side numeral.Side) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e6 {
		return report.Short(x)
	}
	return numeral.Digits(x, 4, side)
}
