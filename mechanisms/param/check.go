package param

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// maxCandidates bounds a list of candidates.
const maxCandidates = 1_000_000

// Requirement says which values the parameter may have: "must be greater than 0".
func (p Param) Requirement() string {
	switch p.Type {
	case Choice:
		return "must be one of " + strings.Join(p.Choices, ", ")
	case Flag:
		return "must be true or false"
	case Scores:
		if p.Named {
			return "must be candidates with a score each, such as {red: 3, blue: 5}"
		}
		return "must be a list of scores, such as [3, 5]"
	case Points:
		return "must be Rényi orders with a value each, such as {2: 0.1, 8: 0.5}"
	}
	limits := p.rangeText()
	whole := p.Type == Whole
	switch {
	case whole && limits != "":
		return "must be a whole number, " + limits
	case whole:
		return "must be a whole number"
	case limits != "":
		return "must be " + limits
	}
	return "must be a number"
}

// rangeText returns the allowed range in words, "" where every number is allowed.
func (p Param) rangeText() string {
	var parts []string
	limit := func(x float64, open bool, beyond, from string) {
		switch {
		case math.IsInf(x, 0):
		case open:
			parts = append(parts, beyond+" "+numeral.Format(x))
		default:
			parts = append(parts, from+" "+numeral.Format(x))
		}
	}
	limit(p.Min, p.OpenMin, "greater than", "at least")
	limit(p.Max, p.OpenMax, "less than", "at most")
	return strings.Join(parts, " and ")
}

// CheckNumber returns the problem with a number as this parameter's value, "" if there
// is none. Forms use it on every key press.
func (p Param) CheckNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "must be a number, got NaN"
	case math.IsInf(x, 0):
		return "must be finite, got " + numeral.Format(x)
	case x < p.Min || p.OpenMin && x == p.Min:
		return "must be " + p.rangeText() + ", got " + numeral.Format(x) + p.Else
	case x > p.Max || p.OpenMax && x == p.Max:
		return "must be " + p.rangeText() + ", got " + numeral.Format(x)
	case p.Type == Whole && x != math.Trunc(x):
		return "must be a whole number, got " + numeral.Format(x)
	}
	return ""
}

// Check returns the problem with a value, "" if there is none.
func (p Param) Check(v Value) string {
	if v.Type != p.Type && !(v.Type.Numeric() && p.Type.Numeric()) {
		return p.Requirement() + ", got " + v.describe()
	}
	switch p.Type {
	case Number, Whole:
		return p.CheckNumber(v.Number)
	case Choice:
		if !slices.Contains(p.Choices, v.Text) {
			return p.Requirement() + ", got " + numeral.Quote(v.Text) + p.Else
		}
	case Scores:
		return p.checkScores(v.Items)
	case Points:
		return checkPoints(v.Items)
	}
	return ""
}

// describe names a value for an error message, never by its Go type.
func (v Value) describe() string {
	switch v.Type {
	case Number, Whole:
		return numeral.Format(v.Number)
	case Choice:
		return numeral.Quote(v.Text)
	case Flag:
		return strconv.FormatBool(v.Flag)
	case Points:
		return "a list of points"
	}
	return "a list of scores"
}

func (p Param) checkScores(items []Item) string {
	if len(items) == 0 {
		return "needs at least one score"
	}
	if len(items) > maxCandidates {
		return fmt.Sprintf("may hold at most %s scores, got %s",
			numeral.Format(maxCandidates), numeral.Format(float64(len(items))))
	}
	seen := map[string]bool{}
	for i, item := range items {
		switch {
		case p.Named && item.Name == "":
			return fmt.Sprintf("the candidate number %d has no name", i+1)
		case p.Named && seen[item.Name]:
			return "the candidate " + numeral.Quote(item.Name) + " is listed twice"
		case math.IsNaN(item.Value) || math.IsInf(item.Value, 0):
			label := fmt.Sprintf("number %d", i+1)
			if p.Named {
				label = numeral.Quote(item.Name)
			}
			return fmt.Sprintf("the score of %s must be finite, got %s", label, numeral.Format(item.Value))
		}
		if p.Named {
			seen[item.Name] = true
		}
	}
	return ""
}

func checkPoints(items []Item) string {
	if len(items) == 0 {
		return "needs at least one point"
	}
	seen := make(map[float64]bool, len(items))
	for _, item := range items {
		order := numeral.Format(item.Order)
		switch {
		case math.IsNaN(item.Order) || item.Order <= 1 || math.IsInf(item.Order, 0):
			return "an order must be a finite number greater than 1, got " + order
		case math.IsNaN(item.Value) || item.Value < 0 || math.IsInf(item.Value, 0):
			return "the value at order " + order + " must be at least 0 and finite, got " + numeral.Format(item.Value)
		case seen[item.Order]:
			return "order " + order + " is listed twice"
		}
		seen[item.Order] = true
	}
	return ""
}
