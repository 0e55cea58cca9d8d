package numeral

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxDepth and maxText keep a hostile expression from costing more than its
// length: the parser recurses once for every parenthesis, sign and power.
const (
	maxDepth = 64
	maxText  = 256
)

// Parse reads a number the way people write it: 1e-6, 1/800, ln(3),
// sqrt(2), e^-32, 2*ln(3), 256/60000. It knows + - * / ^ with the usual
// precedence, parentheses, the functions ln, exp, sqrt, log2 and log10, and the
// constants e and pi. The result is finite.
func Parse(text string) (float64, error) {
	if len(text) > maxText {
		return 0, fmt.Errorf("is too long for a number (more than %d characters)", maxText)
	}
	if !utf8.ValidString(text) {
		return 0, errors.New("is not text")
	}
	p := &parser{rest: strings.TrimSpace(text)}
	if p.rest == "" {
		return 0, errors.New("is empty; a number is expected")
	}
	x, err := p.sum(0)
	if err != nil {
		return 0, err
	}
	if p.skip(); p.rest != "" {
		return 0, fmt.Errorf("is not a number: %s is unexpected", Quote(p.rest))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("is not a finite number")
	}
	return x, nil
}

// parser is a recursive-descent evaluator over what is left of the text.
type parser struct{ rest string }

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " \t") }

// take consumes one of the given signs; typeset forms count as the plain one.
func (p *parser) take(signs ...string) bool {
	p.skip()
	for _, s := range signs {
		if strings.HasPrefix(p.rest, s) {
			p.rest = p.rest[len(s):]
			return true
		}
	}
	return false
}

// match consumes what a pattern finds at the beginning.
func (p *parser) match(pattern *regexp.Regexp) string {
	found := pattern.FindString(p.rest)
	p.rest = p.rest[len(found):]
	return found
}

// errTooSmall is the error for a result that is not 0 but would be read as 0: a δ of 2^-1100 is
// not none.
var errTooSmall = errors.New("is too small for a number")

func (p *parser) sum(depth int) (float64, error) {
	x, err := p.product(depth)
	for err == nil {
		var y float64
		switch {
		case p.take("+"):
			y, err = p.product(depth)
			x += y
		case p.take("-", "−"):
			y, err = p.product(depth)
			x -= y
		default:
			return x, nil
		}
	}
	return x, err
}

func (p *parser) product(depth int) (float64, error) {
	x, err := p.signedPower(depth)
	for err == nil {
		var y float64
		switch {
		case p.take("*", "×", "·"):
			if y, err = p.signedPower(depth); x*y == 0 && x != 0 && y != 0 {
				err = cmp.Or(err, errTooSmall)
			}
			x *= y
		case p.take("/", "÷"):
			if y, err = p.signedPower(depth); err == nil && y == 0 {
				err = errors.New("divides by zero")
			} else if x/y == 0 && x != 0 {
				err = cmp.Or(err, errTooSmall)
			}
			x /= y
		default:
			return x, nil
		}
	}
	return x, err
}

// signedPower reads a sign before a power, so that −2^2 is −4.
func (p *parser) signedPower(depth int) (float64, error) {
	if depth > maxDepth {
		return 0, errors.New("is nested too deeply for a number")
	}
	switch {
	case p.take("-", "−"):
		x, err := p.signedPower(depth + 1)
		return -x, err
	case p.take("+"):
		return p.signedPower(depth + 1)
	}
	base, err := p.atom(depth)
	if err != nil || !p.take("^") {
		return base, err
	}
	exponent, err := p.signedPower(depth + 1) // right to left: 2^3^2 = 2^9
	power := math.Pow(base, exponent)
	if power == 0 && base != 0 {
		err = cmp.Or(err, errTooSmall)
	}
	return power, err
}

var constants = map[string]float64{"e": math.E, "pi": math.Pi}

var functions = map[string]func(float64) float64{
	"ln": math.Log, "exp": math.Exp, "sqrt": math.Sqrt, "log2": math.Log2, "log10": math.Log10,
}

func (p *parser) atom(depth int) (float64, error) {
	if depth > maxDepth {
		return 0, errors.New("is nested too deeply for a number")
	}
	p.skip()
	switch {
	case p.rest == "":
		return 0, errors.New("is not a number: it ends too early")
	case p.take("("):
		return p.closing(depth)
	case p.take("π"):
		return math.Pi, nil
	case p.take("√"):
		x, err := p.atom(depth + 1)
		return math.Sqrt(x), err
	}
	if text := p.match(literal()); text != "" {
		return number(text)
	}
	text := p.match(word())
	name := strings.ToLower(text)
	constant, known := constants[name]
	apply, is := functions[name]
	switch {
	case text == "":
		return 0, fmt.Errorf("is not a number: %s is unexpected", Quote(p.rest))
	case known:
		return constant, nil
	case name == "log":
		return 0, errors.New("uses log, which has several meanings; write ln, log2 or log10")
	case !is:
		return 0, fmt.Errorf("is not a number: %s is unknown", Quote(text))
	case !p.take("("):
		return 0, fmt.Errorf("is not a number: %s needs a parenthesis, as in %s(3)", name, name)
	}
	x, err := p.closing(depth)
	if name == "exp" && apply(x) == 0 {
		err = cmp.Or(err, errTooSmall)
	}
	return apply(x), err
}

func (p *parser) closing(depth int) (float64, error) {
	x, err := p.sum(depth + 1)
	if err == nil && !p.take(")") {
		err = errors.New("is not a number: a closing parenthesis is missing")
	}
	return x, err
}
