package mechanisms

import (
	"fmt"
	"math"
	"sort"
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
	var names []string
	for name := range v {
		if _, known := spec.Param(name); !known {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	problems := make([]*ParamError, len(names))
	for i, name := range names {
		problems[i] = &ParamError{name, spec.UnknownField(name)}
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
	if !math.IsInf(p.Min, -1) {
		if p.OpenMin {
			parts = append(parts, "greater than "+FormatNumber(p.Min))
		} else {
			parts = append(parts, "at least "+FormatNumber(p.Min))
		}
	}
	if !math.IsInf(p.Max, 1) {
		if p.OpenMax {
			parts = append(parts, "less than "+FormatNumber(p.Max))
		} else {
			parts = append(parts, "at most "+FormatNumber(p.Max))
		}
	}
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
		for _, c := range p.Choices {
			if c == v.Text {
				return ""
			}
		}
		return p.Allowed() + ", got " + quoted(v.Text) + p.Else
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

// check finds what is wrong with the choice between sets of parameters.
func (a Alternative) check(v Values) *ParamError {
	var touched [][]string
	for _, set := range a.Sets {
		for _, name := range set {
			if v.Has(name) {
				touched = append(touched, set)
				break
			}
		}
	}
	switch {
	case len(touched) == 0 && a.Optional:
		return nil
	case len(touched) == 0:
		return &ParamError{a.Sets[0][0], "is missing; give " + a.text()}
	case len(touched) > 1:
		return &ParamError{a.firstGiven(touched[1], v), "give only one of " + a.text()}
	}
	for _, name := range touched[0] {
		if !v.Has(name) {
			return &ParamError{name, "is missing; give " + a.text()}
		}
	}
	return nil
}

func (a Alternative) firstGiven(set []string, v Values) string {
	for _, name := range set {
		if v.Has(name) {
			return name
		}
	}
	return set[0]
}

// text lists the sets: "sigma, or epsilon and delta".
func (a Alternative) text() string {
	sets := make([]string, len(a.Sets))
	comma := false
	for i, set := range a.Sets {
		sets[i] = strings.Join(set, " and ")
		comma = comma || len(set) > 1
	}
	last := len(sets) - 1
	separator := " or "
	if comma {
		separator = ", or "
	}
	return strings.Join(sets[:last], ", ") + separator + sets[last]
}

// quoted shows text from a user in a message: short and without control characters.
func quoted(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
