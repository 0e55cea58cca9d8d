package document

import (
	"fmt"
	"strings"
)

// parser walks the text once. pos only ever moves forward.
type parser struct {
	src     string
	pos     int
	depth   int
	doc     *Document
	anchors map[string]*Node

	// For the bound on aliases: how many nodes each anchored node stands for once
	// its own aliases are expanded, and how many aliases have added so far.
	sizes    map[*Node]int
	nodes    int
	expanded int
}

// parse reads the text. The functions below panic with a mistake, so that only what they
// read stands in them.
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

func (p *parser) fail(offset int, format string, args ...any) *Error {
	return p.doc.errorAt(min(offset, len(p.src)), fmt.Sprintf(format, args...))
}

// document reads the whole text: an optional "---", one node, nothing more.
func (p *parser) document() *Node {
	if strings.HasPrefix(p.src, "%") {
		panic(p.fail(0, "YAML directives are not supported; start with version: 1"))
	}
	column := p.next()
	if column < 0 && p.atMarker("---") {
		p.pos += 3
		p.endLine()
		column = p.next()
	}
	var root *Node
	if column >= 0 {
		root = p.block(-1, column)
		column = p.next()
	}
	switch {
	case column >= 0:
		panic(p.fail(p.pos, "is not part of anything above; check the indentation"))
	case p.atMarker("---"):
		panic(p.fail(p.pos, "a file holds one scenario; a second one starts here"))
	case p.atMarker("..."):
		p.pos += 3
		if column = p.next(); column >= 0 || p.pos < len(p.src) {
			panic(p.fail(p.pos, "nothing may follow the end of the document"))
		}
	}
	return root
}

// atMarker reports a document marker at the current place.
func (p *parser) atMarker(marker string) bool {
	return (p.pos == 0 || p.src[p.pos-1] == '\n') && p.hasMarker(p.pos, marker)
}

func (p *parser) hasMarker(at int, marker string) bool {
	return strings.HasPrefix(p.src[at:], marker) && p.blankAt(at+3)
}

// blankAt reports white space, a line end or the end of the text.
func (p *parser) blankAt(i int) bool {
	return i >= len(p.src) || p.src[i] == ' ' || p.src[i] == '\t' || p.src[i] == '\n'
}

// next moves over blank lines and comments to the next content and gives its
// column, from 0; −1 at the end of the document.
func (p *parser) next() int {
	for {
		start := p.pos
		p.skipBlanks()
		if p.pos >= len(p.src) {
			return -1
		}
		switch c := p.src[p.pos]; {
		case c == '\n':
			p.pos++
			continue
		case c == '#' && (p.pos == 0 || p.blankAt(p.pos-1)):
			p.skipLine()
			continue
		}
		begin := strings.LastIndexByte(p.src[:p.pos], '\n') + 1
		if tab := strings.IndexByte(p.src[max(start, begin):p.pos], '\t'); tab >= 0 && start == begin {
			panic(p.fail(start+tab, "a tab cannot indent; use spaces"))
		}
		if begin == p.pos && (p.hasMarker(p.pos, "---") || p.hasMarker(p.pos, "...")) {
			return -1
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
	for i < len(p.src) && (p.src[i] == ' ' || p.src[i] == '\t') {
		i++
	}
	return i
}

// lineEnds reports whether nothing but a comment is left on the line.
func (p *parser) lineEnds() bool {
	before := p.pos
	p.skipBlanks()
	if p.pos >= len(p.src) || p.src[p.pos] == '\n' {
		return true
	}
	return p.src[p.pos] == '#' && (p.pos > before || p.blankAt(p.pos-1))
}

// endLine requires that nothing but a comment is left, and leaves the line.
func (p *parser) endLine() {
	if !p.lineEnds() {
		panic(p.fail(p.pos, "unexpected text after the value"))
	}
	p.skipLine()
}

// enter guards the recursion.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		panic(p.fail(p.pos, "nested deeper than %d levels", maxDepth))
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) empty() *Node { return &Node{Style: Empty, Start: p.pos, End: p.pos} }

// name reads what follows & or *.
func (p *parser) name() string {
	start := p.pos + 1
	end := start
	for !p.blankAt(end) && !strings.ContainsRune(",[]{}", rune(p.src[end])) {
		end++
	}
	if end == start {
		panic(p.fail(p.pos, "%q needs a name", p.src[p.pos:p.pos+1]))
	}
	p.pos = end
	return p.src[start:end]
}

// anchor remembers a finished node; only then, so that no node contains itself.
// before is how many nodes there were in front of it.
func (p *parser) anchor(start int, name string, n *Node, before int) *Node {
	if n.Kind == Alias || n.Style == Empty {
		panic(p.fail(start, "an anchor needs a value"))
	}
	n.Anchored = true
	p.anchors[name] = n
	p.sizes[n] = p.nodes + p.expanded - before
	return n
}

// alias reads a reference to an earlier node.
func (p *parser) alias() *Node {
	start := p.pos
	name := p.name()
	target := p.anchors[name]
	if target == nil {
		panic(p.fail(start, "no anchor &%s stands before this alias", name))
	}
	p.expanded += p.sizes[target]
	if p.expanded > maxExpanded {
		panic(p.fail(start, "aliases expand to more than %d values", maxExpanded))
	}
	return &Node{Kind: Alias, Text: name, Target: target, Start: start, End: p.pos}
}
