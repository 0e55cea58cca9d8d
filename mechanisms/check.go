package mechanisms

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxCandidates bounds a list of candidates.
const maxCandidates = 1_000_000

// Check compares values with a mechanism's declaration and lists every problem:
// first those of declared parameters, in their order, then unknown fields.
func Check(spec Spec, v Values) []*ParamError {
	var problems []*ParamError
	for _, p := range spec.Params {
		value, given := v[p.Name]
		if !given {
			if p.Required {
				problems = append(problems, &ParamError{p.Name, "is missing; " + p.Allowed()})
			}
			continue
		}
		if problem := p.check(value); problem != "" {
			problems = append(problems, &ParamError{p.Name, problem})
		}
	}
	for _, a := range spec.Alternatives {
		if e := a.check(v); e != nil {
			problems = append(problems, e)
		}
	}
	return append(problems, unknownFields(spec, v)...)
}

func unknownFields(spec Spec, v Values) []*ParamError {
	var problems []*ParamError
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, known := spec.Param(name); !known {
			problems = append(problems, &ParamError{name, spec.UnknownField(name)})
		}
	}
	return problems
}

// UnknownField is the problem with a field the mechanism does not have: it asks
// for the nearest one it has, or lists them. Further names, such as those of the
// fields every entry has, may be offered too.
func (s *Spec) UnknownField(name string, others ...string) string {
	known := make([]string, 0, len(s.Params)+len(others))
	for _, p := range s.Params {
		known = append(known, p.Name)
	}
	known = append(known, others...)
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("unknown field of %s; did you mean %s?", s.Name, near)
	}
	return fmt.Sprintf("unknown field of %s; it has %s", s.Name, strings.Join(known, ", "))
}

// Allowed says what the parameter may be: "must be greater than 0".
func (p Param) Allowed() string {
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
	kind := "a number"
	if p.Type == Whole {
		kind = "a whole number"
	}
	if r := p.rangeText(); r != "" {
		if p.Type == Whole {
			return "must be a whole number, " + r
		}
		return "must be " + r
	}
	return "must be " + kind
}

// rangeText is the allowed range in words, "" where every number is allowed.
func (p Param) rangeText() string {
	var parts []string
	limit := func(x float64, open bool, beyond, from string) {
		switch {
		case math.IsInf(x, 0):
		case open:
			parts = append(parts, beyond+" "+FormatNumber(x))
		default:
			parts = append(parts, from+" "+FormatNumber(x))
		}
	}
	limit(p.Min, p.OpenMin, "greater than", "at least")
	limit(p.Max, p.OpenMax, "less than", "at most")
	return strings.Join(parts, " and ")
}

// CheckNumber is the problem with a number as this parameter's value, "" if there
// is none. Forms use it on every key press.
func (p Param) CheckNumber(x float64) string {
	switch {
	case math.IsNaN(x):
		return "must be a number, got NaN"
	case math.IsInf(x, 0):
		return "must be finite, got " + FormatNumber(x)
	case x < p.Min || x > p.Max || p.OpenMin && x == p.Min || p.OpenMax && x == p.Max:
		return "must be " + p.rangeText() + ", got " + FormatNumber(x)
	case p.Type == Whole && x != math.Trunc(x):
		return "must be a whole number, got " + FormatNumber(x)
	}
	return ""
}

func (p Param) check(v Value) string {
	if v.Type != p.Type && !(numeric(v.Type) && numeric(p.Type)) {
		return p.Allowed() + ", got " + v.describe()
	}
	switch p.Type {
	case Number, Whole:
		return p.CheckNumber(v.Number)
	case Choice:
		if !slices.Contains(p.Choices, v.Text) {
			return p.Allowed() + ", got " + quoted(v.Text)
		}
	case Scores:
		return p.checkScores(v.Items)
	case Points:
		return checkPoints(v.Items)
	}
	return ""
}

func numeric(t Type) bool { return t == Number || t == Whole }

// describe names a value for an error message, never by its Go type.
func (v Value) describe() string {
	switch v.Type {
	case Number, Whole:
		return FormatNumber(v.Number)
	case Choice:
		return quoted(v.Text)
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
			FormatNumber(maxCandidates), FormatNumber(float64(len(items))))
	}
	seen := map[string]bool{}
	for i, item := range items {
		switch {
		case p.Named && item.Name == "":
			return fmt.Sprintf("the candidate number %d has no name", i+1)
		case p.Named && seen[item.Name]:
			return "the candidate " + quoted(item.Name) + " is listed twice"
		case math.IsNaN(item.Value) || math.IsInf(item.Value, 0):
			label := fmt.Sprintf("number %d", i+1)
			if p.Named {
				label = quoted(item.Name)
			}
			return fmt.Sprintf("the score of %s must be finite, got %s", label, FormatNumber(item.Value))
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
		switch order := FormatNumber(item.Order); {
		case math.IsNaN(item.Order) || item.Order <= 1 || math.IsInf(item.Order, 0):
			return "an order must be a finite number greater than 1, got " + order
		case math.IsNaN(item.Value) || item.Value < 0 || math.IsInf(item.Value, 0):
			return "the value at order " + order + " must be at least 0 and finite, got " + FormatNumber(item.Value)
		case seen[item.Order]:
			return "order " + order + " is listed twice"
		}
		seen[item.Order] = true
	}
	return ""
}

// quoted shows text from a user in a message: short and without control characters.
func quoted(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
