package document

// flowSkip moves over white space, line ends and comments inside brackets.
func (p *parser) flowSkip() {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n':
			p.pos++
		case c == '#' && p.blankAt(p.pos-1):
			p.skipLine()
		default:
			return
		}
	}
}

// flowNode reads a node inside brackets; nothing where a separator follows.
func (p *parser) flowNode() *Node {
	p.nodes++
	if p.pos >= len(p.src) {
		return p.empty()
	}
	switch p.src[p.pos] {
	case ',', ']', '}':
		return p.empty()
	case '&':
		start := p.pos
		name := p.name()
		before := p.nodes + p.expanded - 1
		p.flowSkip()
		if p.pos < len(p.src) && p.src[p.pos] == '&' {
			panic(p.fail(start, "an anchor needs a value"))
		}
		n := p.flowNode()
		return p.anchor(start, name, n, before)
	case '|', '>':
		panic(p.fail(p.pos, "text in | or > form cannot stand inside brackets"))
	}
	return p.flowValue()
}

// flow reads a collection in brackets.
func (p *parser) flow() *Node {
	p.enter()
	defer p.leave()
	n := &Node{Kind: Sequence, Style: Flow, Start: p.pos}
	closing, element := byte(']'), p.flowItem
	if p.src[p.pos] == '{' {
		n.Kind, closing, element = Mapping, '}', p.flowPair
	}
	p.pos++
	for {
		p.flowSkip()
		if p.pos < len(p.src) && p.src[p.pos] == closing {
			break
		}
		if p.pos >= len(p.src) {
			panic(p.fail(n.Start, "%q is never closed by %q", p.src[n.Start:n.Start+1], string(closing)))
		}
		element(n)
		p.flowSkip()
		switch {
		case p.pos >= len(p.src): // reported above
		case p.src[p.pos] == ',':
			p.pos++
		case p.src[p.pos] != closing:
			panic(p.fail(p.pos, `expected "," or %q`, string(closing)))
		}
	}
	p.pos++
	n.End = p.pos
	return n
}

func (p *parser) flowItem(n *Node) {
	start := p.pos
	v := p.flowNode()
	if v.Style == Empty {
		panic(p.fail(start, "a list item is missing"))
	}
	if at := p.pos; at < len(p.src) && p.src[at] == ':' {
		panic(p.fail(start, "a field inside a list needs braces: {field: value}"))
	}
	n.Items = append(n.Items, Item{Dash: -1, Value: v})
}

func (p *parser) flowPair(n *Node) {
	start := p.pos
	key := p.flowNode()
	if key.Kind != Scalar || key.Style == Empty {
		panic(p.fail(start, "expected a field name"))
	}
	p.flowSkip()
	value := &Node{Style: Empty, Start: key.End, End: key.End}
	if p.pos < len(p.src) && p.src[p.pos] == ':' {
		p.pos++
		p.flowSkip()
		value = p.flowNode()
	}
	n.Pairs = append(n.Pairs, Pair{key, value})
}
