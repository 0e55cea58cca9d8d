package document

// anchor is a node with a name, and how many nodes it stands for once its own aliases are
// expanded.
type anchor struct {
	node *Node
	size int
}

// name reads what follows & or *.
func (p *parser) name() string {
	start := p.pos + 1
	end := start
	for !p.blankAt(end) && !p.signAt(end) {
		end++
	}
	if end == start {
		p.fail(p.pos, "%q needs a name", p.src[p.pos:start])
	}
	p.pos = end
	return p.src[start:end]
}

// anchored reads "&name" and the node it names, which is known only once it is finished, so
// that no node contains itself. before is how many nodes there were in front of it.
func (p *parser) anchored(before int, read func(start int) *Node) *Node {
	start := p.pos
	name := p.name()
	n := read(start)
	if n.Kind == Alias || n.Style == Empty {
		p.fail(start, "an anchor needs a value")
	}
	n.Anchored = true
	p.anchors[name] = anchor{n, p.nodes + p.expanded - before}
	return n
}

// alias reads a reference to an earlier node.
func (p *parser) alias() *Node {
	start := p.pos
	name := p.name()
	target, known := p.anchors[name]
	if !known {
		p.fail(start, "no anchor &%s stands before this alias", name)
	}
	if p.expanded += target.size; p.expanded > maxExpanded {
		p.fail(start, "aliases expand to more than %d values", maxExpanded)
	}
	return &Node{Kind: Alias, Text: name, Target: target.node, Start: start, End: p.pos}
}
