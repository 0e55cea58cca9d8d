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
	t := &tree{kind: mappingTree, block: true}
	t.put("version", numberOf(Version), false)
	t.put("name", textOf(s.Name), s.Name == "")
	t.put("description", textOf(s.Description), s.Description == "")
	t.put("unit", textOf(s.Unit), s.Unit == "")
	t.put("adjacency", textOf(string(s.Adjacency)), s.Adjacency == mechanisms.AddRemove)
	budget := &tree{kind: mappingTree}
	if s.Budget.Epsilon != 0 {
		budget.put("epsilon", numberOf(s.Budget.Epsilon), false)
	}
	budget.put("delta", numberOf(s.Budget.Delta), s.Budget.Delta == 0)
	t.put("budget", budget, s.Budget == Budget{})
	if s.Alpha == 0 {
		t.put("alpha", textOf("auto"), true)
	} else {
		t.put("alpha", numberOf(s.Alpha), false)
	}
	t.put("rounds", numberOf(s.Rounds), s.Rounds == 1)
	t.put("group", numberOf(s.Group), s.Group == 1)
	if s.Records != 0 {
		t.put("records", numberOf(s.Records), false)
	}
	t.put("stack", entriesTree(s.Stack, true), false)
	t.put("expect", expectTree(s.Expect), len(s.Expect) == 0)
	return t
}

func entriesTree(list []Entry, block bool) *tree {
	t := &tree{kind: sequenceTree, block: block && len(list) > 0}
	for i := range list {
		t.items = append(t.items, list[i].tree())
	}
	return t
}

func (e *Entry) tree() *tree {
	t := &tree{kind: mappingTree}
	if e.source != nil {
		t.node = e.source.node
	}
	if e.Parallel != nil {
		t.block = true
		t.put("label", textOf(e.Label), e.Label == "")
		t.put("count", numberOf(e.Count), e.Count == 1)
		t.put("disabled", flagOf(e.Disabled), !e.Disabled)
		branches := &tree{kind: sequenceTree, block: len(e.Parallel) > 0}
		for _, b := range e.Parallel {
			branches.items = append(branches.items, branchTree(b))
		}
		t.put("parallel", branches, false)
		return t
	}
	t.put("mechanism", textOf(e.Mechanism), false)
	t.put("label", textOf(e.Label), e.Label == "")
	if spec, ok := mechanisms.Lookup(e.Mechanism); ok {
		for _, p := range spec.Params {
			if v, given := e.Values[p.Name]; given {
				t.put(p.Name, valueTree(p, v), false)
				t.block = t.block || len(v.Items) > 0
			}
		}
	}
	t.put("count", numberOf(e.Count), e.Count == 1)
	rate := &tree{kind: mappingTree}
	rate.put("rate", numberOf(e.Sampling), false)
	t.put("sampling", rate, e.Sampling == 1)
	t.put("disabled", flagOf(e.Disabled), !e.Disabled)
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

func expectTree(list []Expectation) *tree {
	t := &tree{kind: sequenceTree, block: len(list) > 0, counted: true}
	for _, e := range list {
		item := &tree{kind: mappingTree}
		item.put("method", textOf(string(e.Method)), false)
		item.put("epsilon", numberOf(e.Epsilon), false)
		item.put("tolerance", numberOf(e.Tolerance), e.Tolerance == defaultTolerance)
		item.put("source", textOf(e.Source), e.Source == "")
		t.items = append(t.items, item)
	}
	return t
}
