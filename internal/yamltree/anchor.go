package yamltree

// name reads the name that follows & or *.
func (p *parser) name() string {
	start := p.pos + 1
	end := start
	for !p.isBlankAt(end) && !p.isSignAt(end) {
		end++
	}
	if end == start {
		p.fail(p.pos, "%q needs a name", p.src[p.pos:start])
	}
	p.pos = end
	return p.src[start:end]
}

// anchor reads "&name" and the node it names, which is known only once it is finished, so
// that no node contains itself.
func (p *parser) anchor(read func(start int) *Node) *Node {
	start := p.pos
	name := p.name()
	n := read(start)
	if n.Kind == Alias || n.Style == Empty {
		p.fail(start, "an anchor needs a value")
	}
	n.Anchored = true
	p.anchors[name] = n
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
	if p.expanded += target.size(); p.expanded > maxExpanded {
		p.fail(start, "aliases expand to more than %d values", maxExpanded)
	}
	return &Node{Kind: Alias, Text: name, Target: target, Start: start, End: p.pos}
}

// size returns the number of nodes with aliases expanded. It is bounded, because the parser limits what aliases may
// add.
func (n *Node) size() int {
	if n.Kind == Alias {
		return n.Target.size()
	}
	sum := 1
	for _, item := range n.Items {
		sum += item.size()
	}
	for _, pair := range n.Pairs {
		sum += 1 + pair.Value.size()
	}
	return sum
}
