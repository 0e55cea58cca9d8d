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

func (p *parser) fail(offset int, format string, args ...any) error {
	return p.doc.errorAt(min(offset, len(p.src)), fmt.Sprintf(format, args...))
}

// document reads the whole text: an optional "---", one node, nothing more.
func (p *parser) document() (*Node, error) {
	if strings.HasPrefix(p.src, "%") {
		return nil, p.fail(0, "YAML directives are not supported; start with version: 1")
	}
	column, err := p.next()
	if err != nil {
		return nil, err
	}
	if column < 0 && p.atMarker("---") {
		p.pos += 3
		if err := p.endLine(); err != nil {
			return nil, err
		}
		if column, err = p.next(); err != nil {
			return nil, err
		}
	}
	var root *Node
	if column >= 0 {
		if root, err = p.block(-1, column); err != nil {
			return nil, err
		}
		if column, err = p.next(); err != nil {
			return nil, err
		}
	}
	switch {
	case column >= 0:
		return nil, p.fail(p.pos, "is not part of anything above; check the indentation")
	case p.atMarker("---"):
		return nil, p.fail(p.pos, "a file holds one scenario; a second one starts here")
	case p.atMarker("..."):
		p.pos += 3
		if column, err = p.next(); err != nil || column >= 0 || p.pos < len(p.src) {
			return nil, p.fail(p.pos, "nothing may follow the end of the document")
		}
	}
	return root, nil
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
func (p *parser) next() (int, error) {
	for {
		start := p.pos
		for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
			p.pos++
		}
		if p.pos >= len(p.src) {
			return -1, nil
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
			return 0, p.fail(start+tab, "a tab cannot indent; use spaces")
		}
		if begin == p.pos && (p.hasMarker(p.pos, "---") || p.hasMarker(p.pos, "...")) {
			return -1, nil
		}
		return p.pos - begin, nil
	}
}

func (p *parser) skipLine() {
	if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
		p.pos += i
	} else {
		p.pos = len(p.src)
	}
}

func (p *parser) skipBlanks() {
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
		p.pos++
	}
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
func (p *parser) endLine() error {
	if !p.lineEnds() {
		return p.fail(p.pos, "unexpected text after the value")
	}
	p.skipLine()
	return nil
}

// enter guards the recursion.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(p.pos, "nested deeper than %d levels", maxDepth)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) empty() *Node { return &Node{Style: Empty, Start: p.pos, End: p.pos} }

// name reads what follows & or *.
func (p *parser) name() (string, error) {
	start := p.pos + 1
	end := start
	for !p.blankAt(end) && !strings.ContainsRune(",[]{}", rune(p.src[end])) {
		end++
	}
	if end == start {
		return "", p.fail(p.pos, "%q needs a name", p.src[p.pos:p.pos+1])
	}
	p.pos = end
	return p.src[start:end], nil
}

// anchor remembers a finished node; only then, so that no node contains itself.
func (p *parser) anchor(name string, n *Node, added int) {
	n.Anchored = true
	p.anchors[name] = n
	p.sizes[n] = added
}

// alias reads a reference to an earlier node.
func (p *parser) alias() (*Node, error) {
	start := p.pos
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	target := p.anchors[name]
	if target == nil {
		return nil, p.fail(start, "no anchor &%s stands before this alias", name)
	}
	p.expanded += p.sizes[target]
	if p.expanded > maxExpanded {
		return nil, p.fail(start, "aliases expand to more than %d values", maxExpanded)
	}
	return &Node{Kind: Alias, Text: name, Target: target, Start: start, End: p.pos}, nil
}
