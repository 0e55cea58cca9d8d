package yamltree

// skipFlowSpace moves over white space, line ends and comments inside brackets.
func (p *parser) skipFlowSpace() {
	for p.lineEnds() && p.pos < len(p.src) {
		p.skipLine()
		p.pos = min(p.pos+1, len(p.src))
	}
}

// flowNode reads a node inside brackets; nothing where a separator follows.
func (p *parser) flowNode() *Node {
	switch p.byteAt(p.pos) {
	case 0, ',', ']', '}':
		return p.emptyNode()
	case '&':
		return p.anchor(func(start int) *Node {
			p.skipFlowSpace()
			if p.byteAt(p.pos) == '&' {
				p.fail(start, "an anchor needs a value")
			}
			return p.flowNode()
		})
	case '|', '>':
		p.fail(p.pos, "text in | or > form cannot stand inside brackets")
	}
	return p.flowValue()
}

// flow reads a collection in brackets.
func (p *parser) flow() *Node {
	p.enter()
	defer p.leave()
	n := &Node{Kind: Sequence, Style: Flow, Start: p.pos}
	closing, element := byte(']'), p.flowItem
	if p.byteAt(p.pos) == '{' {
		n.Kind, closing, element = Mapping, '}', p.flowPair
	}
	p.pos++
	for p.skipFlowSpace(); p.byteAt(p.pos) != closing; p.skipFlowSpace() {
		if p.pos == len(p.src) {
			p.fail(n.Start, "%q is never closed by %q", p.src[n.Start:n.Start+1], string(closing))
		}
		element(n)
		p.skipFlowSpace()
		switch p.byteAt(p.pos) {
		case 0, closing:
		case ',':
			p.pos++
		default:
			p.fail(p.pos, `expected "," or %q`, string(closing))
		}
	}
	p.pos++
	n.End = p.pos
	return n
}

func (p *parser) flowItem(n *Node) {
	start := p.pos
	item := p.flowNode()
	if item.Style == Empty {
		p.fail(start, "a list item is missing")
	}
	if p.byteAt(p.pos) == ':' {
		p.fail(start, "a field inside a list needs braces: {field: value}")
	}
	n.Items = append(n.Items, item)
}

func (p *parser) flowPair(n *Node) {
	start := p.pos
	key := p.flowNode()
	if key.Kind != Scalar || key.Style == Empty {
		p.fail(start, "expected a field name")
	}
	value := &Node{Style: Empty, Start: key.End, End: key.End}
	if p.skipFlowSpace(); p.byteAt(p.pos) == ':' {
		p.pos++
		p.skipFlowSpace()
		value = p.flowNode()
	}
	n.Pairs = append(n.Pairs, Pair{Key: key, Value: value})
}
