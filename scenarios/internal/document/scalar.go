package document

import (
	"strings"
)

// value reads a node that starts on the current line of a block; the lines it may
// go on to stand further right than parent.
func (p *parser) value(parent int) *Node {
	p.nodes++
	switch p.src[p.pos] {
	case '|', '>':
		return p.blockScalar(parent)
	case '[', '{', '"', '\'', '*':
		return p.flowValue()
	}
	p.checkPlain(false)
	return p.plain(parent, false)
}

// flowValue reads what may stand both inside and outside brackets.
func (p *parser) flowValue() *Node {
	switch p.src[p.pos] {
	case '[', '{':
		return p.flow()
	case '"', '\'':
		return p.quoted()
	case '*':
		return p.alias()
	}
	p.checkPlain(true)
	return p.plain(-1, true)
}

// checkPlain refuses what cannot start unquoted text.
func (p *parser) checkPlain(flow bool) {
	switch c := p.src[p.pos]; c {
	case '!':
		panic(p.fail(p.pos, "YAML tags are not supported"))
	case '%', '@', '`', ',', ']', '}', '#', '&':
		panic(p.fail(p.pos, "text cannot start with %q; put it in quotes", string(c)))
	case '-', '?', ':':
		if p.blankAt(p.pos+1) || (flow && strings.ContainsRune(",[]{}", rune(p.src[p.pos+1]))) {
			panic(p.fail(p.pos, "%q does not belong here", string(c)))
		}
	}
}

// plainEnd is where unquoted text on one line ends: at ": ", at " #", at a
// separator inside brackets, or at the line's end; trailing blanks excluded.
func (p *parser) plainEnd(from int, flow bool) int {
	end := from
	for i := from; i < len(p.src); i++ {
		switch c := p.src[i]; c {
		case '\n':
			return end
		case ' ', '\t':
			continue
		case '#':
			if i > from && p.blankAt(i-1) {
				return end
			}
		case ':':
			if p.blankAt(i+1) || (flow && strings.IndexByte(",[]{}", p.src[i+1]) >= 0) {
				return end
			}
		case ',', '[', ']', '{', '}':
			if flow {
				return end
			}
		}
		end = i + 1
	}
	return end
}

// plain reads unquoted text, folding the lines it goes on to.
func (p *parser) plain(parent int, flow bool) *Node {
	n := &Node{Start: p.pos}
	end := p.plainEnd(p.pos, flow)
	var folded []byte
	for {
		p.pos, n.End = end, end
		at, breaks := p.continuation(parent, flow)
		if at < 0 {
			break
		}
		if folded == nil {
			folded = append(folded, p.src[n.Start:end]...)
		}
		folded = appendFold(folded, breaks)
		end = p.plainEnd(at, flow)
		folded = append(folded, p.src[at:end]...)
	}
	if n.Text = string(folded); folded == nil {
		n.Text = p.src[n.Start:n.End]
	}
	if after := p.pos; !flow && !p.lineEnds() {
		// "field:value" is text, to which the lines below it then seem to belong.
		if name, rest, ok := strings.Cut(n.Text, ":"); ok && folded != nil && !strings.ContainsAny(name, " \n") && rest != "" {
			panic(p.fail(n.Start+len(name)+1, `a space is missing after ":"`))
		}
		panic(p.fail(p.pos, `a second ":" in one value; put the text in quotes`))
	} else {
		p.pos = after
	}
	return n
}

// continuation finds the next line of unquoted text: its offset and the number of
// line ends before it, or −1.
func (p *parser) continuation(parent int, flow bool) (at, breaks int) {
	i := p.afterBlanks(p.pos)
	if i >= len(p.src) || p.src[i] != '\n' {
		return -1, 0
	}
	begin := i
	for i < len(p.src) && p.blankAt(i) {
		if p.src[i] == '\n' {
			breaks++
			begin = i + 1
		}
		i++
	}
	if i >= len(p.src) || p.src[i] == '#' || p.hasMarker(begin, "---") || p.hasMarker(begin, "...") {
		return -1, 0
	}
	if flow {
		if strings.IndexByte(",[]{}", p.src[i]) >= 0 || (p.src[i] == ':' && p.blankAt(i+1)) {
			return -1, 0
		}
	} else if i-begin <= parent || strings.IndexByte(p.src[begin:i], '\t') >= 0 {
		return -1, 0
	}
	return i, breaks
}

// appendFold joins two lines: one line end is a space, more are one fewer.
func appendFold(text []byte, breaks int) []byte {
	if breaks == 1 {
		return append(text, ' ')
	}
	return append(text, strings.Repeat("\n", breaks-1)...)
}
