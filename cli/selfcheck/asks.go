package selfcheck

import (
	"errors"
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/scenarios"
)

// asks has, by name, the quantities other than the ε of a stack that a reference value may be about.
var asks = map[string]func(s *scenarios.Scenario, at float64) (float64, error){
	// One release, asked for one of its currencies.
	"epsilon": release(func(r accounting.Release, _ float64) (float64, error) {
		epsilon, _, err := r.Approximate()
		return epsilon, err
	}),
	"delta": release(accounting.Release.Profile),
	"renyi": release(accounting.Release.Renyi),
	"rho":   release(func(r accounting.Release, _ float64) (float64, error) { return r.Concentrated() }),
	"mu":    release(func(r accounting.Release, _ float64) (float64, error) { return r.Gaussian() }),

	// A conversion of one.
	"gdp-delta": release(func(r accounting.Release, epsilon float64) (float64, error) {
		mu, err := r.Gaussian()
		return accounting.GaussianToDelta(mu, epsilon), err
	}),
	"gdp-tradeoff": release(func(r accounting.Release, typeOne float64) (float64, error) {
		mu, err := r.Gaussian()
		return accounting.GaussianTradeOff(mu, typeOne), err
	}),
	"zcdp-delta": release(func(r accounting.Release, epsilon float64) (float64, error) {
		rho, err := r.Concentrated()
		return accounting.ConcentratedToDelta(rho, epsilon), err
	}),

	// The noise that the Gaussian mechanism is calibrated to.
	"sigma": func(s *scenarios.Scenario, _ float64) (float64, error) {
		return mechanisms.Equivalents(s.Stack[0].Mechanism, s.Stack[0].Values)["sigma"], nil
	},

	// The probability of a candidate, and of a score that lies a gap or more below the best.
	"probability": askSelection(func(d *selection.Distribution, index float64) float64 { return d.Probabilities[int(index)] }),
	"tail":        askSelection((*selection.Distribution).Tail),
}

// release returns a quantity of the only release of a scenario.
func release(
	ask func(r accounting.Release, at float64) (float64, error),
) func(*scenarios.Scenario, float64) (float64, error) {
	return func(s *scenarios.Scenario, at float64) (float64, error) {
		stack, err := scenarios.Stack(s)
		if err != nil {
			return 0, err
		}
		if len(stack) != 1 {
			return 0, fmt.Errorf("expected one release, the stack has %d", len(stack))
		}
		return ask(stack[0].Release, at)
	}
}

// askSelection evaluates a quantity of the selection mechanism on its scores.
func askSelection(
	ask func(d *selection.Distribution, at float64) float64,
) func(*scenarios.Scenario, float64) (float64, error) {
	return func(s *scenarios.Scenario, at float64) (float64, error) {
		m, err := mechanisms.New(s.Stack[0].Mechanism, s.Stack[0].Values)
		if err != nil {
			return 0, err
		}
		selector, ok := m.(mechanisms.Selector)
		if !ok {
			return 0, errors.New("the mechanism selects nothing")
		}
		d, err := selector.Selection()
		if err != nil {
			return 0, err
		}
		return ask(d, at), nil
	}
}
