package labs

import "fmt"

// Sequence is the algorithm of a run step by step, for who wants to watch it: what each
// step saw, what it did and what is left. Labs without a natural order of steps have none.
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

// watch begins a sequence.
func (s *trial) watch(q Sequence) { s.out.Sequence = q }

// watching reports whether another step would be kept.
func (s *trial) watching() bool {
	q := s.out.Sequence
	return q.Columns != nil && len(q.Steps) < mostSteps
}

// saw adds a step.
func (s *trial) saw(marked bool, values []float64, format string, args ...any) {
	if s.watching() {
		s.out.Sequence.Steps = append(s.out.Sequence.Steps, Step{values, fmt.Sprintf(format, args...), marked})
	}
}
