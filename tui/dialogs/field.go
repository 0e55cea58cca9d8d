package dialogs

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
)

// formField is one line of a form. Choices and flags cycle; everything else is
// typed and checked while it is typed.
type formField struct {
	name   string
	symbol string
	help   string
	param  param.Param
	free   bool // any text: a label, a unit
	empty  bool // may be left empty

	kit.Blank
	derived bool   // not given: it follows from another field
	instead string // the names of the fields given instead of a derived one
	problem string
}

// number is a field for a number, of which 0 is none; words is one for any text; choice is
// one of a few words.
func number(s *kit.Shell, name, symbol, help string, x float64, p param.Param) *formField {
	f := words(s, name, help, "")
	if x != 0 {
		f.Input.SetValue(numeral.Format(x))
	}
	f.symbol, f.param, f.free = symbol, p, false
	return f
}

func words(s *kit.Shell, name, help, text string) *formField {
	return &formField{name: name, help: help, free: true, empty: true, Blank: kit.Blank{Input: kit.NewInput(text)}}
}

func choice(name, help, word string, words ...string) *formField {
	f := &formField{name: name, help: help, Blank: kit.Blank{Choices: words}}
	f.Pick(word)
	return f
}

// label is the field's name for people. What a selection runs has its own names.
func (f *formField) label() string {
	name := f.name
	if f.param.Inner || strings.HasPrefix(name, f.symbol+".") {
		_, name, _ = strings.Cut(name, ".")
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(name)
}

// check says what is wrong with the field by itself.
func (f *formField) check() string {
	switch {
	case f.Choices != nil || f.free || f.derived:
		return ""
	case f.Value() == "" && f.empty:
		return ""
	case f.Value() == "":
		return "is missing; " + f.param.Allowed()
	}
	_, err := Meaning(f.param, f.Value())
	if f.param.Type == param.Scores || f.param.Type == param.Points {
		_, err = parseItems(f.Value(), f.param)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Meaning is the number a text stands for, if it is not written out already.
func Meaning(p param.Param, s string) (string, error) {
	x, err := numeral.Parse(s)
	if err != nil {
		return "", err
	}
	if problem := p.CheckNumber(x); problem != "" {
		if up := math.Ceil(x); p.Type == param.Whole && up != x && p.CheckNumber(up) == "" {
			problem += "; try " + numeral.Format(up)
		}
		return "", fmt.Errorf("%s", problem)
	}
	if strings.ContainsAny(s, "/(^*√") {
		return "= " + report.Figure(x), nil
	}
	return "", nil
}

// formatItems writes candidates, scores or Rényi points as a field shows them:
// "dark: 500, brown: 400", "3, 5", "2: 0.1, 8: 0.5".
func formatItems(v param.Value) string {
	parts := make([]string, len(v.Items))
	for i, it := range v.Items {
		x := numeral.Format(it.Value)
		switch {
		case v.Type == param.Points:
			parts[i] = numeral.Format(it.Order) + ": " + x
		case it.Name != "":
			parts[i] = it.Name + ": " + x
		default:
			parts[i] = x
		}
	}
	return strings.Join(parts, ", ")
}

// exampleItems is what such a field expects.
func exampleItems(p param.Param) string {
	switch {
	case p.Type == param.Points:
		return "2: 0.1, 8: 0.5"
	case p.Named:
		return "river: 520, hills: 310"
	}
	return "520, 310, 45"
}

// parseItems reads them back.
func parseItems(s string, p param.Param) (param.Value, error) {
	v := param.Value{Type: p.Type}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, score, named := part, part, false
		if i := strings.LastIndexByte(part, ':'); i >= 0 {
			name, score, named = strings.TrimSpace(part[:i]), part[i+1:], true
		}
		x, err := numeral.Parse(score)
		if err != nil {
			return v, fmt.Errorf("%q %w", part, err)
		}
		it := param.Item{Value: x}
		switch {
		case p.Type == param.Points:
			if !named {
				return v, errors.New("needs an order before each value: " + exampleItems(p))
			}
			if it.Order, err = numeral.Parse(name); err != nil {
				return v, fmt.Errorf("the order %q %w", name, err)
			}
		case p.Named && !named:
			return v, errors.New("needs a name before each score: " + exampleItems(p))
		case p.Named:
			it.Name = name
		case named:
			return v, errors.New("takes plain scores: 3, 5, 8")
		}
		v.Items = append(v.Items, it)
	}
	return v, nil
}
