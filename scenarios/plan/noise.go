package plan

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// scaleNoise multiplies all noise of a stack by a factor, as [mechanisms.ScaleNoise] says.
func scaleNoise(s *scenarios.Scenario, stack []scenarios.Entry, factor float64, round rounding) error {
	scaled, err := scenarios.Map(stack, func(e *scenarios.Entry) error { return scaleEntry(s, e, factor, round) })
	copy(stack, scaled)
	return err
}

// rounding shortens a number that noise was scaled to.
type rounding func(p param.Param, x float64) float64

// roundToMoreNoise returns a rounding to the given digits towards more noise.
func roundToMoreNoise(digits int) rounding {
	return func(p param.Param, x float64) float64 {
		if p.Noise > 0 {
			return numeral.RoundUp(x, digits)
		}
		return numeral.RoundDown(x, digits)
	}
}

// roundToLessNoise rounds a number that was chosen for an error towards less noise, so that the error is met.
func roundToLessNoise(p param.Param, x float64) float64 {
	p.Noise = -p.Noise
	return roundToMoreNoise(errorDigits)(p, x)
}

// scaleEntry multiplies the noise of one entry; no rounding keeps every digit.
func scaleEntry(s *scenarios.Scenario, e *scenarios.Entry, factor float64, round rounding) error {
	field, x, ok, err := mechanisms.ScaleNoise(e.Mechanism, s.WithSensitivity(e).Values, factor)
	if err != nil || !ok {
		return err
	}
	if spec := e.Spec(); round != nil {
		p, _ := spec.Param(field)
		x = round(p, x)
	}
	return e.SetNumber(field, x)
}

// WithError returns the scenario with the noise of one entry (from 1) chosen so that each
// answer errs by at most the given amount with 95 % confidence. It is the largest such noise,
// which costs least.
func WithError(ctx context.Context, s *scenarios.Scenario, entry int, most float64) (*scenarios.Scenario, error) {
	if entry < 1 || entry > len(s.Stack) {
		return nil, fmt.Errorf("there is no entry %d; the stack has %s", entry, numeral.Plural(len(s.Stack), "entry", "entries"))
	}
	if !(most > 0) || math.IsInf(most, 1) {
		return nil, fmt.Errorf("the error must be greater than 0, got %s", numeral.Format(most))
	}
	e := s.Stack[entry-1]
	now, err := errorOf(s, &e)
	if err != nil {
		return nil, fmt.Errorf("entry %d: %w", entry, err)
	}
	start := 1.0
	if now > 0 {
		start = most / now
	}
	var last error
	cost := func(_ context.Context, x float64) (float64, error) {
		trial := e
		err := scaleEntry(s, &trial, x, roundToLessNoise)
		if err == nil {
			now, err = errorOf(s, &trial)
		}
		if err != nil {
			last, now = err, math.Inf(1)
		}
		return now, nil
	}
	solution, err := accounting.Solve(ctx,
		accounting.Search{Cost: cost, Low: 1e-12, High: 1e15, Start: start, Rising: true}, most)
	switch {
	case err != nil:
		return nil, err
	case !solution.Feasible && last != nil:
		return nil, fmt.Errorf("entry %d: no noise gives an error of %s: %w", entry, numeral.Format(most), last)
	case !solution.Feasible:
		return nil, fmt.Errorf("entry %d: no noise gives an error of %s", entry, numeral.Format(most))
	}
	c := s.Copy()
	return c, scaleEntry(c, &c.Stack[entry-1], solution.Value, roundToLessNoise)
}

// errorDigits is the number of digits of a number chosen for an error.
const errorDigits = 6

// errorOf returns the error of one answer of an entry at 95 %.
func errorOf(s *scenarios.Scenario, e *scenarios.Entry) (float64, error) {
	a, err := s.WithSensitivity(e).Accuracy(s.Rounds)
	return a.Each, err
}

// unevenNote is added to an answer if more noise does not always cost less.
const unevenNote = "The cost of discrete Gaussian noise does not fall everywhere with σ (Δ = 1: δ at ε = 2 is 0.105 at σ = 0.5 and 0.153 at σ = 0.65), so a smaller value may fit too; this one is certified to fit."

// hasUnevenCost reports whether the unknown is the noise of a mechanism whose privacy profile does not fall everywhere
// with it.
func (u *unknown) hasUnevenCost(s *scenarios.Scenario) bool {
	if u.solve != "sigma" && u.solve != "scale" {
		return false
	}
	for i, e := range s.Stack {
		for _, inner := range scenarios.EnabledEntries([]scenarios.Entry{e}) {
			if inner.Mechanism == (mechanisms.DiscreteGaussian{}).Kind() && (u.entry == 0 || u.entry == i+1) {
				return true
			}
		}
	}
	return false
}
