package yamltree

import (
	"slices"
	"strings"
)

// patchMapping edits the fields that differ, removes those that are gone and inserts new
// ones where a new file would have them. If one field replaces another, such as scale for
// epsilon, the new one gets the place of the old one.
func (p *patcher) patchMapping(n, to *Node) {
	if to.Ordered {
		p.patchOrderedMapping(n, to)
		return
	}
	gone := make([]bool, len(n.Pairs))
	for i, pair := range n.Pairs {
		_, stays := to.Get(pair.Key.Text)
		gone[i] = !stays
	}
	if !slices.Contains(gone, false) || gone[0] && n.Style == Block && !p.startsLine(n.Start) {
		p.rewriteNode(n, to) // nothing stays, or the field beside a dash goes
		return
	}
	var added []Pair
	for _, f := range to.Pairs {
		if _, there := n.Get(f.Key.Text); !there && !f.Implied {
			added = append(added, f)
		}
	}
	for i, pair := range n.Pairs {
		f, _ := to.Get(pair.Key.Text)
		switch {
		case !gone[i] && p.coarse && !matches(pair.Value, f.Value):
			p.rewriteNode(pair.Value, f.Value)
		case !gone[i]:
			p.patchNode(pair.Value, f.Value)
		case len(added) > 0 && pair.Value.Kind == Scalar && added[0].Value.Kind == Scalar:
			p.replace(pair.Key.Start, pair.Value.End, inYAML.field(added[0]))
			gone[i], added = false, added[1:]
		}
	}
	if n.Style == Flow {
		p.removeFlow(n, gone)
	} else {
		p.removeBlock(n, gone)
	}
	for _, f := range added {
		p.add(n, n.Pairs[insertionIndex(n, to, gone, f.Key.Text)], f)
	}
}

// patchOrderedMapping edits scores in place if the candidates are still the same.
func (p *patcher) patchOrderedMapping(n, to *Node) {
	if !sameKeys(n, to) {
		p.rewriteNode(n, to)
		return
	}
	for i, pair := range n.Pairs {
		p.patchNode(pair.Value, to.Pairs[i].Value)
	}
}

// removeFlow takes fields out of brackets, each with one comma: the one behind it, or before
// it where no field stays behind.
func (p *patcher) removeFlow(n *Node, gone []bool) {
	last := len(gone) - 1
	for gone[last] {
		last--
	}
	for i, pair := range n.Pairs {
		switch {
		case gone[i] && i < last:
			p.replace(pair.Key.Start, n.Pairs[i+1].Key.Start, "")
		case gone[i]:
			p.replace(n.Pairs[i-1].Value.End, pair.Value.End, "")
		}
	}
}

// removeBlock takes whole lines out.
func (p *patcher) removeBlock(n *Node, gone []bool) {
	for i, pair := range n.Pairs {
		if gone[i] {
			p.replace(p.lineStart(pair.Key.Start), p.lineBelow(pair), "")
		}
	}
}

// lineBelow returns the start of the line below a field.
func (p *patcher) lineBelow(pair Pair) int { return p.nextLine(max(pair.Key.End, pair.Value.End)) }

// add puts a new field behind another.
func (p *patcher) add(n *Node, behind, f Pair) {
	if n.Style == Flow {
		p.replace(behind.Value.End, behind.Value.End, ", "+inYAML.field(f))
		return
	}
	at, column := p.lineBelow(behind), p.column(n.Start)
	one := Node{Kind: Mapping, Style: Block, Pairs: []Pair{f}}
	text := strings.Repeat(" ", column) + one.Emit(column) + "\n"
	if at > 0 && p.text[at-1] != '\n' {
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	p.replace(at, at, text)
}

// insertionIndex returns the existing pair after which a new field is inserted: the nearest one that precedes it
// in a new file, else the first that stays.
func insertionIndex(n, to *Node, gone []bool, name string) int {
	best := slices.Index(gone, false)
	for _, f := range to.Pairs {
		if f.Key.Text == name {
			break
		}
		if i := slices.IndexFunc(n.Pairs, func(p Pair) bool { return p.Key.Text == f.Key.Text }); i >= 0 && !gone[i] {
			best = i
		}
	}
	return best
}
