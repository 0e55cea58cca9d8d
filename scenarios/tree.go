package scenarios

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// tree is what a scenario should look like as YAML: the target that a new file is
// written from and an old one is edited towards.
type tree struct {
	kind   treeKind
	number float64
	text   string
	flag   bool
	fields []treeField
	items  []*tree

	node    *document.Node // where this stood in the old text, if it did
	block   bool           // in a new file, one field or item a line
	ordered bool           // the order of the fields means something: candidates
	counted bool           // items are known by their number, not by where they stood
}

type treeKind uint8

const (
	numberTree treeKind = iota
	textTree
	flagTree
	mappingTree
	sequenceTree
)

// treeField is one field of a mapping. A field that says no more than its default
// is not written, but one that is there already is kept.
type treeField struct {
	name    string
	value   *tree
	implied bool
}

func numberOf(x float64) *tree { return &tree{kind: numberTree, number: x} }
func textOf(s string) *tree    { return &tree{kind: textTree, text: s} }
func flagOf(b bool) *tree      { return &tree{kind: flagTree, flag: b} }

func (t *tree) put(name string, value *tree, implied bool) {
	t.fields = append(t.fields, treeField{name, value, implied})
}

// tree is the whole scenario, in the order of a new file.
func (s *Scenario) tree() *tree {
	t := treeOf(s, scenarioFields)
	t.block = true
	return t
}

// treeOf is a mapping by its table. What must be given is never implied.
func treeOf[T any](x *T, rows []field[T]) *tree {
	t := &tree{kind: mappingTree}
	for _, f := range rows {
		if value, implied := f.tree(x); value != nil {
			t.put(f.Name, value, implied && f.missing == "")
		}
	}
	return t
}

func (f field[T]) tree(x *T) (t *tree, implied bool) {
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
func treeAt(p mechanisms.Param, at any) (t *tree, implied bool) {
	switch at := at.(type) {
	case *[]Entry:
		return entriesTree(*at, true), false
	case *[][]Entry:
		t := &tree{kind: sequenceTree, block: len(*at) > 0}
		for _, branch := range *at {
			t.items = append(t.items, branchTree(branch))
		}
		return t, false
	case *[]Expectation:
		t := &tree{kind: sequenceTree, block: len(*at) > 0, counted: true}
		for i := range *at {
			t.items = append(t.items, treeOf(&(*at)[i], expectFields))
		}
		return t, len(*at) == 0
	case *mechanisms.Also:
		return alsoTree(*at), !at.AddRemove
	case versionNumber:
		return numberOf(float64(at)), false
	}
	v, given, _ := valueAt(p, at)
	if given {
		_, own := at.(param) // a parameter is written as it was given
		return valueTree(p, v), !own && v.Number == p.Default.Number && v.Text == p.Default.Text && v.Flag == p.Default.Flag
	}
	if p.Default.Text != "" {
		t = textOf(p.Default.Text)
	}
	return t, true
}

func entriesTree(list []Entry, block bool) *tree {
	t := &tree{kind: sequenceTree, block: block && len(list) > 0}
	for i := range list {
		t.items = append(t.items, list[i].tree())
	}
	return t
}

func (e *Entry) tree() *tree {
	t := treeOf(e, e.table().rows)
	if e.source != nil {
		t.node = e.source.node
	}
	t.block = e.Parallel != nil
	for _, v := range e.Values {
		t.block = t.block || len(v.Items) > 0
	}
	return t
}

// branchTree is one branch; it stood where its first known entry did.
func branchTree(list []Entry) *tree {
	t := entriesTree(list, false)
	for i := range list {
		if list[i].Parallel != nil {
			t.block = true
		}
		if src := list[i].source; src != nil && t.node == nil {
			t.node = src.list
		}
	}
	return t
}

func valueTree(p mechanisms.Param, v mechanisms.Value) *tree {
	switch p.Type {
	case mechanisms.Choice:
		return textOf(v.Text)
	case mechanisms.Flag:
		return flagOf(v.Flag)
	case mechanisms.Scores, mechanisms.Points:
		return itemsTree(p, v.Items)
	}
	return numberOf(v.Number)
}

func itemsTree(p mechanisms.Param, items []mechanisms.Item) *tree {
	if p.Type == mechanisms.Scores && !p.Named {
		t := &tree{kind: sequenceTree}
		for _, item := range items {
			t.items = append(t.items, numberOf(item.Value))
		}
		return t
	}
	t := &tree{kind: mappingTree, ordered: true, fields: make([]treeField, 0, len(items))}
	for _, item := range items {
		name := item.Name
		if p.Type == mechanisms.Points {
			name = mechanisms.FormatNumber(item.Order)
		}
		t.put(name, numberOf(item.Value), false)
	}
	return t
}
