package document

import (
	"errors"
	"fmt"
	"math"
	"strconv"
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

// Put sets the knob after checking the value against its range.
func (k Knob) Put(x float64) error {
	if problem := k.Param.CheckNumber(x); problem != "" {
		return fmt.Errorf("%s %s", k.Symbol, problem)
	}
	return k.set(x)
}

// Typed reads what was typed for a knob; nothing, too, unsets one that can be.
func (k Knob) Typed(s string) error {
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
// moves by at least one. A number between two such values moves to the nearer one
// first.
func Step(x float64, by int, digits int, whole bool) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	mantissa, exponent := decompose(x, digits)
	if whole && exponent < 0 { // below the digits asked for every whole number is a step
		next := math.Floor(x) + 1
		if by < 0 {
			next = math.Ceil(x) - 1
		}
		return max(next, 0)
	}
	next := math.Floor(mantissa+1e-9) + 1
	if by < 0 {
		next = math.Ceil(mantissa-1e-9) - 1
		if next < math.Pow10(digits-1) { // 0.10 is left downwards to 0.099
			next, exponent = math.Pow10(digits)-1, exponent-1
		}
	}
	return compose(next, exponent)
}

// Scale multiplies or divides by ten, keeping the digits.
func Scale(x float64, by int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	mantissa, exponent := decompose(x, 15)
	return compose(math.Round(mantissa), exponent+by)
}

// decompose writes x as mantissa·10^exponent with digits before the point.
func decompose(x float64, digits int) (mantissa float64, exponent int) {
	before, after, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	mantissa, _ = strconv.ParseFloat(before, 64)
	exponent, _ = strconv.Atoi(after)
	return mantissa * math.Pow10(digits-1), exponent - digits + 1
}

// compose goes through text, because 12·10^−2 computed is not the float 0.12.
func compose(mantissa float64, exponent int) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(mantissa, 'f', 0, 64)+"e"+strconv.Itoa(exponent), 64)
	return x
}
