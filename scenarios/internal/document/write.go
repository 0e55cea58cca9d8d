package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Edit replaces a span of the text.
type Edit struct {
	Start, End int
	Text       string
}

// Apply makes the edits, which must not overlap.
func (d *Document) Apply(edits []Edit) string {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(d.Text[at:max(at, e.Start)])
		b.WriteString(e.Text)
		at = max(at, e.End)
	}
	b.WriteString(d.Text[at:])
	return b.String()
}

// Quote writes a text as a scalar that stands anywhere on one line, in quotes
// only if it needs them.
func Quote(s string) string {
	if plainSafe(s) {
		return s
	}
	return quoted(s)
}

// quoted is a text in quotes, which JSON and YAML read alike.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
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
	b.WriteByte('"')
	return b.String()
}

// reserved words that some reader of YAML takes for something else than text.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

func plainSafe(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, ",[]{}\n\t\"'\\`") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") {
		return false
	}
	if slices.Contains(reserved, strings.ToLower(s)) {
		return false
	}
	if _, number := ParseFloat(s); number {
		return false
	}
	for i, r := range s {
		if IsControl(r) || r == 0xfeff || (r != ' ' && unicode.IsSpace(r)) {
			return false
		}
		if i == 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
