package document

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// quoted reads text in single or double quotes.
func (p *parser) quoted() *Node {
	quote := p.src[p.pos]
	n := &Node{Style: Double, Start: p.pos}
	if quote == '\'' {
		n.Style = Single
	}
	var text []byte
	kept := 0 // what folding must not trim: everything up to the last escape
	for p.pos++; p.pos < len(p.src); {
		switch c := p.src[p.pos]; {
		case c == quote:
			p.pos++
			if quote == '\'' && p.pos < len(p.src) && p.src[p.pos] == '\'' {
				text = append(text, '\'')
				p.pos++
				continue
			}
			n.Text, n.End = string(text), p.pos
			return n
		case c == '\n':
			text = p.foldQuoted(text, kept)
		case c == '\\' && quote == '"':
			if r, ok := p.escape(); ok {
				text = utf8.AppendRune(text, r)
			}
			kept = len(text)
		default:
			text = append(text, c)
			p.pos++
		}
	}
	panic(p.fail(n.Start, "the quotation is never closed"))
}

// foldQuoted joins the lines of quoted text.
func (p *parser) foldQuoted(text []byte, kept int) []byte {
	text = text[:kept+len(bytes.TrimRight(text[kept:], " \t"))]
	breaks := 0
	for p.pos < len(p.src) && p.blankAt(p.pos) {
		if p.src[p.pos] == '\n' {
			breaks++
		}
		p.pos++
	}
	return appendFold(text, breaks)
}

var escapes = map[byte]rune{
	'0': 0, 'a': '\a', 'b': '\b', 't': '\t', '\t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', 'e': 0x1b,
	' ': ' ', '"': '"', '/': '/', '\\': '\\', 'N': 0x85, '_': 0xa0, 'L': 0x2028, 'P': 0x2029,
}

// escape reads one backslash sequence of a double-quoted text; a line end taken
// away stands for no character at all.
func (p *parser) escape() (r rune, ok bool) {
	start := p.pos
	p.pos++
	if p.pos >= len(p.src) {
		panic(p.fail(start, "the quotation is never closed"))
	}
	c := p.src[p.pos]
	p.pos++
	if c == '\n' {
		p.skipBlanks()
		return 0, false
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		r, known := escapes[c]
		if !known {
			panic(p.fail(start, `unknown escape in a quotation; write \\ for a backslash`))
		}
		return r, true
	}
	if p.pos+digits > len(p.src) {
		panic(p.fail(start, "the quotation is never closed"))
	}
	code, err := strconv.ParseUint(p.src[p.pos:p.pos+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		panic(p.fail(start, `\%c needs %d hexadecimal digits of a Unicode character`, c, digits))
	}
	p.pos += digits
	return rune(code), true
}
