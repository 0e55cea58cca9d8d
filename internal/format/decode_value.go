package format

import (
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Text reads a scalar as text. A number without quotes is accepted as text.
func (d *Decoder) Text(n *yamltree.Node, field string) string {
	if n.Kind != yamltree.Scalar {
		d.FailOnce(n, field, "must be text, got "+n.Describe())
		return ""
	}
	if n.IsNull() {
		return ""
	}
	return n.Text
}

// numberHint returns "; write N" if n is a number written as text.
func numberHint(n *yamltree.Node) string {
	if n.Kind != yamltree.Scalar {
		return ""
	}
	x, err := numeral.Parse(n.Text)
	if err != nil {
		return ""
	}
	return "; write " + numeral.Format(x)
}

// Param reads a parameter by its declared type. A value of another type is reported
// and replaced by the initial value, so that later checks do not report it as
// missing.
func (d *Decoder) Param(p param.Param, n *yamltree.Node, field string) param.Value {
	value := param.Value{Type: p.Type}
	ok, hint := false, ""
	switch p.Type {
	case param.Number, param.Whole:
		value.Number, ok = n.Number()
		hint = numberHint(n)
	case param.Choice:
		if p.Choices == nil {
			value.Text = d.Text(n, field)
			return value
		}
		value.Text, ok = n.Text, n.Kind == yamltree.Scalar && !n.IsNull()
	case param.Flag:
		value.Flag, ok = n.Bool()
	case param.Scores, param.Points:
		value.Items, ok = d.items(p, n, field)
	}
	if !ok {
		allowed := p.Requirement()
		if word := absentWord(p); word != "" {
			allowed = "must be " + word + " or a number " + strings.TrimPrefix(allowed, "must be ")
		}
		d.FailOnce(n, field, allowed+", got "+n.Describe()+hint)
		return p.Initial
	}
	return value
}

// items reads a list parameter: a sequence of scores without names, or a mapping of candidates to scores
// or of Rényi orders to divergences.
func (d *Decoder) items(p param.Param, n *yamltree.Node, field string) (items []param.Item, ok bool) {
	if p.Type == param.Scores && !p.Named {
		if n.Kind != yamltree.Sequence {
			return nil, false
		}
		before := len(d.Errors)
		items = make([]param.Item, len(n.Items))
		for i, item := range n.Items {
			items[i].Value = d.score(item, func() string { return WithIndex(field, i) })
		}
		return items, len(d.Errors) == before
	}
	if n.Kind != yamltree.Mapping {
		return nil, false
	}
	pairs := d.pairs(n, field+".") // a name given twice does not make the value one of another type
	before := len(d.Errors)
	for _, pair := range pairs {
		key := pair.Key.Text
		var item param.Item
		if p.Type == param.Points {
			if item.Order, ok = yamltree.ParseFloat(key); !ok {
				d.Fail(pair.Key, field, "an order must be a number greater than 1, got "+pair.Key.Describe())
			}
		}
		item.Value = d.score(pair.Value, func() string { return field + "." + key })
		if p.Type == param.Scores {
			item.Name = key
			if problem := checkText(key, false); problem != "" {
				d.Fail(pair.Key, field, "a candidate's name: "+problem)
			}
		}
		items = append(items, item)
	}
	return items, len(d.Errors) == before
}

func (d *Decoder) score(n *yamltree.Node, field func() string) float64 {
	x, ok := n.Deref().Float()
	if !ok {
		d.Fail(n, field(), "must be a number, got "+n.Describe())
	}
	return x
}
