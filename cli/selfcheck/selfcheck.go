// Package selfcheck recomputes reference figures that were derived elsewhere, at
// fifty digits, by quadrature or by brute force, and compares. The figures are
// embedded, so that every copy of the program can be checked where it runs.
//
// Start with [Run]. Each [Figure] names a kind; a kind says how to ask the public
// packages for such a number, as a user would: through a scenario where a scenario
// can say it, else through a mechanism or a conversion.
package selfcheck

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
)

//go:embed vectors.json
var vectors []byte

// Figure is one reference figure.
type Figure struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"`
	Quantity  string  `json:"quantity"` // "eps", "delta" …; may be left out
	Params    Params  `json:"params"`
	Epsilon   float64 `json:"eps"`
	Delta     float64 `json:"delta"`
	Alpha     float64 `json:"alpha"`
	Expected  float64 `json:"expected"`
	Tolerance float64 `json:"tolerance_rel"`
	How       string  `json:"how"` // how it was derived
}

// Params are the parameters of a figure, by name: numbers or lists of numbers.
type Params map[string]any

func (p Params) number(name string) float64 {
	x, _ := p[name].(float64)
	return x
}

// or is a number, or the one given where it is absent.
func (p Params) or(name string, absent float64) float64 {
	if x, ok := p[name].(float64); ok {
		return x
	}
	return absent
}

func (p Params) list(name string) []float64 {
	items, _ := p[name].([]any)
	list := make([]float64, len(items))
	for i, item := range items {
		list[i], _ = item.(float64)
	}
	return list
}

// Outcome is one figure, recomputed.
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
		return nil, fmt.Errorf("the embedded reference figures cannot be read: %w", err)
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

// answer is a computed number. A certified interval has a lower end too, and then
// it is the interval that has to hold the figure.
type answer struct {
	value, lower float64
	interval     bool
}

func check(ctx context.Context, f Figure) Outcome {
	o := Outcome{Figure: f, Got: math.NaN()}
	compute, ok := kinds[f.Kind]
	if _, composed := compositions[f.Kind]; composed {
		compute, ok = compose, true
	}
	if !ok {
		o.Err = fmt.Errorf("no way is known to compute a %q", f.Kind)
		return o
	}
	a, err := compute(ctx, f)
	if err != nil {
		o.Err = err
		return o
	}
	o.Got = a.value
	slack := f.Tolerance * math.Abs(f.Expected)
	if a.interval {
		// The reference itself is known to 1e-9 or better; the tolerance is the width
		// that a certified interval may have.
		known := 1e-9 * math.Abs(f.Expected)
		o.Pass = a.lower <= f.Expected+known && f.Expected <= a.value+known && a.value-a.lower <= slack+known
		return o
	}
	o.Pass = math.Abs(a.value-f.Expected) <= slack
	return o
}
