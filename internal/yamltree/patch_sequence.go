package yamltree

import (
	"slices"
	"strings"
)

// patchSequence edits a list of entries or branches. Items that stayed in place are
// edited where they stand; otherwise the list is put together again from the old
// items' own lines, with the comments above them.
func (p *patcher) patchSequence(n, to *Node) {
	order := p.matchItems(n, to)
	switch {
	case len(order) == len(n.Items) && !slices.Contains(order, -1) && slices.IsSorted(order):
		for i, item := range to.Items {
			p.patchNode(n.Items[i], item)
		}
	case n.Style == Flow:
		p.flowItems(n, to, order)
	default:
		p.blockItems(n, to, order)
	}
}

// matchItems returns the index of the old item for each new one, −1 for none. An old item is used once,
// so that a second copy of it is new.
func (p *patcher) matchItems(n, to *Node) []int {
	at := make(map[*Node]int, len(n.Items))
	for i, item := range n.Items {
		at[item], at[item.Deref()] = i, i
	}
	used := make([]bool, len(n.Items))
	order := make([]int, len(to.Items))
	for i, item := range to.Items {
		order[i] = -1
		j, ok := at[item.Origin]
		if to.Counted {
			j, ok = i, i < len(n.Items)
		}
		if ok && !used[j] {
			order[i], used[j] = j, true
		}
	}
	return order
}

// patchItem returns a span of the old text with the edits of one item made.
func (p *patcher) patchItem(start, end int, n, to *Node) string {
	inner := &patcher{text: p.text}
	inner.patchNode(n, to)
	return inner.apply(start, end)
}

func (p *patcher) flowItems(n, to *Node, order []int) {
	texts := make([]string, len(to.Items))
	for i, item := range to.Items {
		texts[i] = item.flow()
		if j := order[i]; j >= 0 && !n.Items[j].Anchored { // an anchor stands before its item and would be lost
			texts[i] = p.patchItem(n.Items[j].Start, n.Items[j].End, n.Items[j], item)
		}
	}
	p.replace(n.Start, n.End, "["+strings.Join(texts, ", ")+"]")
}

// blockItems rebuilds the lines of a block list.
func (p *patcher) blockItems(n, to *Node, order []int) {
	column := p.column(n.Start)
	starts := make([]int, len(n.Items)+1)
	for i, item := range n.Items {
		if !p.startsLine(item.Dash) {
			p.rewriteNode(n, to) // the list shares its first line with something else
			return
		}
		starts[i] = p.commentsAbove(p.lineStart(item.Dash), column)
	}
	starts[len(n.Items)] = p.nextLine(n.End)
	// Whether the author writes one field per line.
	blocks := !slices.ContainsFunc(n.Items, func(item *Node) bool { return item.Style == Flow })

	var b strings.Builder
	for i, item := range to.Items {
		var text string
		if j := order[i]; j >= 0 {
			text = p.patchItem(starts[j], starts[j+1], n.Items[j], item)
		} else {
			fresh := *item
			if blocks && item.Kind != Scalar {
				fresh.Style = Block
			}
			text = strings.Repeat(" ", column) + "- " + fresh.Emit(column+2)
		}
		b.WriteString(strings.TrimSuffix(text, "\n") + "\n")
	}
	p.replace(starts[0], starts[len(n.Items)], b.String())
}

// commentsAbove moves a line's start up over the comments right above it that are
// indented as the list is: they speak of the item below them.
func (p *patcher) commentsAbove(line, column int) int {
	for line > 0 {
		above := p.lineStart(line - 1)
		text := p.text[above : line-1]
		if body := strings.TrimLeft(text, " "); !strings.HasPrefix(body, "#") || len(text)-len(body) < column {
			break
		}
		line = above
	}
	return line
}
