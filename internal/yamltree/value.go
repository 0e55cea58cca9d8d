package yamltree

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
)

// word returns the text of a scalar without quotes, "" of any other node.
func (n *Node) word() string {
	if n.Kind != Scalar || n.Style != Plain {
		return ""
	}
	return n.Text
}

// IsNull reports a node that says nothing: empty, ~ or null.
func (n *Node) IsNull() bool {
	switch n.word() {
	case "~", "null", "Null", "NULL":
		return true
	}
	return n.Style == Empty
}

// Bool reads true or false.
func (n *Node) Bool() (value, ok bool) {
	switch n.word() {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// Float reads a number; .inf, .nan and what overflows come back as such.
func (n *Node) Float() (float64, bool) { return ParseFloat(n.word()) }

// Number reads a number, or a formula as flags and the explorer accept it: 256/60000. In
// quotes it is text.
func (n *Node) Number() (float64, bool) {
	x, ok := n.Float()
	if ok || !strings.ContainsAny(n.word(), FormulaSigns) {
		return x, ok
	}
	x, err := numeral.Parse(n.Text)
	return x, err == nil
}

// FormulaSigns are the characters of which a formula, unlike a word, contains at least one.
const FormulaSigns = "-+*/^("

// ParseFloat reads a number of YAML's core schema.
func ParseFloat(s string) (float64, bool) {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" {
		return 0, false
	}
	switch body {
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), len(body) == len(s)
	case ".inf", ".Inf", ".INF":
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if len(body) == len(s) && (strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0o")) && !strings.Contains(s, "_") {
		v, err := strconv.ParseUint(s, 0, 64)
		return float64(v), err == nil
	}
	if strings.Trim(body, "0123456789.eE+-") != "" || (body[0] != '.' && (body[0] < '0' || body[0] > '9')) {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, (err == nil || math.IsInf(v, 0)) && !numeral.Vanishes(s, v)
}

// Describe names what a node is, for "expected a number, got …".
func (n *Node) Describe() string {
	_, flag := n.Bool()
	_, number := n.Float()
	switch {
	case n.Kind == Alias:
		return n.Target.Describe()
	case n.Kind == Mapping:
		return "a mapping"
	case n.Kind == Sequence:
		return "a list"
	case n.IsNull():
		return "nothing"
	case flag:
		return n.Text
	case number:
		return "the number " + clip(n.Text)
	}
	return "the text " + strconv.Quote(clip(n.Text))
}

// clip keeps a quotation from the file short.
func clip(s string) string {
	const limit = 40
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

// Value returns the node as Go values: nil, bool, float64, string, []any and map[string]any.
func (n *Node) Value() any {
	if n == nil || n.IsNull() {
		return nil
	}
	switch n.Kind {
	case Alias:
		return n.Target.Value()
	case Sequence:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, item.Value())
		}
		return list
	case Mapping:
		fields := map[string]any{}
		for _, p := range n.Pairs {
			fields[p.Key.Text] = p.Value.Value()
		}
		return fields
	}
	if flag, ok := n.Bool(); ok {
		return flag
	}
	if x, ok := n.Float(); ok {
		return x
	}
	return n.Text
}
