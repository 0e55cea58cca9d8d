package interop

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"epsiloscope/report"
)

// Parsed statements come in; the values of their names and the calls of interest go out, or a refusal with its
// line.

// run goes through the statements in order.
func (s *script) run(f *syntax.File) {
	for i, st := range f.Stmts {
		at := positionText(syntax.Start(st))
		switch st := st.(type) {
		case *syntax.AssignStmt:
			as, ok := st.LHS.(*syntax.Ident)
			if !ok || st.Op != syntax.EQ {
				refuse(at, "only name = value is read as an assignment")
			}
			s.assign(at, as.Name, s.eval(st.RHS))
		case *syntax.ExprStmt:
			if lit, ok := st.X.(*syntax.Literal); ok && lit.Token == syntax.STRING && (i > 0 || len(f.Stmts) > 1) {
				first, _ := firstRunes(lit.Raw, 40)
				s.note("%s: the text on its own (%s) has no effect", at, report.Plain(first))
				continue
			}
			s.evalLine(s.eval(st.X))
		case *syntax.BranchStmt:
			if st.Token != syntax.PASS {
				refuse(at, "%s has no place here", st.Token)
			}
		default:
			what := map[string]string{"*syntax.ForStmt": "a for loop", "*syntax.WhileStmt": "a while loop",
				"*syntax.IfStmt": "a condition", "*syntax.DefStmt": "a function", "*syntax.LoadStmt": "load"}[fmt.Sprintf("%T", st)]
			refuse(at, "%s is not read: write out what is composed", what)
		}
	}
}

// assign binds a name. Assigning it again is fine once its value was used, as in
// event = SelfComposedDpEvent(event, 3); before that, something would be lost.
func (s *script) assign(at, to string, n node) {
	if old, ok := s.names[to]; ok && (!old.used && old.kind != resultKind || old.kind == name) {
		refuse(at, "%s is assigned a second time, and what it was before is not used", to)
	}
	if n.kind == name {
		refuse(n.at, "%s is not a value that is known here", n.text)
	}
	if s.names[to] == nil {
		s.order = append(s.order, to)
	}
	s.names[to] = &binding{node: n}
}

// eval returns the value of an expression. Its depth is bounded by shallow.
func (s *script) eval(e syntax.Expr) node {
	n := node{at: positionText(syntax.Start(e))}
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

func (s *script) list(n node, items []syntax.Expr) node {
	n.kind = list
	for _, x := range items {
		n.items = append(n.items, s.eval(x))
		n.addSize(n.items[len(n.items)-1])
	}
	return n
}

// resolve returns what a plain or dotted name stands for.
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

// call reads the name and the arguments of a call.
func (s *script) call(n node, e *syntax.CallExpr) node {
	n.kind = call
	var on *node
	if dot, ok := e.Fn.(*syntax.DotExpr); ok {
		if of := s.eval(dot.X); of.kind == accountantKind {
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
			refuse(positionText(syntax.Start(a)), "an argument without a name follows one with a name")
		}
		p.node = s.eval(a)
		n.addSize(p.node)
		n.parts = append(n.parts, p)
	}
	if on != nil {
		return s.evalMethod(*on, n)
	}
	if x, ok := unwrapNumber(n); ok {
		return x
	}
	return s.evalCall(n)
}
