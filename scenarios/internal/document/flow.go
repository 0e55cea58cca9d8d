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
func (p *parser) flowNode() (*Node, error) {
	p.nodes++
	if p.pos >= len(p.src) {
		return p.empty(), nil
	}
	switch p.src[p.pos] {
	case ',', ']', '}':
		return p.empty(), nil
	case '&':
		start := p.pos
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		before := p.nodes + p.expanded - 1
		p.flowSkip()
		if p.pos < len(p.src) && p.src[p.pos] == '&' {
			return nil, p.fail(start, "an anchor needs a value")
		}
		n, err := p.flowNode()
		if err != nil {
			return nil, err
		}
		if n.Kind == Alias || n.Style == Empty {
			return nil, p.fail(start, "an anchor needs a value")
		}
		p.anchor(name, n, p.nodes+p.expanded-before)
		return n, nil
	case '|', '>':
		return nil, p.fail(p.pos, "text in | or > form cannot stand inside brackets")
	}
	return p.flowValue()
}

// flow reads a collection in brackets.
func (p *parser) flow() (*Node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
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
			return nil, p.fail(n.Start, "%q is never closed by %q", p.src[n.Start:n.Start+1], string(closing))
		}
		if err := element(n); err != nil {
			return nil, err
		}
		p.flowSkip()
		switch {
		case p.pos >= len(p.src):
			return nil, p.fail(n.Start, "%q is never closed by %q", p.src[n.Start:n.Start+1], string(closing))
		case p.src[p.pos] == ',':
			p.pos++
		case p.src[p.pos] != closing:
			return nil, p.fail(p.pos, `expected "," or %q`, string(closing))
		}
	}
	p.pos++
	n.End = p.pos
	return n, nil
}

func (p *parser) flowItem(n *Node) error {
	start := p.pos
	v, err := p.flowNode()
	if err != nil {
		return err
	}
	if v.Style == Empty {
		return p.fail(start, "a list item is missing")
	}
	if at := p.pos; at < len(p.src) && p.src[at] == ':' {
		return p.fail(start, "a field inside a list needs braces: {field: value}")
	}
	n.Items = append(n.Items, Item{Dash: -1, Value: v})
	return nil
}

func (p *parser) flowPair(n *Node) error {
	start := p.pos
	key, err := p.flowNode()
	if err != nil {
		return err
	}
	if key.Kind != Scalar || key.Style == Empty {
		return p.fail(start, "expected a field name")
	}
	p.flowSkip()
	value := &Node{Style: Empty, Start: key.End, End: key.End}
	if p.pos < len(p.src) && p.src[p.pos] == ':' {
		p.pos++
		p.flowSkip()
		if value, err = p.flowNode(); err != nil {
			return err
		}
	}
	n.Pairs = append(n.Pairs, Pair{key, value})
	return nil
}
