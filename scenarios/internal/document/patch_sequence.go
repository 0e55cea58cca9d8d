package document

import (
	"slices"
	"strings"
)

// sequence edits a list of entries or branches. Items that stayed in place are
// edited where they stand; otherwise the list is put together again from the old
// items' own lines, with the comments above them.
func (p *patcher) sequence(n *Node, t *Tree) {
	order := p.order(n, t)
	if inPlace(order, len(n.Items)) {
		for i, item := range t.Items {
			p.node(n.Items[i].Value, item)
		}
		return
	}
	if n.Style == Flow {
		p.flowItems(n, t, order)
	} else {
		p.blockItems(n, t, order)
	}
}

// order finds the old item of each new one, −1 for none. An old item serves once:
// a copy is new.
func (p *patcher) order(n *Node, t *Tree) []int {
	at := make(map[*Node]int, len(n.Items))
	for i, item := range n.Items {
		at[item.Value] = i
		at[item.Value.Deref()] = i
	}
	used := make([]bool, len(n.Items))
	order := make([]int, len(t.Items))
	for i, item := range t.Items {
		order[i] = -1
		j, ok := at[item.Node]
		if t.Counted {
			j, ok = i, i < len(n.Items)
		}
		if ok && !used[j] {
			order[i], used[j] = j, true
		}
	}
	return order
}

// inPlace tells whether the new items are the old ones, in their order.
func inPlace(order []int, old int) bool {
	return len(order) == old && !slices.Contains(order, -1) && slices.IsSorted(order)
}

// edited is a span of the old text with an item's own edits made.
func (p *patcher) edited(start, end int, n *Node, t *Tree) string {
	inner := &patcher{doc: p.doc}
	inner.node(n, t)
	part := &Document{Text: p.doc.Text[start:end]}
	for i, e := range inner.edits {
		// An insertion on the line below the last one belongs to the item.
		inner.edits[i].Start, inner.edits[i].End = min(e.Start, end)-start, min(e.End, end)-start
	}
	return part.Apply(inner.edits)
}

func (p *patcher) flowItems(n *Node, t *Tree, order []int) {
	texts := make([]string, len(t.Items))
	for i, item := range t.Items {
		texts[i] = item.flow()
		if j := order[i]; j >= 0 && !n.Items[j].Value.Anchored { // an anchor stands before its item and would be lost
			v := n.Items[j].Value
			texts[i] = p.edited(v.Start, v.End, v, item)
		}
	}
	p.replace(n.Start, n.End, "["+strings.Join(texts, ", ")+"]")
}

// blockItems rebuilds the lines of a block list.
func (p *patcher) blockItems(n *Node, t *Tree, order []int) {
	column := p.column(n.Start)
	starts := make([]int, len(n.Items)+1)
	for i, item := range n.Items {
		line := p.lineStart(item.Dash)
		if strings.TrimSpace(p.doc.Text[line:item.Dash]) != "" {
			p.whole(n, t) // the list shares its first line with something else
			return
		}
		starts[i] = p.commentsAbove(line, column)
	}
	last := n.Items[len(n.Items)-1]
	starts[len(n.Items)] = p.nextLine(max(last.Dash+1, last.Value.End))

	var b strings.Builder
	for i, item := range t.Items {
		var text string
		if j := order[i]; j >= 0 {
			text = p.edited(starts[j], starts[j+1], n.Items[j].Value, item)
		} else {
			fresh := *item
			fresh.Block = fresh.Block || p.likesBlocks(n)
			text = strings.Repeat(" ", column) + "- " + fresh.Emit(column+2)
		}
		b.WriteString(text)
		if !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
	}
	p.replace(starts[0], starts[len(n.Items)], b.String())
}

// likesBlocks tells whether the file's author writes one field a line.
func (p *patcher) likesBlocks(n *Node) bool {
	return !slices.ContainsFunc(n.Items, func(item Item) bool { return item.Value.Style == Flow })
}

// commentsAbove moves a line's start up over the comments right above it that are
// indented as the list is: they speak of the item below them.
func (p *patcher) commentsAbove(line, column int) int {
	for line > 0 {
		above := p.lineStart(line - 1)
		text := p.doc.Text[above : line-1]
		if body := strings.TrimLeft(text, " "); !strings.HasPrefix(body, "#") || len(text)-len(body) < column {
			break
		}
		line = above
	}
	return line
}
