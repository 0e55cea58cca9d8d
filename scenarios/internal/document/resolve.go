package document

import (
	"math"
	"strconv"
	"strings"

	"epsiloscope/mechanisms/numeral"
)

// Null reports a node that says nothing: empty, ~ or null.
func (n *Node) Null() bool {
	if n.Kind != Scalar || n.Style == Empty {
		return n.Style == Empty
	}
	return n.Style == Plain && isNull(n.Text)
}

func isNull(s string) bool { return s == "~" || s == "null" || s == "Null" || s == "NULL" }

// Bool reads true or false.
func (n *Node) Bool() (value, ok bool) {
	if n.Kind != Scalar || n.Style != Plain {
		return false, false
	}
	switch n.Text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// Float reads a number; .inf, .nan and what overflows come back as such.
func (n *Node) Float() (float64, bool) {
	if n.Kind != Scalar || n.Style != Plain {
		return 0, false
	}
	return ParseFloat(n.Text)
}

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
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// Number reads a number, or a formula as flags and the explorer accept it: 256/60000. In
// quotes it is text.
func Number(v *Node) (float64, bool) {
	if x, ok := v.Float(); ok || v.Kind != Scalar || v.Style != Plain || !strings.ContainsAny(v.Text, FormulaSigns) {
		return x, ok
	}
	x, err := numeral.Parse(v.Text)
	return x, err == nil
}

// FormulaSigns tell a formula from a word.
const FormulaSigns = "-+*/^("

// Describe names what a node is, for "expected a number, got …".
func (n *Node) Describe() string {
	switch n.Kind {
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a list"
	case Alias:
		return n.Target.Describe()
	}
	if n.Null() {
		return "nothing"
	}
	if _, ok := n.Bool(); ok {
		return n.Text
	}
	if _, ok := n.Float(); ok {
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
