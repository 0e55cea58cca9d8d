package yamltree

import (
	"fmt"
	"strings"
)

// parser walks the text once. pos only ever moves forward.
type parser struct {
	src      string
	pos      int
	depth    int
	doc      *Document
	anchors  map[string]*Node
	expanded int // nodes that aliases have added
}

// parse reads the text. The functions below panic with an [Error], which parse returns, so
// that they need no error handling.
func (p *parser) parse() (err error) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case *Error:
			err = problem
		default:
			panic(problem)
		}
	}()
	p.doc.Root = p.document()
	return nil
}

func (p *parser) fail(offset int, format string, args ...any) {
	panic(p.doc.errorAt(min(offset, len(p.src)), fmt.Sprintf(format, args...)))
}

// document reads the whole text: an optional "---", one node, nothing more.
func (p *parser) document() (root *Node) {
	if strings.HasPrefix(p.src, "%") {
		p.fail(0, "YAML directives are not supported")
	}
	column := p.skipToContent()
	if column < 0 && p.isMarkerAt(p.pos, "---") {
		p.pos += 3
		p.endLine()
		column = p.skipToContent()
	}
	if column >= 0 {
		root = p.block(-1, column)
		column = p.skipToContent()
	}
	switch {
	case column >= 0:
		p.fail(p.pos, "is not part of anything above; check the indentation")
	case p.isMarkerAt(p.pos, "---"):
		p.fail(p.pos, "a file holds one document; a second one starts here")
	case p.isMarkerAt(p.pos, "..."):
		p.pos += 3
		if column = p.skipToContent(); column >= 0 || p.pos < len(p.src) {
			p.fail(p.pos, "nothing may follow the end of the document")
		}
	}
	return root
}

// byteAt returns a byte of the text; 0, which no text contains, outside of it.
func (p *parser) byteAt(i int) byte {
	if i < 0 || i >= len(p.src) {
		return 0
	}
	return p.src[i]
}

// isBlankAt reports whether there is white space, a line end or the end of the text at an offset.
func (p *parser) isBlankAt(i int) bool {
	c := p.byteAt(i)
	return c == ' ' || c == '\t' || c == '\n' || c == 0
}

// isSignAt reports whether the byte at an offset separates or ends values in brackets.
func (p *parser) isSignAt(i int) bool { return strings.IndexByte(",[]{}", p.byteAt(i)) >= 0 }

// isMarkerAt reports whether a document marker, --- or ..., begins a line at an offset.
func (p *parser) isMarkerAt(i int, marker string) bool {
	return (i == 0 || p.byteAt(i-1) == '\n') && strings.HasPrefix(p.src[i:], marker) && p.isBlankAt(i+3)
}

func (p *parser) endsAt(i int) bool { return p.isMarkerAt(i, "---") || p.isMarkerAt(i, "...") }

// atComment reports whether a comment begins at the current place.
func (p *parser) atComment() bool { return p.byteAt(p.pos) == '#' && p.isBlankAt(p.pos-1) }

// skipToContent moves over blank lines and comments to the next content and gives its
// column, from 0; −1 at the end of the document.
func (p *parser) skipToContent() int {
	for {
		start := p.pos
		p.skipBlanks()
		switch {
		case p.byteAt(p.pos) == '\n':
			p.pos++
			continue
		case p.atComment():
			p.skipLine()
			continue
		case p.pos == len(p.src) || p.endsAt(p.pos):
			return -1
		}
		begin := strings.LastIndexByte(p.src[:p.pos], '\n') + 1
		if tab := strings.IndexByte(p.src[start:p.pos], '\t'); tab >= 0 && start == begin {
			p.fail(start+tab, "a tab cannot indent; use spaces")
		}
		return p.pos - begin
	}
}

func (p *parser) skipLine() {
	if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
		p.pos += i
	} else {
		p.pos = len(p.src)
	}
}

func (p *parser) skipBlanks() { p.pos = p.afterBlanks(p.pos) }

func (p *parser) afterBlanks(i int) int {
	for p.byteAt(i) == ' ' || p.byteAt(i) == '\t' {
		i++
	}
	return i
}

// lineEnds reports whether nothing but a comment is left on the line.
func (p *parser) lineEnds() bool {
	p.skipBlanks()
	return p.pos == len(p.src) || p.byteAt(p.pos) == '\n' || p.atComment()
}

// endLine requires that nothing but a comment is left, and leaves the line.
func (p *parser) endLine() {
	if !p.lineEnds() {
		p.fail(p.pos, "unexpected text after the value")
	}
	p.skipLine()
}

// enter counts one level of nesting, and refuses a text that is nested too deeply.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos, "nested deeper than %d levels", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) emptyNode() *Node { return &Node{Style: Empty, Start: p.pos, End: p.pos} }
