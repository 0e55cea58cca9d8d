package interop

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
)

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
	if n.kind == "" || e.Token == syntax.BYTES || math.IsInf(n.number, 0) ||
		n.kind == number && numeral.Vanishes(e.Raw, n.number) {
		refuse(n.at, "%s is not read", report.Plain(e.Raw))
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
		rest := math.Mod(x, y) // exact: 1 / 0.1 is 10, and 1 // 0.1 is 9
		if n.number = math.Round((x - rest) / y); rest != 0 && (rest < 0) != (y < 0) {
			n.number--
		}
	default:
		refuse(n.at, "the operator %s is not read", e.Op)
	}
	vanished := (e.Op == syntax.STAR || e.Op == syntax.SLASH) && n.number == 0 && x != 0 && y != 0
	if vanished || math.IsNaN(n.number) || math.IsInf(n.number, 0) || math.Abs(n.number) > 1<<53 {
		refuse(n.at, "the result of %s is not a number that is known exactly", e.Op)
	}
	return n
}

// numberModules are the modules whose number types are read.
var numberModules = []string{"", "np", "numpy", "fractions", "decimal", "sympy", "tmlt.core.utils.exact_number"}

// unwrapNumber returns the number inside a call such as np.float64(0.1); false if the call is another.
func unwrapNumber(n node) (node, bool) {
	dot := strings.LastIndexByte(n.text, '.')
	base, x := n.text[dot+1:], 0.0
	switch base {
	case "Fraction", "Rational":
		f := n.fields(base, "numerator", "denominator")
		x = f.number("numerator") / f.positiveNumber("denominator")
	case "float64", "float32", "float", "int", "int64", "Integer", "Float", "ExactNumber", "Decimal":
		inner := n.fields(base, "value").node("value")
		whole := strings.HasPrefix(base, "int") || base == "Integer"
		if inner.kind == text {
			var err error
			inner.kind = number
			if inner.number, err = strconv.ParseFloat(inner.text, 64); err != nil || math.IsNaN(inner.number) ||
				numeral.Vanishes(inner.text, inner.number) || strings.ContainsAny(inner.text, "xX") ||
				whole && strings.Trim(inner.text, "0123456789") != "" {
				refuse(inner.at, "%q is not a number", report.Plain(inner.text))
			}
		}
		x = inner.float("the argument of " + base)
		switch {
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
