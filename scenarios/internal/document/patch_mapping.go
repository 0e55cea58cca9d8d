package document

import (
	"slices"
	"strings"
)

// mapping edits the fields that differ, takes out those that are gone and puts new
// ones where a new file would have them. Where one goes and another comes, as when
// scale takes the place of epsilon, the new one stands where the old one stood.
func (p *patcher) mapping(n *Node, t *Tree) {
	if t.Ordered {
		p.orderedMapping(n, t)
		return
	}
	wanted := make(map[string]TreeField, len(t.Fields))
	for _, f := range t.Fields {
		wanted[f.name] = f
	}
	present := map[string]bool{}
	gone := make([]bool, len(n.Pairs))
	left := 0
	for i, pair := range n.Pairs {
		present[pair.Key.Text] = true
		if _, ok := wanted[pair.Key.Text]; ok {
			left++
		} else {
			gone[i] = true
		}
	}
	if left == 0 || gone[0] && n.Style == Block && !p.ownLine(n.Start) {
		p.whole(n, t) // nothing stays, or the field beside a dash goes
		return
	}
	var added []TreeField
	for _, f := range t.Fields {
		if !f.implied && !present[f.name] {
			added = append(added, f)
		}
	}
	for i, pair := range n.Pairs {
		switch {
		case !gone[i]:
			p.field(pair.Value, wanted[pair.Key.Text].value)
		case len(added) > 0 && pair.Value.Kind == Scalar && scalar(added[0].value):
			p.swap(pair, added[0])
			present[added[0].name] = true
			gone[i] = false
			added = added[1:]
		}
	}
	if n.Style == Flow {
		p.removeFlow(n, gone)
		p.addFlow(n, t, gone, added)
	} else {
		p.removeBlock(n, gone)
		p.addBlock(n, t, gone, added)
	}
}

// orderedMapping edits scores in place if the candidates are still the same.
func (p *patcher) orderedMapping(n *Node, t *Tree) {
	if !sameKeys(n, t) {
		p.whole(n, t)
		return
	}
	for i, pair := range n.Pairs {
		p.node(pair.Value, t.Fields[i].value)
	}
}

func scalar(t *Tree) bool { return t.Kind != MappingTree && t.Kind != SequenceTree }

func (p *patcher) swap(pair Pair, f TreeField) {
	p.replace(pair.Key.Start, pair.Value.End, fieldName(f.name)+": "+f.value.flow())
}

// removeFlow takes runs of fields out of brackets, each with one comma.
func (p *patcher) removeFlow(n *Node, gone []bool) {
	for i := 0; i < len(gone); i++ {
		if !gone[i] {
			continue
		}
		last := i
		for last+1 < len(gone) && gone[last+1] {
			last++
		}
		switch {
		case last+1 < len(gone):
			p.replace(n.Pairs[i].Key.Start, n.Pairs[last+1].Key.Start, "")
		case i > 0:
			p.replace(n.Pairs[i-1].Value.End, n.Pairs[last].Value.End, "")
		}
		i = last
	}
}

// removeBlock takes whole lines out.
func (p *patcher) removeBlock(n *Node, gone []bool) {
	for i, pair := range n.Pairs {
		if gone[i] {
			p.replace(p.lineStart(pair.Key.Start), p.nextLine(max(pair.Key.End, pair.Value.End)), "")
		}
	}
}

// addFlow puts each new field behind the one that comes before it in a new file.
func (p *patcher) addFlow(n *Node, t *Tree, gone []bool, added []TreeField) {
	for _, f := range added {
		after := n.Pairs[p.before(n, t, gone, f.name)].Value
		p.replace(after.End, after.End, ", "+fieldName(f.name)+": "+f.value.flow())
	}
}

func (p *patcher) addBlock(n *Node, t *Tree, gone []bool, added []TreeField) {
	column := p.column(n.Start)
	for _, f := range added {
		pair := n.Pairs[p.before(n, t, gone, f.name)]
		at := p.nextLine(max(pair.Key.End, pair.Value.End))
		one := &Tree{Kind: MappingTree, Block: true, Fields: []TreeField{{f.name, f.value, false}}}
		text := strings.Repeat(" ", column) + one.Emit(column) + "\n"
		if at > 0 && p.doc.Text[at-1] != '\n' {
			text = "\n" + strings.TrimSuffix(text, "\n")
		}
		p.replace(at, at, text)
	}
}

// before is the pair of the old text that a new field goes behind: the nearest one
// that precedes it in a new file, else the first that stays.
func (p *patcher) before(n *Node, t *Tree, gone []bool, name string) int {
	best := slices.Index(gone, false)
	for _, f := range t.Fields {
		if f.name == name {
			break
		}
		if i := slices.IndexFunc(n.Pairs, func(p Pair) bool { return p.Key.Text == f.name }); i >= 0 && !gone[i] {
			best = i
		}
	}
	return best
}
