package scenarios

import (
	"slices"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// stack is a list of entries as a field of the file.
type stack []Entry

func (s *stack) Decode(d *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	*s = decodeEntries(d, n, path)
}

func decodeEntries(d *format.Decoder, n *yamltree.Node, path string) []Entry {
	if n.IsNull() {
		return nil
	}
	if n.Kind != yamltree.Sequence {
		d.Fail(n, path, "must be a list of mechanisms, got "+n.Describe())
		return nil
	}
	list := make([]Entry, 0, len(n.Items))
	for i, item := range n.Items {
		e := decodeEntry(d, item.Deref(), format.WithIndex(path, i))
		e.source = &entrySource{node: item, list: n}
		list = append(list, e)
	}
	return list
}

func (s *stack) Check(c *format.Checker, path string) {
	for i := range *s {
		c.Item(path, i, func() { (*s)[i].check(c) })
	}
}

func (s *stack) Equal(other any) bool { return equalEntries(*s, *other.(*stack)) }

func equalEntries(a, b []Entry) bool { return slices.EqualFunc(a, b, Entry.Equal) }

func (s *stack) Tree(param.Param) (*yamltree.Node, bool) {
	t := entriesTree(*s)
	if len(*s) > 0 {
		t.Style = yamltree.Block
	}
	return t, false
}

func entriesTree(list []Entry) *yamltree.Node {
	t := &yamltree.Node{Kind: yamltree.Sequence}
	for i := range list {
		t.Items = append(t.Items, list[i].tree())
	}
	return t
}

func (s *stack) Schema(p param.Param) format.Object {
	return format.Object{"$ref": "#/$defs/stack", "description": p.Help}
}

// branches are the branches of a parallel block as a field of the file.
type branches [][]Entry

func (b *branches) Decode(d *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	*b = branches{}
	if n.Kind != yamltree.Sequence {
		d.Fail(n, path, "must be a list of branches, each a list of mechanisms, got "+n.Describe())
	}
	for i, item := range n.Items {
		*b = append(*b, decodeEntries(d, item.Deref(), format.WithIndex(path, i)))
	}
}

func (b *branches) Check(c *format.Checker, path string) {
	for i, branch := range *b {
		if len(branch) > 0 {
			(*stack)(&branch).Check(c, format.WithIndex(path, i))
		}
	}
}

func (b *branches) Equal(other any) bool {
	return slices.EqualFunc(*b, *other.(*branches), equalEntries)
}

// Tree gives each branch the place in the text that its first entry with a known place had.
func (b *branches) Tree(param.Param) (*yamltree.Node, bool) {
	t := &yamltree.Node{Kind: yamltree.Sequence}
	for _, branch := range *b {
		one := entriesTree(branch)
		for _, e := range branch {
			if e.Parallel != nil {
				one.Style = yamltree.Block
			}
			if e.source != nil && one.Origin == nil {
				one.Origin = e.source.list
			}
		}
		t.Items, t.Style = append(t.Items, one), yamltree.Block
	}
	return t, false
}

func (b *branches) Schema(p param.Param) format.Object {
	return format.Object{"type": "array", "items": format.Object{"$ref": "#/$defs/stack"}, "description": p.Help}
}

// ParseValue reads a parameter's value as people type it: an expression such as
// 1/800, a word, or a list as it would stand in a file. The value is of the
// parameter's type and within its range.
func ParseValue(p param.Param, text string) (param.Value, error) {
	return format.ParseValue(p, text)
}

// entryParam is a parameter of an entry's mechanism as a field: it is written as it was given,
// and the mechanism checks its parameters together.
type entryParam struct {
	*Entry
	name string
}

func (p entryParam) Decode(d *format.Decoder, declared param.Param, n *yamltree.Node, path string) {
	declared.Name = p.name
	p.Values[p.name] = d.Param(declared, n, path)
}

func (p entryParam) Check(*format.Checker, string) {}

func (p entryParam) Get() (param.Value, bool) { v, given := p.Values[p.name]; return v, given }

func (p entryParam) Set(declared param.Param, text string) error {
	declared.Name = p.name
	return p.setParam(declared, text)
}

func (p entryParam) Tree(declared param.Param) (*yamltree.Node, bool) {
	return format.TreeOf(p, declared)
}

func (p entryParam) Schema(declared param.Param) format.Object { return format.ParamSchema(declared) }
