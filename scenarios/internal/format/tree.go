package format

import (
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/document"
)

// Tree is a mapping as it stands in a file. What must be given is never implied.
func (t *Table[T]) Tree(x *T) *document.Node { return treeOf(x, t.rows) }

func treeOf[T any](x *T, rows []Field[T]) *document.Node {
	t := &document.Node{Kind: document.Mapping}
	for _, f := range rows {
		if value, implied := f.tree(x); value != nil {
			t.Put(f.Name, value, implied && f.Missing == "")
		}
	}
	return t
}

func (f Field[T]) tree(x *T) (t *document.Node, implied bool) {
	if f.Parts == nil {
		return treeAt(f.Param, f.At(x))
	}
	implied = true
	for _, part := range f.Parts {
		_, same := part.tree(x)
		implied = implied && same
	}
	return treeOf(x, f.Parts), implied
}

func treeAt(p param.Param, at any) (t *document.Node, implied bool) {
	if at, ok := at.(Value); ok {
		return at.Tree(p)
	}
	v, given, _ := get(p, at)
	if given {
		return ValueTree(p, v), v.Number == p.Default.Number && v.Text == p.Default.Text && v.Flag == p.Default.Flag
	}
	if p.Default.Text != "" {
		t = document.TextOf(p.Default.Text)
	}
	return t, true
}

// ValueTree is a parameter's value as it stands in a file.
func ValueTree(p param.Param, v param.Value) *document.Node {
	switch p.Type {
	case param.Choice:
		return document.TextOf(v.Text)
	case param.Flag:
		return document.FlagOf(v.Flag)
	case param.Scores, param.Points:
		return itemsTree(p, v.Items)
	}
	return document.NumberOf(v.Number)
}

func itemsTree(p param.Param, items []param.Item) *document.Node {
	if p.Type == param.Scores && !p.Named {
		t := &document.Node{Kind: document.Sequence}
		for _, item := range items {
			t.Items = append(t.Items, document.NumberOf(item.Value))
		}
		return t
	}
	t := &document.Node{Kind: document.Mapping, Ordered: true, Pairs: make([]document.Pair, 0, len(items))}
	for _, item := range items {
		t.Put(itemName(p, item), document.NumberOf(item.Value), false)
	}
	return t
}
