package dialogs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// values returns the parameters as the form has them.
func (f *entryForm) values() (param.Values, error) {
	v := param.Values{}
	for _, fl := range f.params() {
		if fl.derived || fl.Value() == "" {
			continue
		}
		x, err := fl.read()
		if err != nil {
			return nil, &param.Error{Param: fl.param.Name, Problem: err.Error()}
		}
		v[fl.param.Name] = x
	}
	return v, nil
}

// fill puts the form into an entry, if it makes a mechanism. A field left at its
// default stays out of the file unless it was there.
func (f *entryForm) fill(e *scenarios.Entry) error {
	if e.Parallel != nil {
		return f.fillOwn(e)
	}
	v, err := f.values()
	if err != nil {
		return err
	}
	for _, p := range f.spec.Params {
		_, was := e.Values[p.Name]
		if !was && !p.Required && !p.Optional && valueText(p, v[p.Name]) == valueText(p, p.Default) {
			delete(v, p.Name)
		}
	}
	if _, err := mechanisms.New(f.spec.Name, v); err != nil {
		return err
	}
	e.Values = v
	if err := f.fillQuery(e); err != nil {
		return err
	}
	if err := f.fillOwn(e); err != nil {
		return err
	}
	if _, err := f.around.Sensitivity(e); err != nil || e.Also.Number == 0 {
		return err
	}
	_, err = mechanisms.WithAddRemoveNumber(e.Mechanism, e.Values, e.Also.Number)
	return err
}

// fillOwn takes over what every entry has; an empty optional field is none. A number for absence is part of the claim.
func (f *entryForm) fillOwn(e *scenarios.Entry) error {
	for _, fl := range f.own {
		name, value := fl.param.Name, fl.Value()
		if fl.free() {
			value = fl.text()
		}
		absence := f.field(fieldAbsence)
		switch {
		case fl == absence:
			continue
		case name == fieldAlso && absence.Value() != "":
			value = string(mechanisms.AddRemove) + ": " + absence.Value()
		case fl.isUnset():
			value = "none"
		}
		if err := e.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// valueText returns a value as a field shows it; candidates, scores and Rényi points as
// "dark: 500, brown: 400", "3, 5", "2: 0.1, 8: 0.5".
func valueText(p param.Param, v param.Value) string {
	switch p.Type {
	case param.Choice:
		return v.Text
	case param.Flag:
		return strconv.FormatBool(v.Flag)
	case param.Number, param.Whole:
		return numeral.Format(v.Number)
	}
	parts := make([]string, len(v.Items))
	for i, it := range v.Items {
		parts[i] = numeral.Format(it.Value)
		if p.Type == param.Points {
			it.Name = numeral.Format(it.Order)
		}
		if it.Name != "" {
			parts[i] = it.Name + ": " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

// exampleItems returns what such a field expects.
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
		i := strings.LastIndexByte(part, ' ')
		switch {
		case err != nil && p.Named && !named && i > 0:
			return v, fmt.Errorf("%q needs a colon between name and score, as in %s: %s", part, strings.TrimSpace(part[:i]), part[i+1:])
		case err != nil && p.Named && !named:
			return v, fmt.Errorf("%q needs a colon and a score behind the name, as in %s: 12", part, part)
		case err != nil:
			return v, fmt.Errorf("%q %w", part, err)
		}
		it := param.Item{Value: x}
		switch {
		case p.Type == param.Points && !named:
			return v, errors.New("needs an order before each value: " + exampleItems(p))
		case p.Type == param.Points:
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
