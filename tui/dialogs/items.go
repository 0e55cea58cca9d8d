package dialogs

import (
	"errors"
	"fmt"
	"strings"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
)

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
