package yamltree

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Emit writes a node as it would stand in a new file. The text starts in the given
// column; further lines are indented to it.
func (n *Node) Emit(column int) string {
	if n.Style != Block {
		return n.flow()
	}
	var lines []string
	for _, item := range n.Items {
		lines = append(lines, "- "+item.Emit(column+2))
	}
	for _, f := range n.Pairs {
		if !f.Implied {
			lines = append(lines, fieldName(f.Key.Text)+":"+f.Value.valueText(column))
		}
	}
	if lines == nil && n.Kind == Mapping {
		return "{}"
	}
	return strings.Join(lines, newline(column))
}

// valueText returns what follows "field:" of a block mapping at the given column.
func (n *Node) valueText(column int) string {
	switch {
	case n.Style == Block:
		return newline(column+2) + n.Emit(column+2)
	case n.Kind == Scalar && canBeLiteral(n.Text):
		body, ends := strings.CutSuffix(n.Text, "\n")
		header := " |"
		if !ends {
			header = " |-"
		}
		lines := strings.Split(body, "\n")
		for i, line := range lines {
			if line != "" {
				lines[i] = strings.Repeat(" ", column+2) + line
			}
		}
		return header + "\n" + strings.Join(lines, "\n")
	}
	return " " + n.flow()
}

func newline(column int) string { return "\n" + strings.Repeat(" ", column) }

// canBeLiteral reports whether a text of several lines can be written in | form unchanged.
func canBeLiteral(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	return strings.Contains(body, "\n") && !strings.ContainsAny(body, "\t\ufeff") && strings.TrimSpace(body) == body &&
		!strings.Contains(body, " \n")
}

// inline is the syntax of a node on one line: YAML in brackets, or JSON.
type inline struct {
	comma, colon string
	name, text   func(string) string
}

var (
	inYAML = inline{", ", ": ", fieldName, Quote}
	inJSON = inline{",", ":", quote, quote}
)

// flow returns the node in flow style, on one line.
func (n *Node) flow() string { return inYAML.line(n) }

// JSON returns the node on one line of JSON.
func (n *Node) JSON() string { return inJSON.line(n) }

func (in inline) line(n *Node) string {
	var parts []string
	switch n.Kind {
	case Mapping:
		for _, f := range n.Pairs {
			if !f.Implied {
				parts = append(parts, in.field(f))
			}
		}
		return "{" + strings.Join(parts, in.comma) + "}"
	case Sequence:
		for _, item := range n.Items {
			parts = append(parts, in.line(item))
		}
		return "[" + strings.Join(parts, in.comma) + "]"
	}
	if n.Style == Plain { // a number or a flag
		return n.Text
	}
	return in.text(n.Text)
}

func (in inline) field(f Pair) string { return in.name(f.Key.Text) + in.colon + in.line(f.Value) }

// fieldName quotes a candidate's name if it needs it; a Rényi order does not.
func fieldName(name string) string {
	if _, number := ParseFloat(name); number {
		return name
	}
	return Quote(name)
}

// Quote writes a text as a scalar that stands anywhere on one line, in quotes
// only if it needs them.
func Quote(s string) string {
	if isPlainSafe(s) {
		return s
	}
	return quote(s)
}

// quote returns a text in quotes, in a form that JSON and YAML read alike.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case IsControl(r) || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// reserved lists words that some YAML readers do not read as text.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

func isPlainSafe(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, ",[]{}\n\t\"'\\`") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	if _, number := ParseFloat(s); number || slices.Contains(reserved, strings.ToLower(s)) {
		return false
	}
	for i, r := range s {
		if IsControl(r) || r == 0xfeff || r != ' ' && unicode.IsSpace(r) ||
			i == 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
