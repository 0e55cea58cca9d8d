package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
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
		if v.Text = text; p.Choices != nil {
			v.Text = strings.TrimSpace(text)
		}
	case param.Flag:
		v.Flag, err = parseFlag(p, text)
	default:
		v, err = parseItems(p, text)
	}
	if err != nil {
		return param.Value{}, err
	}
	if problem := check(p, v); problem != "" {
		return param.Value{}, &param.Error{Param: p.Name, Problem: problem}
	}
	return v, nil
}

// parseItems reads a list as it would stand in a file.
func parseItems(p param.Param, text string) (param.Value, error) {
	doc, err := yamltree.Read([]byte(text))
	if err != nil || doc.Root == nil {
		return param.Value{}, &param.Error{Param: p.Name, Problem: p.Requirement()}
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
		return 0, &param.Error{Param: p.Name, Problem: err.Error() + "; " + p.Requirement()}
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
	return false, &param.Error{Param: p.Name, Problem: p.Requirement()}
}

// Equal compares two values.
func Equal(a, b param.Value) bool {
	return a.Type == b.Type && a.Number == b.Number && a.Text == b.Text && a.Flag == b.Flag &&
		slices.Equal(a.Items, b.Items)
}

// ValueText returns a parameter's value for people.
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

// itemName returns what an item is called in a mapping: its name, or its Rényi order.
func itemName(p param.Param, item param.Item) string {
	if p.Type == param.Points {
		return numeral.Format(item.Order)
	}
	return item.Name
}

// Tree returns a mapping as a file has it. A required field is never implied.
func (t *Table[T]) Tree(x *T) *yamltree.Node { return treeOf(x, t.rows) }

func treeOf[T any](x *T, rows []Field[T]) *yamltree.Node {
	t := &yamltree.Node{Kind: yamltree.Mapping}
	for i := range rows {
		f := &rows[i]
		if value, implied := f.tree(x); value != nil {
			t.Put(f.Name, value, implied && f.Missing == "")
		}
	}
	return t
}

func (f *Field[T]) tree(x *T) (t *yamltree.Node, implied bool) {
	if f.Parts == nil {
		return f.value(x).Tree(f.Param)
	}
	implied = true
	for i := range f.Parts {
		_, same := f.Parts[i].tree(x)
		implied = implied && same
	}
	return treeOf(x, f.Parts), implied
}

// ValueTree returns a parameter's value as it stands in a file.
func ValueTree(p param.Param, v param.Value) *yamltree.Node {
	switch p.Type {
	case param.Choice:
		return yamltree.TextOf(v.Text)
	case param.Flag:
		return yamltree.FlagOf(v.Flag)
	case param.Scores, param.Points:
		return itemsTree(p, v.Items)
	}
	return yamltree.NumberOf(v.Number)
}

func itemsTree(p param.Param, items []param.Item) *yamltree.Node {
	if p.Type == param.Scores && !p.Named {
		t := &yamltree.Node{Kind: yamltree.Sequence}
		for _, item := range items {
			t.Items = append(t.Items, yamltree.NumberOf(item.Value))
		}
		return t
	}
	t := &yamltree.Node{Kind: yamltree.Mapping, Ordered: true, Pairs: make([]yamltree.Pair, 0, len(items))}
	for _, item := range items {
		t.Put(itemName(p, item), yamltree.NumberOf(item.Value), false)
	}
	return t
}
