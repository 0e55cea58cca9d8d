package interop

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"epsiloscope/scenarios/report"
)

// eval is the value of an expression. Its depth is bounded by shallow.
func (s *script) eval(e syntax.Expr) node {
	n := node{at: place(syntax.Start(e))}
	if c := e.Comments(); c != nil {
		var lines []string
		for _, line := range c.Before {
			lines = append(lines, strings.TrimPrefix(line.Text, "#"))
		}
		n.label = report.Plain(strings.Join(lines, " "))
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		inner := s.eval(e.X)
		inner.label = n.label
		return inner
	case *syntax.Literal:
		return literal(n, e)
	case *syntax.Ident, *syntax.DotExpr:
		return s.resolve(n, e)
	case *syntax.ListExpr:
		return s.list(n, e.List)
	case *syntax.TupleExpr:
		return s.list(n, e.List)
	case *syntax.UnaryExpr:
		if x := s.eval(e.X); e.Op == syntax.MINUS || e.Op == syntax.PLUS {
			n.kind, n.number = number, x.float("what follows "+e.Op.String())
			if e.Op == syntax.MINUS {
				n.number = -n.number
			}
			return n
		}
	case *syntax.BinaryExpr:
		return s.arithmetic(n, e)
	case *syntax.CallExpr:
		return s.call(n, e)
	}
	refuse(n.at, "this kind of expression is not read: only numbers, lists, names and calls are")
	return n
}

func literal(n node, e *syntax.Literal) node {
	switch v := e.Value.(type) {
	case string:
		n.kind, n.text = text, v
	case int64:
		n.kind, n.number = number, float64(v)
	case float64:
		n.kind, n.number = number, v
	case *big.Int:
		n.kind = number
		n.number, _ = new(big.Float).SetInt(v).Float64()
	}
	if n.kind == "" || e.Token == syntax.BYTES || math.IsInf(n.number, 0) {
		refuse(n.at, "%s is not read", report.Plain(e.Raw))
	}
	return n
}

func (s *script) list(n node, items []syntax.Expr) node {
	n.kind = list
	for _, x := range items {
		n.items = append(n.items, s.eval(x))
		n.holds(n.items[len(n.items)-1])
	}
	return n
}

// resolve is what a plain or dotted name stands for.
func (s *script) resolve(n node, e syntax.Expr) node {
	if dot, ok := e.(*syntax.DotExpr); ok {
		of := s.eval(dot.X)
		of.want(name, "what stands before ."+dot.Name.Name)
		n.kind, n.text = name, of.text+"."+dot.Name.Name
	} else {
		id := e.(*syntax.Ident).Name
		if b, ok := s.names[id]; ok {
			b.used = true
			at, label := n.at, n.label
			n = b.node
			n.at, n.label = at, label
			return n
		}
		n.kind, n.text = name, id
	}
	switch n.text {
	case "None":
		n.kind = null
	case "True", "False":
		n.kind = flag
	case "inf", "oo", "math.inf", "numpy.inf":
		n.kind, n.number = number, math.Inf(1)
	}
	if module, value, ok := strings.Cut(n.text, "NeighboringRelation."); ok && slices.Contains(dpModules, module) {
		n.kind, n.text = relation, value
	}
	return n
}

func (s *script) arithmetic(n node, e *syntax.BinaryExpr) node {
	x := s.eval(e.X).float("what stands before " + e.Op.String())
	y := s.eval(e.Y).float("what follows " + e.Op.String())
	n.kind = number
	switch e.Op {
	case syntax.PLUS:
		n.number = x + y
	case syntax.MINUS:
		n.number = x - y
	case syntax.STAR:
		n.number = x * y
	case syntax.SLASH:
		n.number = x / y
	case syntax.SLASHSLASH:
		n.number = math.Floor(x / y)
	default:
		refuse(n.at, "the operator %s is not read", e.Op)
	}
	if math.IsNaN(n.number) || math.IsInf(n.number, 0) || math.Abs(n.number) > 1<<53 {
		refuse(n.at, "the result of %s is not a number that is known exactly", e.Op)
	}
	return n
}

// call reads the name and the arguments of a call.
func (s *script) call(n node, e *syntax.CallExpr) node {
	n.kind = call
	var on *node
	if dot, ok := e.Fn.(*syntax.DotExpr); ok {
		if of := s.eval(dot.X); of.kind == ledger {
			on, n.text = &of, dot.Name.Name
		}
	}
	if on == nil {
		f := s.eval(e.Fn)
		f.want(name, "what is called")
		n.text = f.text
	}
	for _, a := range e.Args {
		p := part{}
		if kw, ok := a.(*syntax.BinaryExpr); ok && kw.Op == syntax.EQ {
			p.name, a = kw.X.(*syntax.Ident).Name, kw.Y
		} else if len(n.parts) > 0 && n.parts[len(n.parts)-1].name != "" {
			refuse(place(syntax.Start(a)), "an argument without a name follows one with a name")
		}
		p.node = s.eval(a)
		n.holds(p.node)
		n.parts = append(n.parts, p)
	}
	if on != nil {
		return s.on(*on, n)
	}
	if x, ok := wrapped(n); ok {
		return x
	}
	return s.value(n)
}

// numberModules are the modules whose number types are read.
var numberModules = []string{"", "np", "numpy", "fractions", "decimal", "sympy", "tmlt.core.utils.exact_number"}

// wrapped takes a number out of the type that a library prints around it.
func wrapped(n node) (node, bool) {
	dot := strings.LastIndexByte(n.text, '.')
	base, x := n.text[dot+1:], 0.0
	switch base {
	case "Fraction", "Rational":
		f := n.fields(base, "numerator", "denominator")
		x = f.number("numerator") / f.positive("denominator")
	case "float64", "float32", "float", "int", "int64", "Integer", "Float", "ExactNumber", "Decimal":
		inner := n.fields(base, "value").node("value")
		whole := strings.HasPrefix(base, "int") || base == "Integer"
		if inner.kind == text {
			var err error
			inner.kind = number
			if inner.number, err = strconv.ParseFloat(inner.text, 64); err != nil || math.IsNaN(inner.number) || strings.ContainsAny(inner.text, "xX") || whole && strings.Trim(inner.text, "0123456789") != "" {
				refuse(inner.at, "%q is not a number", report.Plain(inner.text))
			}
		}
		switch x = inner.float("the argument of " + base); {
		case whole:
			x = math.Trunc(x)
		case base == "float32":
			x = float64(float32(x))
		}
	default:
		return n, false
	}
	if !slices.Contains(numberModules, n.text[:max(dot, 0)]) {
		refuse(n.at, "the name %s is not known", n.text)
	}
	return node{at: n.at, kind: number, number: x, label: n.label}, true
}
