package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/document"
)

// ParseValue reads a parameter's value as people type it: an expression such as
// 1/800, a word, or a list as it would stand in a file. The value is of the
// parameter's type and within its range.
func ParseValue(p param.Param, text string) (v param.Value, err error) {
	v.Type = p.Type
	switch p.Type {
	case param.Number, param.Whole:
		v.Number, err = parseNumber(p, text)
	case param.Choice:
		v.Text = strings.TrimSpace(text)
	case param.Flag:
		v.Flag, err = parseFlag(p, text)
	default:
		v, err = parseItems(p, text)
	}
	if err != nil {
		return param.Value{}, err
	}
	if problem := p.Check(v); problem != "" {
		return param.Value{}, &param.Error{Param: p.Name, Problem: problem}
	}
	return v, nil
}

// parseItems reads a list as it would stand in a file.
func parseItems(p param.Param, text string) (param.Value, error) {
	doc, err := document.Read([]byte(text))
	if err != nil || doc.Root == nil {
		return param.Value{}, &param.Error{Param: p.Name, Problem: p.Allowed()}
	}
	d := &Decoder{Doc: doc}
	v := d.Param(p, doc.Root.Deref(), p.Name)
	if len(d.Errors) > 0 {
		return param.Value{}, &param.Error{Param: p.Name, Problem: d.Errors[0].Problem}
	}
	return v, nil
}

// parseNumber reads an expression into a number the parameter allows.
func parseNumber(p param.Param, text string) (float64, error) {
	x, err := numeral.Parse(text)
	if err != nil {
		return 0, &param.Error{Param: p.Name, Problem: err.Error() + "; " + p.Allowed()}
	}
	if problem := p.CheckNumber(x); problem != "" {
		return 0, &param.Error{Param: p.Name, Problem: problem}
	}
	return x, nil
}

func parseFlag(p param.Param, text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, &param.Error{Param: p.Name, Problem: p.Allowed()}
}

// Equal compares two values.
func Equal(a, b param.Value) bool {
	return a.Type == b.Type && a.Number == b.Number && a.Text == b.Text && a.Flag == b.Flag &&
		slices.Equal(a.Items, b.Items)
}

// ValueText is a parameter's value for people.
func ValueText(p param.Param, v param.Value) string {
	switch p.Type {
	case param.Choice:
		return v.Text
	case param.Flag:
		return strconv.FormatBool(v.Flag)
	case param.Scores, param.Points:
		items := make([]string, 0, len(v.Items))
		for i, item := range v.Items {
			if i == 6 && len(v.Items) > 7 {
				items = append(items, fmt.Sprintf("%d more", len(v.Items)-i))
				break
			}
			text := numeral.Format(item.Value)
			if name := itemName(p, item); name != "" {
				text = name + ": " + text
			}
			items = append(items, text)
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return numeral.Format(v.Number)
}

// itemName is what an item is called in a mapping: its name, or its Rényi order.
func itemName(p param.Param, item param.Item) string {
	if p.Type == param.Points {
		return numeral.Format(item.Order)
	}
	return item.Name
}
