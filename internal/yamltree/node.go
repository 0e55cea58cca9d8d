package yamltree

import (
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// Kind is the kind of a node.
type Kind uint8

const (
	Scalar Kind = iota
	Mapping
	Sequence
	Alias
)

// Style is the notation of a node.
type Style uint8

const (
	Plain   Style = iota // text without quotes
	Single               // 'text'
	Double               // "text"
	Literal              // |
	Folded               // >
	Block                // a collection by indentation
	Flow                 // a collection in brackets
	Empty                // nothing written at all: null
)

// Node is a node of a text that was read, or of a text to be written.
type Node struct {
	Kind     Kind
	Style    Style
	Text     string // a scalar's content, an alias's name
	Anchored bool
	Target   *Node // an alias's node
	Pairs    []Pair
	Items    []*Node

	// Start and End bound the node's own text, without the anchor before it or a comment
	// after it; Dash is where the "-" of a list item stands.
	Start, End, Dash int

	// Of a node to be written, where the style Block means one field or item per line:
	Origin  *Node // where it stood in the text to be edited, if it did
	Ordered bool  // the order of the fields means something: candidates
	Counted bool  // items are matched by their index, not by Origin
}

// Pair is a field of a mapping. An implied one equals its default: it is not written into a new text, but kept
// if the old text has it.
type Pair struct {
	Key, Value *Node
	Implied    bool
}

// NumberOf, TextOf and FlagOf are scalars that a text should hold.
func NumberOf(x float64) *Node { return &Node{Text: numeral.Format(x)} }
func TextOf(s string) *Node    { return &Node{Text: s, Style: Double} }
func FlagOf(b bool) *Node      { return &Node{Text: strconv.FormatBool(b)} }

// Put adds a field.
func (n *Node) Put(name string, value *Node, implied bool) {
	n.Pairs = append(n.Pairs, Pair{&Node{Text: name}, value, implied})
}

// Deref returns the node an alias stands for, or the node itself.
func (n *Node) Deref() *Node {
	if n.Kind == Alias {
		return n.Target
	}
	return n
}

// Get finds a field of a mapping.
func (n *Node) Get(key string) (Pair, bool) {
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p, true
		}
	}
	return Pair{}, false
}

// Find returns the node at a path such as "stack[2].sigma". If a field is missing, it is
// the deepest node on the path that exists.
func (n *Node) Find(path string) *Node {
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		at := n.Deref()
		if p, ok := at.Get(step); ok {
			if n = p.Value; n.Style == Empty {
				n = p.Key
			}
			continue
		}
		i, err := strconv.Atoi(step)
		if err != nil || i < 1 || i > len(at.Items) {
			return n
		}
		n = at.Items[i-1]
	}
	return n
}
