package yamltree

import (
	"slices"
	"strings"
)

// Patch returns a document's text edited towards a node, touching only what differs; coarse
// writes every field that differs anew, as a whole.
func Patch(doc *Document, to *Node, coarse bool) []byte {
	p := &patcher{text: doc.Text, coarse: coarse}
	p.patchNode(doc.Root, to)
	return doc.Restore(p.apply(0, len(doc.Text)))
}

// Rewrite returns a node as a new text below the words that the document starts with.
func Rewrite(doc *Document, to *Node) []byte {
	head := 0 // the comments and blank lines
	for line := range strings.Lines(doc.Text) {
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' || !strings.HasSuffix(line, "\n") {
			break
		}
		head += len(line)
	}
	return doc.Restore(doc.Text[:head] + to.Emit(0) + "\n")
}

// patcher edits an old text towards a node and touches only what differs.
type patcher struct {
	text   string
	edits  []edit
	coarse bool // write every field that differs anew, as a whole
}

// edit replaces a span of the text.
type edit struct {
	start, end int
	text       string
}

func (p *patcher) replace(start, end int, text string) {
	p.edits = append(p.edits, edit{start, end, text})
}

// apply returns a span of the text with the edits made, which do not overlap. An insertion on
// the line below the last one belongs to it.
func (p *patcher) apply(start, end int) string {
	slices.SortStableFunc(p.edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	for _, e := range p.edits {
		b.WriteString(p.text[start:max(start, min(e.start, end))])
		b.WriteString(e.text)
		start = max(start, min(e.end, end))
	}
	return b.String() + p.text[start:end]
}

// patchNode edits the text of n so that it reads as to.
func (p *patcher) patchNode(n, to *Node) {
	switch {
	case matches(n, to):
	case n.Kind == Mapping && to.Kind == Mapping && len(n.Pairs) > 0:
		p.patchMapping(n, to)
	case n.Kind == Sequence && to.Kind == Sequence && len(n.Items) > 0 && len(to.Items) > 0 &&
		to.Items[0].Kind != Scalar:
		p.patchSequence(n, to)
	default:
		p.rewriteNode(n, to)
	}
}

// rewriteNode replaces the text of n by that of to, in brackets if n was in brackets.
func (p *patcher) rewriteNode(n, to *Node) {
	fresh := *to
	if to.Kind != Scalar {
		fresh.Style = n.Style
	}
	text := fresh.flow()
	switch {
	case n.Style == Empty:
		text = " " + text
	case n.Style == Literal || n.Style == Folded:
		text = strings.TrimPrefix(fresh.valueText(p.indent(n.Start)), " ")
	case fresh.Style == Block && text != "{}" && text != "[]":
		text = fresh.Emit(p.column(n.Start))
	}
	p.replace(n.Start, n.End, text)
}

// matches reports whether n already reads as to.
func matches(n, to *Node) bool {
	n = n.Deref()
	switch {
	case to.Kind == Mapping:
		return n.Kind == Mapping && matchesFields(n, to)
	case to.Kind == Sequence && n.IsNull():
		return len(to.Items) == 0
	case to.Kind == Sequence:
		return n.Kind == Sequence && slices.EqualFunc(n.Items, to.Items, func(n, to *Node) bool {
			return matches(n, to) && (to.Origin == nil || to.Origin == n || to.Origin == n.Deref())
		})
	case to.Style != Plain:
		return n.Kind == Scalar && (n.Text == to.Text && !n.IsNull() || to.Text == "" && n.IsNull())
	}
	if on, flag := to.Bool(); flag {
		was, ok := n.Bool()
		return ok && was == on
	}
	x, _ := to.Float()
	was, ok := n.Number()
	return ok && was == x
}

func matchesFields(n, to *Node) bool {
	if to.Ordered {
		return sameKeys(n, to) && slices.EqualFunc(n.Pairs, to.Pairs, func(p, f Pair) bool {
			return matches(p.Value, f.Value)
		})
	}
	for _, f := range to.Pairs {
		if _, there := n.Get(f.Key.Text); !there && !f.Implied {
			return false
		}
	}
	return !slices.ContainsFunc(n.Pairs, func(p Pair) bool {
		f, ok := to.Get(p.Key.Text)
		return !ok || !matches(p.Value, f.Value)
	})
}

// sameKeys compares the fields of an ordered mapping; 2.0 and 2 are one order.
func sameKeys(n, to *Node) bool {
	return slices.EqualFunc(n.Pairs, to.Pairs, func(p, f Pair) bool {
		if p.Key.Text == f.Key.Text {
			return true
		}
		a, ok := ParseFloat(p.Key.Text)
		b, also := ParseFloat(f.Key.Text)
		return ok && also && a == b
	})
}

// lineStart and nextLine are the bounds of the line an offset is on.
func (p *patcher) lineStart(at int) int { return strings.LastIndexByte(p.text[:at], '\n') + 1 }

func (p *patcher) nextLine(at int) int {
	if i := strings.IndexByte(p.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(p.text)
}

// startsLine reports whether only spaces precede an offset on its line.
func (p *patcher) startsLine(at int) bool { return strings.TrimSpace(p.text[p.lineStart(at):at]) == "" }

// column counts the characters before an offset on its line.
func (p *patcher) column(at int) int { return len([]rune(p.text[p.lineStart(at):at])) }

// indent returns the column of the field that an offset on the same line is the value
// of, dashes before it skipped.
func (p *patcher) indent(at int) int {
	line := p.text[p.lineStart(at):at]
	return len(line) - len(strings.TrimLeft(line, " -"))
}
