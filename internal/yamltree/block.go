package yamltree

import "strings"

// block reads a node at the current place, which is in the given column. Whatever
// belongs to it stands further right than parent.
func (p *parser) block(parent, column int) *Node {
	p.enter()
	defer p.leave()
	switch {
	case p.byteAt(p.pos) == '&':
		return p.anchoredBlock(parent)
	case p.byteAt(p.pos) == '?' && p.isBlankAt(p.pos+1):
		p.fail(p.pos, `"? " keys are not supported; write field: value`)
	case p.atDash():
		return p.blockSequence(column)
	case p.hasKeyAhead():
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

func (p *parser) anchoredBlock(parent int) *Node {
	return p.anchor(func(start int) *Node {
		switch {
		case p.lineEnds():
			return p.nodeBelow(parent, false)
		case p.atDash() || p.hasKeyAhead():
			p.fail(start, "put the anchor on a line of its own, before the block it names")
		}
		return p.lastValue(parent)
	})
}

// nodeBelow reads the node on the lines below, or nothing. Below a field a list may stand
// directly, not further right.
func (p *parser) nodeBelow(parent int, field bool) *Node {
	none := p.emptyNode()
	column := p.skipToContent()
	if field && column == parent && p.atDash() {
		parent--
	}
	if column > parent {
		return p.block(parent, column)
	}
	return none
}

func (p *parser) atDash() bool { return p.byteAt(p.pos) == '-' && p.isBlankAt(p.pos+1) }

func (p *parser) blockSequence(column int) *Node {
	n := &Node{Kind: Sequence, Style: Block, Start: p.pos}
	for {
		dash := p.pos
		p.pos++
		var item *Node
		if p.lineEnds() {
			item = p.nodeBelow(column, false)
		} else {
			item = p.block(column, column+p.pos-dash)
		}
		item.Dash = dash
		n.Items = append(n.Items, item)
		n.End = max(item.End, dash+1)

		at := p.skipToContent()
		if at > column {
			p.fail(p.pos, "is indented deeper than the list it stands in")
		}
		if at < column || !p.atDash() {
			return n
		}
	}
}

func (p *parser) blockMapping(column int) *Node {
	n := &Node{Kind: Mapping, Style: Block, Start: p.pos}
	for {
		key := p.key()
		colon := p.pos
		p.pos++
		value := p.fieldValue(column)
		n.Pairs = append(n.Pairs, Pair{Key: key, Value: value})
		n.End = max(value.End, colon+1)

		at := p.skipToContent()
		switch {
		case at < column:
			return n
		case at > column:
			p.fail(p.pos, "is indented deeper than the field above it")
		case p.atDash():
			p.fail(p.pos, "a list item stands where a field was expected; check the indentation")
		case !p.hasKeyAhead():
			p.fail(p.pos, `expected "field: value"`)
		}
	}
}

// fieldValue reads what follows "key:" in a block mapping at the given column.
func (p *parser) fieldValue(column int) *Node {
	switch {
	case p.lineEnds():
		return p.nodeBelow(column, true)
	case p.atDash():
		p.fail(p.pos, "a list starts on the line below its field")
	case p.byteAt(p.pos) == '&':
		return p.anchoredBlock(column)
	}
	return p.lastValue(column)
}

// hasKeyAhead reports whether "key:" stands at the current place.
func (p *parser) hasKeyAhead() bool {
	end := p.pos
	c := p.byteAt(p.pos)
	switch {
	case c == '"' || c == '\'':
		for end++; p.byteAt(end) != c; end++ {
			if p.byteAt(end) == '\n' || end >= len(p.src) {
				return false
			}
			if p.byteAt(end) == '\\' && c == '"' {
				end++
			}
		}
		end++
	case strings.IndexByte("[]{},|>*!%@`#&", c) >= 0:
		return false
	default:
		end = p.plainEnd(p.pos, false)
	}
	end = p.afterBlanks(end)
	return p.byteAt(end) == ':' && p.isBlankAt(end+1)
}

// key reads a key and stops at its colon. The caller has asked hasKeyAhead.
func (p *parser) key() *Node {
	n := &Node{Start: p.pos}
	if c := p.byteAt(p.pos); c == '"' || c == '\'' {
		n = p.quotedText()
	} else {
		p.pos = p.plainEnd(p.pos, false)
		n.Text, n.End = p.src[n.Start:p.pos], p.pos
	}
	p.skipBlanks()
	return n
}
