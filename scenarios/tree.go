package scenarios

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// tree is the whole scenario, in the order of a new file.
func (s *Scenario) tree() *document.Tree {
	t := treeOf(s, scenarioFields)
	t.Block = true
	return t
}

// treeOf is a mapping by its table. What must be given is never implied.
func treeOf[T any](x *T, rows []field[T]) *document.Tree {
	t := &document.Tree{Kind: document.MappingTree}
	for _, f := range rows {
		if value, implied := f.tree(x); value != nil {
			t.Put(f.Name, value, implied && f.missing == "")
		}
	}
	return t
}

func (f field[T]) tree(x *T) (t *document.Tree, implied bool) {
	if f.parts == nil {
		return treeAt(f.Param, f.at(x))
	}
	implied = true
	for _, part := range f.parts {
		_, same := part.tree(x)
		implied = implied && same
	}
	return treeOf(x, f.parts), implied
}

// treeAt is a field's value as it stands in a file, nil if there is none, and whether
// it says no more than the default.
func treeAt(p mechanisms.Param, at any) (t *document.Tree, implied bool) {
	switch at := at.(type) {
	case *[]Entry:
		return entriesTree(*at, true), false
	case *[][]Entry:
		t := &document.Tree{Kind: document.SequenceTree, Block: len(*at) > 0}
		for _, branch := range *at {
			t.Items = append(t.Items, branchTree(branch))
		}
		return t, false
	case *[]Expectation:
		t := &document.Tree{Kind: document.SequenceTree, Block: len(*at) > 0, Counted: true}
		for i := range *at {
			t.Items = append(t.Items, treeOf(&(*at)[i], expectFields))
		}
		return t, len(*at) == 0
	case *mechanisms.Also:
		return alsoTree(*at), !at.AddRemove
	case versionNumber:
		return document.NumberOf(float64(at)), false
	}
	v, given, _ := valueAt(p, at)
	if given {
		_, own := at.(param) // a parameter is written as it was given
		return valueTree(p, v), !own && v.Number == p.Default.Number && v.Text == p.Default.Text && v.Flag == p.Default.Flag
	}
	if p.Default.Text != "" {
		t = document.TextOf(p.Default.Text)
	}
	return t, true
}

func entriesTree(list []Entry, block bool) *document.Tree {
	t := &document.Tree{Kind: document.SequenceTree, Block: block && len(list) > 0}
	for i := range list {
		t.Items = append(t.Items, list[i].tree())
	}
	return t
}

func (e *Entry) tree() *document.Tree {
	t := treeOf(e, e.table().rows)
	if e.source != nil {
		t.Node = e.source.node
	}
	t.Block = e.Parallel != nil
	for _, v := range e.Values {
		t.Block = t.Block || len(v.Items) > 0
	}
	return t
}

// branchTree is one branch; it stood where its first known entry did.
func branchTree(list []Entry) *document.Tree {
	t := entriesTree(list, false)
	for i := range list {
		if list[i].Parallel != nil {
			t.Block = true
		}
		if src := list[i].source; src != nil && t.Node == nil {
			t.Node = src.list
		}
	}
	return t
}

func valueTree(p mechanisms.Param, v mechanisms.Value) *document.Tree {
	switch p.Type {
	case mechanisms.Choice:
		return document.TextOf(v.Text)
	case mechanisms.Flag:
		return document.FlagOf(v.Flag)
	case mechanisms.Scores, mechanisms.Points:
		return itemsTree(p, v.Items)
	}
	return document.NumberOf(v.Number)
}

func itemsTree(p mechanisms.Param, items []mechanisms.Item) *document.Tree {
	if p.Type == mechanisms.Scores && !p.Named {
		t := &document.Tree{Kind: document.SequenceTree}
		for _, item := range items {
			t.Items = append(t.Items, document.NumberOf(item.Value))
		}
		return t
	}
	t := &document.Tree{Kind: document.MappingTree, Ordered: true, Fields: make([]document.TreeField, 0, len(items))}
	for _, item := range items {
		name := item.Name
		if p.Type == mechanisms.Points {
			name = mechanisms.FormatNumber(item.Order)
		}
		t.Put(name, document.NumberOf(item.Value), false)
	}
	return t
}
