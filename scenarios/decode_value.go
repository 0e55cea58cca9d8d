package scenarios

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// param decodes one parameter by its declared type. A value of another type is
// reported, and its initial value put in its place, so that the checks that
// follow do not also call it missing.
func (d *decoder) param(e *Entry, p mechanisms.Param, v *document.Node, field string) {
	value := mechanisms.Value{Type: p.Type}
	ok := false
	switch p.Type {
	case mechanisms.Number, mechanisms.Whole:
		value.Number, ok = document.Number(v)
	case mechanisms.Choice:
		value.Text, ok = v.Text, v.Kind == document.Scalar && !v.Null()
	case mechanisms.Flag:
		value.Flag, ok = v.Bool()
	case mechanisms.Scores:
		if p.Named {
			value.Items, ok = d.named(v, field)
		} else {
			value.Items, ok = d.list(v, field)
		}
	case mechanisms.Points:
		value.Items, ok = d.points(v, field)
	}
	if !ok {
		problem := p.Allowed() + ", got " + v.Describe()
		if p.Type == mechanisms.Number || p.Type == mechanisms.Whole {
			problem += spelled(v)
		}
		d.failOnce(v, field, problem)
		value = p.Initial
	}
	e.Values[p.Name] = value
}

// spelled tells who wrote a number as text which number to write instead.
func spelled(v *document.Node) string {
	if v.Kind != document.Scalar {
		return ""
	}
	x, err := mechanisms.ParseNumber(v.Text)
	if err != nil {
		return ""
	}
	return "; write " + mechanisms.FormatNumber(x)
}

// named decodes candidates with a score each.
func (d *decoder) named(v *document.Node, field string) ([]mechanisms.Item, bool) {
	if v.Kind != document.Mapping {
		return nil, false
	}
	pairs := d.pairs(v, field+".")
	items := make([]mechanisms.Item, 0, len(pairs))
	ok := true
	for _, p := range pairs {
		score, number := p.Value.Deref().Float()
		if !number {
			d.fail(p.Value, field+"."+p.Key.Text, "must be a number, got "+p.Value.Describe())
			ok = false
		}
		if problem := checkText(p.Key.Text, false); problem != "" {
			d.fail(p.Key, field, "a candidate's name: "+problem)
			ok = false
		}
		items = append(items, mechanisms.Item{Name: p.Key.Text, Value: score})
	}
	return items, ok
}

// list decodes scores without names.
func (d *decoder) list(v *document.Node, field string) ([]mechanisms.Item, bool) {
	if v.Kind != document.Sequence {
		return nil, false
	}
	items := make([]mechanisms.Item, 0, len(v.Items))
	ok := true
	for i, item := range v.Items {
		score, number := item.Value.Deref().Float()
		if !number {
			d.fail(item.Value, indexed(field, i), "must be a number, got "+item.Value.Describe())
			ok = false
		}
		items = append(items, mechanisms.Item{Value: score})
	}
	return items, ok
}

// points decodes Rényi points, order: value.
func (d *decoder) points(v *document.Node, field string) ([]mechanisms.Item, bool) {
	if v.Kind != document.Mapping {
		return nil, false
	}
	items := make([]mechanisms.Item, 0, len(v.Pairs))
	ok := true
	for _, p := range d.pairs(v, field+".") {
		order, number := document.ParseFloat(p.Key.Text)
		if !number {
			d.fail(p.Key, field, "an order must be a number greater than 1, got "+p.Key.Describe())
			ok = false
		}
		value, number := p.Value.Deref().Float()
		if !number {
			d.fail(p.Value, field+"."+p.Key.Text, "must be a number, got "+p.Value.Describe())
			ok = false
		}
		items = append(items, mechanisms.Item{Order: order, Value: value})
	}
	return items, ok
}
