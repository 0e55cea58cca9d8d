package document

import (
	"encoding/json"
	"strconv"
	"strings"

	"epsiloscope/mechanisms/numeral"
)

// Emit writes a tree as it would stand in a new file. The text starts in the given
// column; further lines are indented to it.
func (t *Tree) Emit(column int) string {
	var b strings.Builder
	t.write(&b, column)
	return b.String()
}

func (t *Tree) write(b *strings.Builder, column int) {
	switch {
	case t.Kind == MappingTree && t.Block:
		t.writeBlockMapping(b, column)
	case t.Kind == SequenceTree && t.Block:
		for i, item := range t.Items {
			if i > 0 {
				newline(b, column)
			}
			b.WriteString("- ")
			item.write(b, column+2)
		}
	default:
		t.writeFlow(b)
	}
}

func (t *Tree) writeBlockMapping(b *strings.Builder, column int) {
	first := true
	for _, f := range t.Fields {
		if f.implied {
			continue
		}
		if !first {
			newline(b, column)
		}
		first = false
		b.WriteString(fieldName(f.name) + ":")
		f.value.writeValue(b, column)
	}
	if first {
		b.WriteString("{}")
	}
}

// writeValue writes what follows "field:" of a block mapping at the given column.
func (t *Tree) writeValue(b *strings.Builder, column int) {
	switch {
	case (t.Kind == SequenceTree || t.Kind == MappingTree) && t.Block:
		newline(b, column+2)
		t.write(b, column+2)
	case t.Kind == textTree && literal(t.text):
		header := " |"
		if !strings.HasSuffix(t.text, "\n") {
			header = " |-"
		}
		b.WriteString(header)
		for _, line := range strings.Split(strings.TrimSuffix(t.text, "\n"), "\n") {
			b.WriteByte('\n')
			if line != "" {
				b.WriteString(strings.Repeat(" ", column+2) + line)
			}
		}
	default:
		b.WriteByte(' ')
		t.writeFlow(b)
	}
}

func newline(b *strings.Builder, column int) {
	b.WriteByte('\n')
	b.WriteString(strings.Repeat(" ", column))
}

// literal tells whether a text of several lines can stand in | form as it is.
func literal(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") || strings.ContainsAny(body, "\t\ufeff") || strings.TrimSpace(body) != body {
		return false
	}
	for _, line := range strings.Split(body, "\n") {
		if strings.HasSuffix(line, " ") {
			return false
		}
	}
	return true
}

// inline is how a tree stands on one line: as YAML in brackets, or as JSON.
type inline struct {
	comma, colon string
	name, text   func(string) string
}

var (
	inYAML = inline{", ", ": ", fieldName, Quote}
	inJSON = inline{",", ":", jsonText, jsonText}
)

// flow is the tree on one line.
func (t *Tree) flow() string {
	var b strings.Builder
	t.writeFlow(&b)
	return b.String()
}

// Json is the tree on one line of JSON.
func (t *Tree) Json() string {
	var b strings.Builder
	inJSON.write(&b, t)
	return b.String()
}

func (t *Tree) writeFlow(b *strings.Builder) { inYAML.write(b, t) }

func (in inline) write(b *strings.Builder, t *Tree) {
	separate := func(first bool) {
		if !first {
			b.WriteString(in.comma)
		}
	}
	switch t.Kind {
	case numberTree:
		b.WriteString(numeral.Format(t.number))
	case textTree:
		b.WriteString(in.text(t.text))
	case flagTree:
		b.WriteString(strconv.FormatBool(t.flag))
	case SequenceTree:
		b.WriteByte('[')
		for i, item := range t.Items {
			separate(i == 0)
			in.write(b, item)
		}
		b.WriteByte(']')
	case MappingTree:
		b.WriteByte('{')
		first := true
		for _, f := range t.Fields {
			if f.implied {
				continue
			}
			separate(first)
			first = false
			b.WriteString(in.name(f.name) + in.colon)
			in.write(b, f.value)
		}
		b.WriteByte('}')
	}
}

func jsonText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always can
	return strings.TrimSuffix(b.String(), "\n")
}

// fieldName quotes a candidate's name if it needs it; a Rényi order does not.
func fieldName(name string) string {
	if _, number := ParseFloat(name); number {
		return name
	}
	return Quote(name)
}
