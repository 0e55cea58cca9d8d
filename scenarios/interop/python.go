package interop

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"epsiloscope/scenarios/report"
)

// Python is read with the grammar of Starlark, which is a part of Python's: what it
// accepts means the same in both. Import statements, which Starlark lacks, are taken
// out first. Nothing is run. A script is a list of assignments and calls, each of
// which is understood or refused; loops, conditions and functions are refused.

// binding is what a name stands for.
type binding struct {
	node
	used bool
}

type script struct {
	names map[string]*binding
	order []string                     // of assignment
	notes []string                     // what has no effect
	value func(call node) node         // what a call stands for
	alone func(n node)                 // an expression on a line of its own
	on    func(object, call node) node // a method
}

var (
	importLine = regexp.MustCompile(`^import ([\w.]+)(?: as (\w+))?\s*(?:#.*)?$`)
	fromLine   = regexp.MustCompile(`^from ([\w.]+) import (\w+(?: as \w+)?(?:, *\w+(?: as \w+)?)*)\s*(?:#.*)?$`)
	asideLine  = regexp.MustCompile(`#.*?(\w+(?:DpEvent|DPBudget|Accountant))\(`)
	codingLine = regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`)
)

// parse reads the grammar of the text, and binds the names it imports.
func (s *script) parse(data []byte) *syntax.File {
	src := strings.TrimPrefix(string(data), "\ufeff")
	src = strings.ReplaceAll(src, "\r\n", "\n")
	lines := strings.Split(src, "\n")
	for i, line := range lines {
		at := fmt.Sprintf("line %d", i+1)
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			refuse(at, "holds a control character, or is not UTF-8")
		}
		if m := codingLine.FindStringSubmatch(line); i < 2 && m != nil && !strings.EqualFold(strings.ReplaceAll(m[1], "_", "-"), "utf-8") {
			refuse(at, "the coding %s is not read: save the file as UTF-8", m[1])
		}
		if m := asideLine.FindStringSubmatch(line); m != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s: %s stands in a comment and is not counted", at, m[1]))
		}
	}
	s.names = map[string]*binding{}
	for {
		f, err := new(syntax.FileOptions).Parse("", strings.Join(lines, "\n")+"\n", syntax.RetainComments)
		if err == nil {
			// Python takes letters that look alike for the same name; none is guessed at.
			syntax.Walk(f, func(n syntax.Node) bool {
				if id, ok := n.(*syntax.Ident); ok && strings.ContainsFunc(id.Name, func(r rune) bool { return r > 0x7e }) {
					refuse(place(id.NamePos), "%s: only names of plain letters are read", report.Plain(id.Name))
				}
				return true
			})
			return f
		}
		var wrong syntax.Error
		if !errors.As(err, &wrong) {
			refuse("", "this is not Python that can be read")
		}
		line := int(wrong.Pos.Line) - 1
		if wrong.Pos.Col == 1 && line < len(lines) && s.imported(place(wrong.Pos), lines[line]) {
			lines[line] = "pass" // a statement too, so an import inside brackets stays an error
			continue
		}
		what := grammar.Replace(wrong.Msg)
		if line < len(lines) && strings.HasPrefix(strings.TrimLeft(cut(lines[line], int(wrong.Pos.Col)-1), " "), "...") {
			what = "the list is shortened with ...; save the whole list instead"
		}
		refuse(place(wrong.Pos), "%s", report.Plain(what))
	}
}

// grammar words what the parser says.
var grammar = strings.NewReplacer("got ", "found ", ", want ", ", expected ", "primary expression", "a value")

func cut(s string, runes int) string {
	for range runes {
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return s
}

func place(p syntax.Position) string { return fmt.Sprintf("line %d, column %d", p.Line, p.Col) }

// imported binds the names of an import statement.
func (s *script) imported(at, line string) bool {
	bind := func(as, path string) {
		if _, twice := s.names[as]; twice {
			refuse(at, "the name %s is imported twice", as)
		}
		s.names[as] = &binding{node{at: at, kind: name, text: path}, true}
		if top, _, _ := strings.Cut(path, "."); top != "dp_accounting" {
			s.notes = append(s.notes, fmt.Sprintf("the import of %s has no effect on the cost", path))
		}
	}
	if m := importLine.FindStringSubmatch(line); m != nil {
		if m[2] == "" { // import a.b binds a
			m[1], _, _ = strings.Cut(m[1], ".")
			if b, again := s.names[m[1]]; again && b.text == m[1] {
				return true
			}
			m[2] = m[1]
		}
		bind(m[2], m[1])
		return true
	}
	m := fromLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, item := range strings.Split(m[2], ",") {
		what, as, renamed := strings.Cut(strings.TrimSpace(item), " as ")
		if !renamed {
			as = what
		}
		bind(as, m[1]+"."+what)
	}
	return true
}

// run goes through the statements in order.
func (s *script) run(f *syntax.File) {
	for i, st := range f.Stmts {
		at := place(syntax.Start(st))
		switch st := st.(type) {
		case *syntax.AssignStmt:
			as, ok := st.LHS.(*syntax.Ident)
			if !ok || st.Op != syntax.EQ {
				refuse(at, "only name = value is read as an assignment")
			}
			s.assign(at, as.Name, s.eval(st.RHS, 0))
		case *syntax.ExprStmt:
			if lit, ok := st.X.(*syntax.Literal); ok && lit.Token == syntax.STRING && (i > 0 || len(f.Stmts) > 1) {
				continue // a text that nobody uses: a docstring
			}
			s.alone(s.eval(st.X, 0))
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
	if old, ok := s.names[to]; ok && (!old.used && old.kind != figure || old.kind == name) {
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

// eval is the value of an expression.
func (s *script) eval(e syntax.Expr, depth int) node {
	n := node{at: place(syntax.Start(e))}
	if depth > maxDepth {
		refuse(n.at, "nested more than %d deep", maxDepth)
	}
	if c := e.Comments(); c != nil {
		for _, line := range c.Before {
			n.label = report.Plain(n.label + " " + strings.TrimPrefix(line.Text, "#"))
		}
	}
	switch e := e.(type) {
	case *syntax.ParenExpr:
		inner := s.eval(e.X, depth+1)
		inner.label = n.label
		return inner
	case *syntax.Literal:
		return literal(n, e)
	case *syntax.Ident, *syntax.DotExpr:
		return s.resolve(n, e, depth)
	case *syntax.ListExpr:
		return s.list(n, e.List, depth)
	case *syntax.TupleExpr:
		return s.list(n, e.List, depth)
	case *syntax.UnaryExpr:
		if x := s.eval(e.X, depth+1); e.Op == syntax.MINUS || e.Op == syntax.PLUS {
			n.kind, n.number = number, x.float("what follows "+e.Op.String())
			if e.Op == syntax.MINUS {
				n.number = -n.number
			}
			return n
		}
	case *syntax.BinaryExpr:
		return s.arithmetic(n, e, depth)
	case *syntax.CallExpr:
		return s.call(n, e, depth)
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

func (s *script) list(n node, items []syntax.Expr, depth int) node {
	n.kind = list
	for _, x := range items {
		n.items = append(n.items, s.eval(x, depth+1))
	}
	return n
}

// resolve is what a plain or dotted name stands for.
func (s *script) resolve(n node, e syntax.Expr, depth int) node {
	if dot, ok := e.(*syntax.DotExpr); ok {
		of := s.eval(dot.X, depth+1)
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

func (s *script) arithmetic(n node, e *syntax.BinaryExpr, depth int) node {
	x := s.eval(e.X, depth+1).float("what stands before " + e.Op.String())
	y := s.eval(e.Y, depth+1).float("what follows " + e.Op.String())
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
func (s *script) call(n node, e *syntax.CallExpr, depth int) node {
	n.kind = call
	var on *node
	if dot, ok := e.Fn.(*syntax.DotExpr); ok {
		if of := s.eval(dot.X, depth+1); of.kind == ledger {
			on, n.text = &of, dot.Name.Name
		}
	}
	if on == nil {
		f := s.eval(e.Fn, depth+1)
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
		p.node = s.eval(a, depth+1)
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

// wrapped takes numbers out of what libraries print around them.
func wrapped(n node) (node, bool) {
	base := n.text[strings.LastIndexByte(n.text, '.')+1:]
	switch base {
	case "Fraction", "Rational":
		f := n.fields(base, "numerator", "denominator")
		n.number = f.number("numerator") / f.positive("denominator")
	case "float64", "float32", "float", "int", "int64", "Integer", "Float", "ExactNumber", "Decimal":
		inner := n.fields(base, "value").node("value")
		if inner.kind == text {
			x, err := strconv.ParseFloat(inner.text, 64)
			if err != nil || math.IsNaN(x) {
				refuse(inner.at, "%q is not a number", report.Plain(inner.text))
			}
			inner.kind, inner.number = number, x
		}
		n.number = inner.float("the argument of " + base)
		if strings.HasPrefix(base, "int") || base == "Integer" {
			n.number = math.Trunc(n.number)
		}
	default:
		return n, false
	}
	return node{at: n.at, kind: number, number: n.number, label: n.label}, true
}
