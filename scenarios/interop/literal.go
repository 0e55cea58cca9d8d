package interop

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A node is a Python literal or constructor call, as repr prints it: the form in
// which three of the formats come.
type node struct {
	call   string          // class name, without its module; "" if not a call
	fields map[string]node // keyword arguments
	args   []node          // positional arguments, or the items of a list or tuple
	list   bool
	number float64
	isNum  bool
	text   string // strings, None, True, False and other bare names
}

const maxDepth = 200

type literalParser struct {
	src   string
	pos   int
	depth int
}

// parseLiteral reads one Python expression made of calls, lists, tuples, numbers
// (also a quotient of two), strings and names. It evaluates nothing.
func parseLiteral(src string) (node, error) {
	p := &literalParser{src: src}
	n, err := p.value()
	if err != nil {
		return node{}, err
	}
	p.space()
	if p.pos < len(p.src) {
		return node{}, p.errorf("unexpected %q after the end of the record", p.peekWord())
	}
	return n, nil
}

// parseAssigned reads the expression assigned to a name at the start of a line of
// Python code, which may go on after it.
func parseAssigned(src, name string) (node, bool, error) {
	at := strings.Index("\n"+src, "\n"+name+" = ")
	if at < 0 {
		return node{}, false, nil
	}
	p := &literalParser{src: src, pos: at + len(name) + 3}
	n, err := p.value()
	return n, true, err
}

func (p *literalParser) errorf(format string, args ...any) error {
	line := 1 + strings.Count(p.src[:p.pos], "\n")
	col := p.pos - strings.LastIndexByte(p.src[:p.pos], '\n')
	return fmt.Errorf("line %d, column %d: %s", line, col, fmt.Sprintf(format, args...))
}

func (p *literalParser) peekWord() string {
	rest := p.src[p.pos:]
	if len(rest) > 12 {
		rest = strings.ToValidUTF8(rest[:12], "") + "…"
	}
	return rest
}

func (p *literalParser) space() {
	for p.pos < len(p.src) {
		switch {
		case strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0:
			p.pos++
		case p.src[p.pos] == '#': // a comment, as our own export writes them
			for p.pos < len(p.src) && p.src[p.pos] != '\n' {
				p.pos++
			}
		default:
			return
		}
	}
}

func (p *literalParser) accept(c byte) bool {
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *literalParser) value() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return node{}, p.errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	p.space()
	if p.pos >= len(p.src) {
		return node{}, p.errorf("the record ends where a value is expected")
	}
	n, err := p.primary()
	if err != nil {
		return node{}, err
	}
	for n.isNum && p.accept('/') { // a rational, as sympy prints it
		d, err := p.primary()
		if err != nil {
			return node{}, err
		}
		if !d.isNum || d.number == 0 {
			return node{}, p.errorf("expected a number other than 0 after /")
		}
		n.number /= d.number
	}
	return n, nil
}

func (p *literalParser) primary() (node, error) {
	p.space()
	if p.pos >= len(p.src) {
		return node{}, p.errorf("the record ends where a value is expected")
	}
	switch c := p.src[p.pos]; {
	case c == '[' || c == '(':
		return p.sequence(c)
	case c == '\'' || c == '"':
		return p.quoted(c)
	case strings.HasPrefix(p.src[p.pos:], "..."):
		return node{}, p.errorf("the list is shortened with ...; save the whole list instead")
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return p.numeral()
	case c == '_' || unicode.IsLetter(rune(c)):
		return p.nameOrCall()
	}
	return node{}, p.errorf("expected a value, found %q", p.peekWord())
}

func (p *literalParser) sequence(open byte) (node, error) {
	closing := byte(']')
	if open == '(' {
		closing = ')'
	}
	p.pos++
	n := node{list: true}
	for !p.accept(closing) {
		item, err := p.value()
		if err != nil {
			return node{}, err
		}
		n.args = append(n.args, item)
		if !p.accept(',') {
			if !p.accept(closing) {
				return node{}, p.errorf("expected , or %c", closing)
			}
			break
		}
	}
	return n, nil
}

func (p *literalParser) quoted(q byte) (node, error) {
	end := strings.IndexByte(p.src[p.pos+1:], q)
	if end < 0 {
		return node{}, p.errorf("a string is not closed")
	}
	text := p.src[p.pos+1 : p.pos+1+end]
	p.pos += end + 2
	return node{text: text}, nil
}

func (p *literalParser) numeral() (node, error) {
	start := p.pos
	for p.pos < len(p.src) && strings.IndexByte("0123456789.eE+-_", p.src[p.pos]) >= 0 {
		c := p.src[p.pos]
		if (c == '+' || c == '-') && p.pos > start && p.src[p.pos-1] != 'e' && p.src[p.pos-1] != 'E' {
			break
		}
		p.pos++
	}
	word := p.src[start:p.pos]
	if rest := p.src[p.pos:]; (word == "-" || word == "+") && strings.HasPrefix(rest, "inf") {
		p.pos += 3
		return node{isNum: true, number: math.Inf(map[string]int{"-": -1, "+": 1}[word])}, nil
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64)
	if err != nil {
		p.pos = start
		return node{}, p.errorf("%q is not a number", word)
	}
	return node{isNum: true, number: x}, nil
}

func (p *literalParser) nameOrCall() (node, error) {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c != '_' && c != '.' && (c < '0' || c > '9') && !unicode.IsLetter(rune(c)) {
			break
		}
		p.pos++
	}
	name := p.src[start:p.pos]
	if !p.accept('(') {
		switch name {
		case "inf", "oo":
			return node{isNum: true, number: math.Inf(1)}, nil
		case "nan":
			return node{isNum: true, number: math.NaN()}, nil
		}
		return node{text: name}, nil
	}
	n := node{call: name[strings.LastIndexByte(name, '.')+1:], fields: map[string]node{}}
	for !p.accept(')') {
		if err := p.argument(&n); err != nil {
			return node{}, err
		}
		if !p.accept(',') {
			if !p.accept(')') {
				return node{}, p.errorf("expected , or ) in %s(…)", n.call)
			}
			break
		}
	}
	return n.unwrap(), nil
}

// argument reads one keyword or positional argument.
func (p *literalParser) argument(n *node) error {
	p.space()
	mark := p.pos
	end := mark
	for end < len(p.src) && (p.src[end] == '_' || unicode.IsLetter(rune(p.src[end])) || p.src[end] >= '0' && p.src[end] <= '9') {
		end++
	}
	key := p.src[mark:end]
	p.pos = end
	keyword := key != "" && p.accept('=')
	if !keyword {
		p.pos = mark
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	if keyword {
		n.fields[key] = v
	} else {
		n.args = append(n.args, v)
	}
	return nil
}

// unwrap turns the numeric wrappers libraries print into plain numbers.
func (n node) unwrap() node {
	switch n.call {
	case "Fraction", "Rational":
		if len(n.args) == 2 && n.args[0].isNum && n.args[1].isNum && n.args[1].number != 0 {
			return node{isNum: true, number: n.args[0].number / n.args[1].number}
		}
	case "float64", "float32", "float", "int", "int64", "Integer", "Float", "ExactNumber", "Decimal":
		if len(n.args) >= 1 && n.args[0].isNum {
			return node{isNum: true, number: n.args[0].number}
		}
		if len(n.args) == 1 && n.args[0].call == "" && !n.args[0].list {
			if inner, err := parseLiteral(n.args[0].text); err == nil && inner.isNum {
				return inner
			}
		}
	}
	return n
}
