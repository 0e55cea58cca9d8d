package scenarios

import (
	"slices"
	"strings"

	"epsiloscope/scenarios/internal/document"
)

// patcher edits an old text towards a tree and touches only what differs.
type patcher struct {
	doc    *document.Document
	edits  []document.Edit
	coarse bool // write every field that differs anew, as a whole
}

func (p *patcher) replace(start, end int, text string) {
	p.edits = append(p.edits, document.Edit{Start: start, End: end, Text: text})
}

// node edits one node towards a tree.
func (p *patcher) node(n *document.Node, t *tree) {
	switch {
	case matches(n, t):
	case n.Kind == document.Mapping && t.kind == mappingTree && len(n.Pairs) > 0:
		p.mapping(n, t)
	case n.Kind == document.Sequence && t.kind == sequenceTree && len(n.Items) > 0 && len(t.items) > 0 && !scalars(t):
		p.sequence(n, t)
	default:
		p.whole(n, t)
	}
}

// field edits the value of a field.
func (p *patcher) field(n *document.Node, t *tree) {
	if p.coarse && !matches(n, t) {
		p.whole(n, t)
	} else {
		p.node(n, t)
	}
}

func scalars(t *tree) bool { return t.items[0].kind == numberTree }

// whole writes a node anew, in brackets if it was in brackets.
func (p *patcher) whole(n *document.Node, t *tree) {
	fresh := *t
	fresh.block = n.Style == document.Block
	var b strings.Builder
	switch {
	case n.Style == document.Empty:
		b.WriteByte(' ')
		fresh.writeFlow(&b)
	case n.Style == document.Literal || n.Style == document.Folded:
		fresh.writeValue(&b, p.indent(n.Start))
		text := strings.TrimPrefix(b.String(), " ")
		p.replace(n.Start, n.End, text)
		return
	case fresh.block && !fresh.empty():
		fresh.write(&b, p.column(n.Start))
	default:
		fresh.writeFlow(&b)
	}
	p.replace(n.Start, n.End, b.String())
}

func (t *tree) empty() bool {
	return len(t.items) == 0 && !slices.ContainsFunc(t.fields, func(f treeField) bool { return !f.implied })
}

// matches tells whether a node already says what the tree says.
func matches(n *document.Node, t *tree) bool {
	n = n.Deref()
	switch t.kind {
	case numberTree:
		x, ok := number(n)
		return ok && x == t.number
	case flagTree:
		on, ok := n.Bool()
		return ok && on == t.flag
	case textTree:
		return n.Kind == document.Scalar && (n.Text == t.text && !n.Null() || t.text == "" && n.Null())
	case sequenceTree:
		if n.Null() {
			return len(t.items) == 0
		}
		return n.Kind == document.Sequence && slices.EqualFunc(n.Items, t.items, func(i document.Item, t *tree) bool {
			return matches(i.Value, t) && (t.node == nil || t.node == i.Value || t.node == i.Value.Deref())
		})
	}
	return n.Kind == document.Mapping && matchesFields(n, t)
}

func matchesFields(n *document.Node, t *tree) bool {
	if t.ordered {
		return sameKeys(n, t) && slices.EqualFunc(n.Pairs, t.fields, func(p document.Pair, f treeField) bool {
			return matches(p.Value, f.value)
		})
	}
	wanted := make(map[string]treeField, len(t.fields))
	stated := 0
	for _, f := range t.fields {
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
func sameKeys(n *document.Node, t *tree) bool {
	return slices.EqualFunc(n.Pairs, t.fields, func(p document.Pair, f treeField) bool {
		if p.Key.Text == f.name {
			return true
		}
		a, ok := document.ParseFloat(p.Key.Text)
		b, also := document.ParseFloat(f.name)
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
