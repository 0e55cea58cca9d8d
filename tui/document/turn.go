package document

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
)

// Stepped is the next value in a direction, kept inside the allowed range.
func (k Knob) Stepped(by int, coarse bool) (float64, error) {
	x := k.Value
	switch {
	case k.Name == KnobAlpha && math.IsNaN(x):
		return 0, errors.New("no Rényi bound applies here, so there is no order to start from; = types one")
	case math.IsNaN(x) || x == 0 && k.Log:
		x = map[string]float64{KnobDelta: 1e-6, KnobBudget: 1}[k.Name]
	case !k.Log && coarse:
		x += float64(by) * 10 * k.Param.Step
	case !k.Log:
		x += float64(by) * k.Param.Step
	case coarse:
		x = Scale(x, by)
	case k.Name == "sensitivity" && x >= 1 && x == math.Trunc(x) && x+float64(by) >= 1:
		x += float64(by) // a sensitivity is whole more often than not
	default:
		x = Step(x, by, k.Digits, k.Param.Type == param.Whole)
	}
	if k.Param.Type == param.Whole {
		x = math.Round(x)
	}
	return k.clamp(x), nil
}

// clamp keeps a step inside the range; an open end is never reached.
func (k Knob) clamp(x float64) float64 {
	if x > k.Param.Max || k.Param.OpenMax && x >= k.Param.Max {
		if k.Param.OpenMax || math.IsInf(k.Param.Max, 1) {
			return k.Value
		}
		return k.Param.Max
	}
	if x < k.Param.Min || k.Param.OpenMin && x <= k.Param.Min {
		if k.Param.OpenMin {
			return k.Value
		}
		return k.Param.Min
	}
	return x
}

// Put sets the Knob after checking the value against its range.
func (k Knob) Put(x float64) error {
	if problem := k.Param.CheckNumber(x); problem != "" {
		return fmt.Errorf("%s %s", k.Symbol, problem)
	}
	return k.set(x)
}

// Typed reads what was typed for a Knob; "auto" and "none" unset those that can be.
func (k Knob) Typed(s string) error {
	switch word := strings.ToLower(strings.TrimSpace(s)); {
	case k.Name == KnobAlpha && (word == "auto" || word == ""):
		return k.set(0)
	case k.Name == KnobBudget && (word == "none" || word == ""):
		return k.set(0)
	}
	x, err := numeral.Parse(s)
	if err != nil {
		return fmt.Errorf("%s %w", k.Symbol, err)
	}
	return k.Put(x)
}
