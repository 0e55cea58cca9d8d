package report

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Yearly is the guarantee of a unit that covers a span of time, such as a user's day, for a
// person who is in the data in every span of a year.
type Yearly struct {
	Window scenarios.Window
	Rounds float64          // of the stack in a year, one per span
	Bound  accounting.Bound // of them all
}

// newYearly composes a year of rounds by the accountants; it is nil if the unit covers no span
// below a year, or if no theorem gives a finite ε.
func newYearly(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (*Yearly, error) {
	w, ok := scenarios.WindowOf(s.Unit)
	if !ok || w.PerYear <= 1 {
		return nil, nil
	}
	y := &Yearly{Window: w, Rounds: math.Ceil(w.PerYear)}
	var err error
	if y.Bound, err = boundOfRounds(ctx, s, r, y.Rounds); err != nil || !y.Bound.Finite() {
		return nil, err
	}
	return y, nil
}

// Text says what a year composes to; "" for none.
func (y *Yearly) Text() string {
	if y == nil {
		return ""
	}
	return fmt.Sprintf("the unit covers %s; with one round per %s, a person in the data in every %s of a year has %s, by %s over %s rounds",
		y.Window.Words(), y.Window.Span(), y.Window.Span(), guarantee(y.Bound),
		TheoremPhrase(y.Bound.Method), FormatGiven(y.Rounds))
}

// boundOfRounds returns the best bound for another number of rounds, with the precision of r, and by closed forms only
// if r has no numerical bound.
func boundOfRounds(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result,
	rounds float64) (accounting.Bound, error) {
	if rounds == s.Rounds {
		return r.BestBound(), nil
	}
	other := s.Clone()
	other.Rounds, other.Expect = rounds, nil
	_, numerical := r.Bound(accounting.Numerical)
	of, err := scenarios.Evaluate(ctx, other,
		scenarios.Options{Precision: r.Target.Precision, ClosedFormsOnly: !numerical})
	if err != nil {
		return accounting.Bound{}, err
	}
	return of.BestBound(), nil
}

// roundsAreSpans reports whether the rounds of a scenario may be different spans of time, so that
// the cost of all of them is not that of one unit.
func roundsAreSpans(unit string, rounds float64) bool {
	w, ok := scenarios.WindowOf(unit)
	return ok && w.PerYear > 1 && rounds > 1
}

// CoveredUnit names whose data a guarantee over all rounds covers: one unit or, if the unit is a
// span of time and there are several rounds, one unit in each of them.
func CoveredUnit(unit string, rounds float64) string {
	if roundsAreSpans(unit, rounds) {
		return fmt.Sprintf("%s in each of %s rounds", OneUnit(unit), FormatGiven(rounds))
	}
	return OneUnit(unit)
}
