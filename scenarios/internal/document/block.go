package document

// block reads a node at the current place, which is in the given column. Whatever
// belongs to it stands further right than parent.
func (p *parser) block(parent, column int) (*Node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	switch {
	case p.src[p.pos] == '&':
		return p.anchoredBlock(parent)
	case p.src[p.pos] == '?' && p.blankAt(p.pos+1):
		return nil, p.fail(p.pos, `"? " keys are not supported; write field: value`)
	case p.atDash():
		return p.blockSequence(column)
	case p.keyAhead():
		return p.blockMapping(column)
	}
	n, err := p.value(parent)
	if err != nil {
		return nil, err
	}
	return n, p.endLine()
}

// anchoredBlock reads "&name" and the node it names.
func (p *parser) anchoredBlock(parent int) (*Node, error) {
	start := p.pos
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	before := p.nodes + p.expanded
	var n *Node
	if p.lineEnds() {
		n, err = p.below(parent)
	} else if p.atDash() || p.keyAhead() {
		return nil, p.fail(start, "put the anchor on a line of its own, before the block it names")
	} else if n, err = p.value(parent); err == nil {
		err = p.endLine()
	}
	if err != nil {
		return nil, err
	}
	if n.Kind == Alias || n.Style == Empty {
		return nil, p.fail(start, "an anchor needs a value")
	}
	p.anchor(name, n, p.nodes+p.expanded-before)
	return n, nil
}

// below reads the node on the lines below a field or a dash, or nothing.
func (p *parser) below(parent int) (*Node, error) {
	none := p.empty()
	column, err := p.next()
	if err != nil {
		return nil, err
	}
	if column > parent {
		return p.block(parent, column)
	}
	return none, nil
}

func (p *parser) atDash() bool {
	return p.pos < len(p.src) && p.src[p.pos] == '-' && p.blankAt(p.pos+1)
}

func (p *parser) blockSequence(column int) (*Node, error) {
	n := &Node{Kind: Sequence, Style: Block, Start: p.pos}
	for {
		p.nodes++
		dash := p.pos
		p.pos++
		var v *Node
		var err error
		if p.lineEnds() {
			v, err = p.below(column)
		} else {
			v, err = p.block(column, column+p.pos-dash)
		}
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, Item{Dash: dash, Value: v})
		n.End = max(v.End, dash+1)

		at, err := p.next()
		if err != nil {
			return nil, err
		}
		if at > column {
			return nil, p.fail(p.pos, "is indented deeper than the list it stands in")
		}
		if at < column || !p.atDash() {
			return n, nil
		}
	}
}

func (p *parser) blockMapping(column int) (*Node, error) {
	n := &Node{Kind: Mapping, Style: Block, Start: p.pos}
	for {
		p.nodes++
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		colon := p.pos
		p.pos++ // the colon
		value, err := p.fieldValue(column)
		if err != nil {
			return nil, err
		}
		n.Pairs = append(n.Pairs, Pair{key, value})
		n.End = max(value.End, colon+1)

		at, err := p.next()
		if err != nil {
			return nil, err
		}
		switch {
		case at < column:
			return n, nil
		case at > column:
			return nil, p.fail(p.pos, "is indented deeper than the field above it")
		case p.atDash():
			return nil, p.fail(p.pos, "a list item stands where a field was expected; check the indentation")
		case !p.keyAhead():
			return nil, p.fail(p.pos, `expected "field: value"`)
		}
	}
}

// fieldValue reads what follows "key:" in a block mapping at the given column.
func (p *parser) fieldValue(column int) (*Node, error) {
	if p.lineEnds() {
		none := p.empty()
		at, err := p.next()
		if err != nil {
			return nil, err
		}
		if at > column || (at == column && p.atDash()) {
			// A list may stand directly below its field, not further right.
			return p.block(min(column, at-1), at)
		}
		return none, nil
	}
	if p.atDash() {
		return nil, p.fail(p.pos, "a list starts on the line below its field")
	}
	if p.src[p.pos] == '&' {
		return p.anchoredBlock(column)
	}
	v, err := p.value(column)
	if err != nil {
		return nil, err
	}
	return v, p.endLine()
}

// keyAhead reports whether "key:" stands at the current place.
func (p *parser) keyAhead() bool {
	if p.pos >= len(p.src) {
		return false
	}
	end := p.pos
	switch c := p.src[p.pos]; c {
	case '"', '\'':
		for end++; end < len(p.src) && p.src[end] != c; end++ {
			if p.src[end] == '\n' {
				return false
			}
			if p.src[end] == '\\' && c == '"' {
				end++
			}
		}
		for end++; end < len(p.src) && (p.src[end] == ' ' || p.src[end] == '\t'); end++ {
		}
		return end < len(p.src) && p.src[end] == ':' && p.blankAt(end+1)
	case '[', ']', '{', '}', ',', '|', '>', '*', '!', '%', '@', '`', '#', '&':
		return false
	}
	end = p.plainEnd(p.pos, false)
	for end < len(p.src) && (p.src[end] == ' ' || p.src[end] == '\t') {
		end++
	}
	return end < len(p.src) && p.src[end] == ':' && p.blankAt(end+1)
}

// key reads a key that keyAhead saw and stops at its colon.
func (p *parser) key() (*Node, error) {
	var n *Node
	var err error
	switch p.src[p.pos] {
	case '"', '\'':
		n, err = p.quoted()
	default:
		end := p.plainEnd(p.pos, false)
		n = &Node{Text: p.src[p.pos:end], Start: p.pos, End: end}
		p.pos = end
	}
	p.skipBlanks()
	return n, err
}
