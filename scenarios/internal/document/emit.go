package document

import (
	"strconv"
	"strings"

	"epsiloscope/mechanisms/numeral"
)

// Emit writes a tree as it would stand in a new file. The text starts in the given
// column; further lines are indented to it.
func (t *Tree) Emit(column int) string {
	if !t.Block || t.Kind != MappingTree && t.Kind != SequenceTree {
		return t.flow()
	}
	var lines []string
	for _, item := range t.Items {
		lines = append(lines, "- "+item.Emit(column+2))
	}
	for _, f := range t.Fields {
		if !f.implied {
			lines = append(lines, fieldName(f.name)+":"+f.value.after(column))
		}
	}
	if lines == nil && t.Kind == MappingTree {
		return "{}"
	}
	return strings.Join(lines, newline(column))
}

// after is what follows "field:" of a block mapping at the given column.
func (t *Tree) after(column int) string {
	switch {
	case (t.Kind == SequenceTree || t.Kind == MappingTree) && t.Block:
		return newline(column+2) + t.Emit(column+2)
	case t.Kind == textTree && literal(t.text):
		body, ends := strings.CutSuffix(t.text, "\n")
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
	return " " + t.flow()
}

func newline(column int) string { return "\n" + strings.Repeat(" ", column) }

// literal tells whether a text of several lines can stand in | form as it is.
func literal(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") || strings.ContainsAny(body, "\t\ufeff") || strings.TrimSpace(body) != body {
		return false
	}
	return !strings.Contains(body, " \n")
}

// inline is how a tree stands on one line: as YAML in brackets, or as JSON.
type inline struct {
	comma, colon string
	name, text   func(string) string
}

var (
	inYAML = inline{", ", ": ", fieldName, Quote}
	inJSON = inline{",", ":", quoted, quoted}
)

// flow is the tree on one line.
func (t *Tree) flow() string { return inYAML.line(t) }

// Json is the tree on one line of JSON.
func (t *Tree) Json() string { return inJSON.line(t) }

func (in inline) line(t *Tree) string {
	var parts []string
	switch t.Kind {
	case numberTree:
		return numeral.Format(t.number)
	case textTree:
		return in.text(t.text)
	case flagTree:
		return strconv.FormatBool(t.flag)
	case SequenceTree:
		for _, item := range t.Items {
			parts = append(parts, in.line(item))
		}
		return "[" + strings.Join(parts, in.comma) + "]"
	}
	for _, f := range t.Fields {
		if !f.implied {
			parts = append(parts, in.name(f.name)+in.colon+in.line(f.value))
		}
	}
	return "{" + strings.Join(parts, in.comma) + "}"
}

// fieldName quotes a candidate's name if it needs it; a Rényi order does not.
func fieldName(name string) string {
	if _, number := ParseFloat(name); number {
		return name
	}
	return Quote(name)
}
