package document

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// NextValue returns the next value in a direction, kept inside the allowed range.
func (k Knob) NextValue(by int, coarse bool) (float64, error) {
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

// StepsFrom returns the values that up to n single steps in a direction lead to, in the order of the steps. It
// ends where a step leads nowhere.
func (k Knob) StepsFrom(by, n int) (values []float64) {
	for ; n > 0; n-- {
		x, err := k.NextValue(by, false)
		if err != nil || !(float64(by)*(x-k.Value) > 0) {
			break
		}
		values, k.Value = append(values, x), x
	}
	return values
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

// Put sets the knob after checking the value against its range.
func (k Knob) Put(x float64) error {
	if problem := k.Param.CheckNumber(x); problem != "" {
		return fmt.Errorf("%s %s", k.Symbol, problem)
	}
	return k.set(x)
}

// SetText sets a knob to a typed value; an empty text unsets a knob that can be unset.
func (k Knob) SetText(s string) error {
	if word := strings.ToLower(strings.TrimSpace(s)); k.Unset != "" && (word == k.Unset || word == "") {
		return k.set(0)
	}
	x, err := numeral.Parse(s)
	if err != nil {
		return fmt.Errorf("%s %w", k.Symbol, err)
	}
	return k.Put(x)
}

// Step moves x to the next number a person would pick, in the direction of by (+1
// or −1): the next one with the given count of significant digits, so that steps
// feel alike at 1e-6 and at 100 (0.1, 0.11, 0.12 … 0.99, 1, 1.1). A whole number
// moves by at least one.
func Step(x float64, by int, digits int, whole bool) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	if whole {
		digits = min(digits, len(strconv.FormatFloat(math.Trunc(x), 'f', 0, 64)))
	}
	const near = 1e-10 // what is so near to such a number is taken for it
	if by > 0 {
		return numeral.RoundUp(x*(1+near), digits)
	}
	if x = numeral.RoundDown(x*(1-near), digits); whole {
		return math.Floor(x)
	}
	return x
}

// Scale multiplies or divides by ten, keeping the digits: 0.12·0.1 computed is not 0.012.
func Scale(x float64, by int) float64 {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	y, err := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(n+by), 64)
	if err != nil { // no number, or none that large
		return x
	}
	return y
}
