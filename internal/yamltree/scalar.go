package yamltree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value reads a node that starts on the current line of a block; the lines it may
// go on to stand further right than parent.
func (p *parser) value(parent int) *Node {
	switch p.byteAt(p.pos) {
	case '|', '>':
		return p.blockScalar(parent)
	case '[', '{', '"', '\'', '*':
		return p.flowValue()
	}
	return p.plain(parent, false)
}

// flowValue reads what may stand both inside and outside brackets.
func (p *parser) flowValue() *Node {
	switch p.byteAt(p.pos) {
	case '[', '{':
		return p.flow()
	case '"', '\'':
		return p.quotedText()
	case '*':
		return p.alias()
	}
	return p.plain(-1, true)
}

// plain reads unquoted text, folding the lines it goes on to.
func (p *parser) plain(parent int, flow bool) *Node {
	p.checkPlain(flow)
	n := &Node{Start: p.pos}
	p.pos = p.plainEnd(p.pos, flow)
	text, lines := []byte(p.src[n.Start:p.pos]), 1
	for {
		at, breaks := p.continuation(parent, flow)
		if at < 0 {
			break
		}
		p.pos = p.plainEnd(at, flow)
		text = append(appendFold(text, breaks), p.src[at:p.pos]...)
		lines++
	}
	n.Text, n.End = string(text), p.pos
	if !flow && !p.lineEnds() {
		// "field:value" is text, to which the lines below it then seem to belong.
		if name, rest, ok := strings.Cut(n.Text, ":"); ok && lines > 1 && !strings.ContainsAny(name, " \n") && rest != "" {
			p.fail(n.Start+len(name)+1, `a space is missing after ":"`)
		}
		p.fail(p.pos, `a second ":" in one value; put the text in quotes`)
	}
	p.pos = n.End
	return n
}

// checkPlain refuses what cannot start unquoted text.
func (p *parser) checkPlain(flow bool) {
	switch c := p.byteAt(p.pos); c {
	case '!':
		p.fail(p.pos, "YAML tags are not supported")
	case '%', '@', '`', ',', ']', '}', '#', '&':
		p.fail(p.pos, "text cannot start with %q; put it in quotes", string(c))
	case '-', '?', ':':
		if p.isBlankAt(p.pos+1) || flow && p.isSignAt(p.pos+1) {
			p.fail(p.pos, "%q does not belong here", string(c))
		}
	}
}

// plainEnd returns where unquoted text on one line ends: at ": ", at " #", at a
// separator inside brackets, or at the line's end; trailing blanks excluded.
func (p *parser) plainEnd(from int, flow bool) int {
	end := from
	for i := from; i < len(p.src) && p.src[i] != '\n'; i++ {
		c := p.src[i]
		switch {
		case c == ' ' || c == '\t':
			continue
		case c == '#' && i > from && p.isBlankAt(i-1),
			c == ':' && (p.isBlankAt(i+1) || flow && p.isSignAt(i+1)), flow && p.isSignAt(i):
			return end
		}
		end = i + 1
	}
	return end
}

// continuation finds the next line of unquoted text: its offset and the number of
// line ends before it, or −1.
func (p *parser) continuation(parent int, flow bool) (at, breaks int) {
	i := p.afterBlanks(p.pos)
	if p.byteAt(i) != '\n' {
		return -1, 0
	}
	begin := i
	for ; i < len(p.src) && p.isBlankAt(i); i++ {
		if p.src[i] == '\n' {
			breaks++
			begin = i + 1
		}
	}
	switch {
	case i == len(p.src) || p.src[i] == '#' || p.endsAt(begin),
		flow && (p.isSignAt(i) || p.src[i] == ':' && p.isBlankAt(i+1)),
		!flow && (i-begin <= parent || strings.IndexByte(p.src[begin:i], '\t') >= 0):
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

// quotedText reads text in single or double quotes.
func (p *parser) quotedText() *Node {
	quote := p.src[p.pos]
	n := &Node{Style: Double, Start: p.pos}
	if quote == '\'' {
		n.Style = Single
	}
	var text []byte
	kept := 0 // what folding must not trim: everything up to the last escape
	for p.pos++; p.pos < len(p.src); {
		c := p.src[p.pos]
		switch {
		case c == quote && quote == '\'' && p.byteAt(p.pos+1) == quote:
			text = append(text, quote)
			p.pos += 2
		case c == quote:
			p.pos++
			n.Text, n.End = string(text), p.pos
			return n
		case c == '\n':
			text = text[:kept+len(bytes.TrimRight(text[kept:], " \t"))]
			breaks := 0
			for ; p.pos < len(p.src) && p.isBlankAt(p.pos); p.pos++ {
				if p.src[p.pos] == '\n' {
					breaks++
				}
			}
			text = appendFold(text, breaks)
		case c == '\\' && quote == '"':
			text = p.escape(text)
			kept = len(text)
		default:
			text = append(text, c)
			p.pos++
		}
	}
	p.fail(n.Start, unclosed)
	return nil
}

const unclosed = "the quotation is never closed"

var escapes = map[byte]rune{
	'0': 0, 'a': '\a', 'b': '\b', 't': '\t', '\t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', 'e': 0x1b,
	' ': ' ', '"': '"', '/': '/', '\\': '\\', 'N': 0x85, '_': 0xa0, 'L': 0x2028, 'P': 0x2029,
}

// escape reads one backslash sequence of a double-quoted text; a line end taken
// away stands for no character at all.
func (p *parser) escape(text []byte) []byte {
	start, c := p.pos, p.byteAt(p.pos+1)
	p.pos += 2
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	r, known := escapes[c]
	switch {
	case p.pos+digits > len(p.src):
		p.fail(start, unclosed)
	case c == '\n':
		p.skipBlanks()
		return text
	case known:
		return utf8.AppendRune(text, r)
	case digits == 0:
		p.fail(start, `unknown escape in a quotation; write \\ for a backslash`)
	}
	code, err := strconv.ParseUint(p.src[p.pos:p.pos+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		p.fail(start, `\%c needs %d hexadecimal digits of a Unicode character`, c, digits)
	}
	p.pos += digits
	return utf8.AppendRune(text, rune(code))
}
