package document

// Tree is what a text should say: the target that a new text is written from and an old
// one is edited towards.
type Tree struct {
	Kind   treeKind
	number float64
	text   string
	flag   bool
	Fields []TreeField
	Items  []*Tree

	Node    *Node // where this stood in the old text, if it did
	Block   bool  // in a new file, one field or item a line
	Ordered bool  // the order of the fields means something: candidates
	Counted bool  // items are known by their number, not by where they stood
}

type treeKind uint8

const (
	numberTree treeKind = iota
	textTree
	flagTree
	MappingTree
	SequenceTree
)

// TreeField is one field of a mapping. A field that says no more than its default
// is not written, but one that is there already is kept.
type TreeField struct {
	name    string
	value   *Tree
	implied bool
}

func NumberOf(x float64) *Tree { return &Tree{Kind: numberTree, number: x} }
func TextOf(s string) *Tree    { return &Tree{Kind: textTree, text: s} }
func FlagOf(b bool) *Tree      { return &Tree{Kind: flagTree, flag: b} }

func (t *Tree) Put(name string, value *Tree, implied bool) {
	t.Fields = append(t.Fields, TreeField{name, value, implied})
}
