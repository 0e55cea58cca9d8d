// Package selfcheck recomputes reference figures that were derived elsewhere, at
// fifty digits, by quadrature or by brute force, and compares. The figures are
// embedded, so that every copy of the program can be checked where it runs.
//
// Start with [Run]. Each [Figure] is a scenario, as its file would state it, and what is
// asked of it: the ε of a theorem, or one of [asks].
package selfcheck

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

//go:embed vectors.json
var vectors []byte

// Figure is a reference figure.
type Figure struct {
	ID        string          `json:"id"`
	Scenario  json.RawMessage `json:"scenario"`
	Ask       string          `json:"ask"` // a method, or one of [asks]
	At        float64         `json:"at"`  // the ε, the order, the index it is asked at
	Expected  float64         `json:"expected"`
	Tolerance float64         `json:"tolerance_rel"`
	How       string          `json:"how"` // how it was derived
}

// Outcome is a figure, recomputed.
type Outcome struct {
	Figure
	Got  float64
	Pass bool
	Err  error // what kept it from being computed
}

// Figures decodes the embedded reference figures.
func Figures() ([]Figure, error) {
	var list []Figure
	if err := json.Unmarshal(vectors, &list); err != nil {
		return nil, fmt.Errorf("the embedded reference values cannot be read: %w", err)
	}
	return list, nil
}

// Run recomputes every figure.
func Run(ctx context.Context) ([]Outcome, error) {
	figures, err := Figures()
	if err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, 0, len(figures))
	for _, f := range figures {
		if err := ctx.Err(); err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, check(ctx, f))
	}
	return outcomes, nil
}

func check(ctx context.Context, f Figure) Outcome {
	lower, upper, err := f.compute(ctx)
	if err != nil {
		return Outcome{Figure: f, Got: math.NaN(), Err: err}
	}
	o := Outcome{Figure: f, Got: upper}
	slack := f.Tolerance * math.Abs(f.Expected)
	o.Pass = math.Abs(upper-f.Expected) <= slack
	if f.Ask == string(accounting.Numerical) { // it is the interval that has to hold the figure
		// The reference itself is known to 1e-9 or better; the tolerance is the width
		// that a certified interval may have.
		known := 1e-9 * math.Abs(f.Expected)
		o.Pass = lower <= f.Expected+known && f.Expected <= upper+known && upper-lower <= slack+known
	}
	return o
}

// compute returns the figure, with the lower end where it is a certified interval.
func (f Figure) compute(ctx context.Context) (lower, upper float64, err error) {
	s, err := scenarios.Parse(f.ID, f.Scenario)
	if err != nil {
		return 0, 0, err
	}
	if ask := asks[f.Ask]; ask != nil {
		upper, err = ask(s, f.At)
		return 0, upper, err
	}
	m := accounting.Method(f.Ask)
	r, err := scenarios.Evaluate(ctx, s,
		scenarios.Options{Precision: math.Min(1e-3, f.Tolerance), ClosedFormsOnly: m != accounting.Numerical})
	if err != nil {
		return 0, 0, err
	}
	b, ok := r.Bound(m)
	switch {
	case !ok:
		return 0, 0, fmt.Errorf("no way is known to compute a %q", f.Ask)
	case !b.Finite():
		return 0, 0, errors.New(b.Note)
	}
	return b.Lower, b.Epsilon, nil
}
