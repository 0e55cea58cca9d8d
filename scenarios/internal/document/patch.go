package document

import (
	"slices"
	"strings"
)

// Patched is a document's text edited towards a tree, touching only what differs; coarse
// writes every field that differs anew, as a whole.
func Patched(doc *Document, t *Tree, coarse bool) []byte {
	p := &patcher{doc: doc, coarse: coarse}
	p.node(doc.Root, t)
	return doc.Restore(doc.Apply(p.edits))
}

// Rewritten is a tree as a new text below the words that the document starts with.
func Rewritten(doc *Document, t *Tree) []byte {
	return doc.Restore(doc.Text[:leadingComments(doc.Text)] + t.Emit(0) + "\n")
}

// leadingComments is the length of the comments and blank lines a text starts with.
func leadingComments(text string) int {
	at := 0
	for at < len(text) {
		line, _, _ := strings.Cut(text[at:], "\n")
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' || at+len(line) >= len(text) {
			break
		}
		at += len(line) + 1
	}
	return at
}

// patcher edits an old text towards a tree and touches only what differs.
type patcher struct {
	doc    *Document
	edits  []Edit
	coarse bool // write every field that differs anew, as a whole
}

func (p *patcher) replace(start, end int, text string) {
	p.edits = append(p.edits, Edit{Start: start, End: end, Text: text})
}

// node edits one node towards a tree.
func (p *patcher) node(n *Node, t *Tree) {
	switch {
	case matches(n, t):
	case n.Kind == Mapping && t.Kind == MappingTree && len(n.Pairs) > 0:
		p.mapping(n, t)
	case n.Kind == Sequence && t.Kind == SequenceTree && len(n.Items) > 0 && len(t.Items) > 0 && !scalars(t):
		p.sequence(n, t)
	default:
		p.whole(n, t)
	}
}

// field edits the value of a field.
func (p *patcher) field(n *Node, t *Tree) {
	if p.coarse && !matches(n, t) {
		p.whole(n, t)
	} else {
		p.node(n, t)
	}
}

func scalars(t *Tree) bool { return t.Items[0].Kind == numberTree }

// whole writes a node anew, in brackets if it was in brackets.
func (p *patcher) whole(n *Node, t *Tree) {
	fresh := *t
	fresh.Block = n.Style == Block
	text := fresh.flow()
	switch {
	case n.Style == Empty:
		text = " " + text
	case n.Style == Literal || n.Style == Folded:
		text = strings.TrimPrefix(fresh.after(p.indent(n.Start)), " ")
	case fresh.Block && !fresh.empty():
		text = fresh.Emit(p.column(n.Start))
	}
	p.replace(n.Start, n.End, text)
}

func (t *Tree) empty() bool {
	return len(t.Items) == 0 && !slices.ContainsFunc(t.Fields, func(f TreeField) bool { return !f.implied })
}

// matches tells whether a node already says what the tree says.
func matches(n *Node, t *Tree) bool {
	n = n.Deref()
	switch t.Kind {
	case numberTree:
		x, ok := Number(n)
		return ok && x == t.number
	case flagTree:
		on, ok := n.Bool()
		return ok && on == t.flag
	case textTree:
		return n.Kind == Scalar && (n.Text == t.text && !n.Null() || t.text == "" && n.Null())
	case SequenceTree:
		if n.Null() {
			return len(t.Items) == 0
		}
		return n.Kind == Sequence && slices.EqualFunc(n.Items, t.Items, func(i Item, t *Tree) bool {
			return matches(i.Value, t) && (t.Node == nil || t.Node == i.Value || t.Node == i.Value.Deref())
		})
	}
	return n.Kind == Mapping && matchesFields(n, t)
}

func matchesFields(n *Node, t *Tree) bool {
	if t.Ordered {
		return sameKeys(n, t) && slices.EqualFunc(n.Pairs, t.Fields, func(p Pair, f TreeField) bool {
			return matches(p.Value, f.value)
		})
	}
	wanted := make(map[string]TreeField, len(t.Fields))
	stated := 0
	for _, f := range t.Fields {
		wanted[f.name] = f
		if !f.implied {
			stated++
		}
	}
	for _, p := range n.Pairs {
		f, ok := wanted[p.Key.Text]
		if !ok || !matches(p.Value, f.value) {
			return false
		}
		if !f.implied {
			stated--
		}
	}
	return stated == 0
}

// sameKeys compares the fields of an ordered mapping; 2.0 and 2 are one order.
func sameKeys(n *Node, t *Tree) bool {
	return slices.EqualFunc(n.Pairs, t.Fields, func(p Pair, f TreeField) bool {
		if p.Key.Text == f.name {
			return true
		}
		a, ok := ParseFloat(p.Key.Text)
		b, also := ParseFloat(f.name)
		return ok && also && a == b
	})
}

// lineStart and nextLine are the bounds of the line an offset is on.
func (p *patcher) lineStart(at int) int { return strings.LastIndexByte(p.doc.Text[:at], '\n') + 1 }

func (p *patcher) nextLine(at int) int {
	if i := strings.IndexByte(p.doc.Text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(p.doc.Text)
}

// ownLine tells whether nothing stands before an offset on its line.
func (p *patcher) ownLine(at int) bool {
	return strings.TrimSpace(p.doc.Text[p.lineStart(at):at]) == ""
}

// column counts the characters before an offset on its line.
func (p *patcher) column(at int) int { return len([]rune(p.doc.Text[p.lineStart(at):at])) }

// indent is the column of the field that an offset on the same line is the value
// of, dashes before it skipped.
func (p *patcher) indent(at int) int {
	line := p.doc.Text[p.lineStart(at):at]
	return len(line) - len(strings.TrimLeft(line, " -"))
}
