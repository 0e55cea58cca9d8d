package dialogs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// valueText is a value as a field shows it; candidates, scores and Rényi points as
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
