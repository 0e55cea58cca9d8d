package scenarios

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// defaultTolerance is relative: what a figure computed twice may differ by.
const defaultTolerance = 1e-9

// Failure is an expectation that does not hold.
type Failure struct {
	Index       int // of the expectation, from 1; 0 if the scenario cannot be evaluated at all
	Expectation Expectation
	Bound       accounting.Bound
	Problem     string
	// Line and Column are where the expectation stands in the file, from 1; 0 if it has none.
	Line, Column int
}

// CheckExpectations evaluates the scenario and compares it with its expect list.
func CheckExpectations(ctx context.Context, s *Scenario) []Failure {
	if len(s.Expect) == 0 {
		return nil
	}
	stack, err := NewEvaluator().Stack(s, Options{})
	if err != nil {
		return []Failure{{Problem: err.Error()}}
	}
	var failures []Failure
	for i, e := range s.Expect {
		target := s.target(Options{Precision: math.Max(1e-5, math.Min(1e-3, e.Tolerance/4))})
		b := accounting.Evaluate(ctx, e.Method, stack, target)
		if problem := e.compare(b); problem != "" {
			f := Failure{Index: i + 1, Expectation: e, Bound: b, Problem: problem}
			if s.origin != nil && s.origin.doc != nil {
				at := locate(s.origin.doc.Root, indexed("expect", i)+".epsilon")
				f.Line, f.Column = s.origin.doc.Position(at.Start)
			}
			failures = append(failures, f)
		}
	}
	return failures
}

// compare is how a bound misses the expectation, "" if it does not.
func (e Expectation) compare(b accounting.Bound) string {
	want := fmt.Sprintf("%s: expected ε = %s", e.Method, mechanisms.FormatNumber(e.Epsilon))
	if !b.Finite() {
		return fmt.Sprintf("%s, but the bound is %s: %s", want, b.Status, b.Note)
	}
	if off := math.Abs(b.Epsilon - e.Epsilon); off <= e.Tolerance*math.Max(e.Epsilon, math.SmallestNonzeroFloat64) {
		return ""
	}
	return fmt.Sprintf("%s within %s, got %s", want, mechanisms.FormatNumber(e.Tolerance), mechanisms.FormatNumber(b.Epsilon))
}
