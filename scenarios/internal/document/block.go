package document

// block reads a node at the current place, which is in the given column. Whatever
// belongs to it stands further right than parent.
func (p *parser) block(parent, column int) *Node {
	p.enter()
	defer p.leave()
	switch {
	case p.src[p.pos] == '&':
		return p.anchoredBlock(parent)
	case p.src[p.pos] == '?' && p.blankAt(p.pos+1):
		panic(p.fail(p.pos, `"? " keys are not supported; write field: value`))
	case p.atDash():
		return p.blockSequence(column)
	case p.keyAhead():
		return p.blockMapping(column)
	}
	return p.lastValue(parent)
}

// lastValue reads a value and the end of its line.
func (p *parser) lastValue(parent int) *Node {
	n := p.value(parent)
	p.endLine()
	return n
}

// anchoredBlock reads "&name" and the node it names.
func (p *parser) anchoredBlock(parent int) *Node {
	start := p.pos
	name := p.name()
	before := p.nodes + p.expanded
	var n *Node
	switch {
	case p.lineEnds():
		n = p.below(parent)
	case p.atDash() || p.keyAhead():
		panic(p.fail(start, "put the anchor on a line of its own, before the block it names"))
	default:
		n = p.lastValue(parent)
	}
	return p.anchor(start, name, n, before)
}

// below reads the node on the lines below a field or a dash, or nothing.
func (p *parser) below(parent int) *Node {
	none := p.empty()
	column := p.next()
	if column > parent {
		return p.block(parent, column)
	}
	return none
}

func (p *parser) atDash() bool {
	return p.pos < len(p.src) && p.src[p.pos] == '-' && p.blankAt(p.pos+1)
}

func (p *parser) blockSequence(column int) *Node {
	n := &Node{Kind: Sequence, Style: Block, Start: p.pos}
	for {
		p.nodes++
		dash := p.pos
		p.pos++
		var v *Node
		if p.lineEnds() {
			v = p.below(column)
		} else {
			v = p.block(column, column+p.pos-dash)
		}
		n.Items = append(n.Items, Item{Dash: dash, Value: v})
		n.End = max(v.End, dash+1)

		at := p.next()
		if at > column {
			panic(p.fail(p.pos, "is indented deeper than the list it stands in"))
		}
		if at < column || !p.atDash() {
			return n
		}
	}
}

func (p *parser) blockMapping(column int) *Node {
	n := &Node{Kind: Mapping, Style: Block, Start: p.pos}
	for {
		p.nodes++
		key := p.key()
		colon := p.pos
		p.pos++ // the colon
		value := p.fieldValue(column)
		n.Pairs = append(n.Pairs, Pair{key, value})
		n.End = max(value.End, colon+1)

		at := p.next()
		switch {
		case at < column:
			return n
		case at > column:
			panic(p.fail(p.pos, "is indented deeper than the field above it"))
		case p.atDash():
			panic(p.fail(p.pos, "a list item stands where a field was expected; check the indentation"))
		case !p.keyAhead():
			panic(p.fail(p.pos, `expected "field: value"`))
		}
	}
}

// fieldValue reads what follows "key:" in a block mapping at the given column.
func (p *parser) fieldValue(column int) *Node {
	if p.lineEnds() {
		none := p.empty()
		at := p.next()
		if at > column || (at == column && p.atDash()) {
			// A list may stand directly below its field, not further right.
			return p.block(min(column, at-1), at)
		}
		return none
	}
	if p.atDash() {
		panic(p.fail(p.pos, "a list starts on the line below its field"))
	}
	if p.src[p.pos] == '&' {
		return p.anchoredBlock(column)
	}
	return p.lastValue(column)
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
		end++
	case '[', ']', '{', '}', ',', '|', '>', '*', '!', '%', '@', '`', '#', '&':
		return false
	default:
		end = p.plainEnd(p.pos, false)
	}
	end = p.afterBlanks(end)
	return end < len(p.src) && p.src[end] == ':' && p.blankAt(end+1)
}

// key reads a key that keyAhead saw and stops at its colon.
func (p *parser) key() *Node {
	var n *Node
	if c := p.src[p.pos]; c == '"' || c == '\'' {
		n = p.quoted()
	} else {
		end := p.plainEnd(p.pos, false)
		n = &Node{Text: p.src[p.pos:end], Start: p.pos, End: end}
		p.pos = end
	}
	p.skipBlanks()
	return n
}
