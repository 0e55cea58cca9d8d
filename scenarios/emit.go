package scenarios

import (
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// emit writes a tree as it would stand in a new file. The text starts in the given
// column; further lines are indented to it.
func (t *tree) emit(column int) string {
	var b strings.Builder
	t.write(&b, column)
	return b.String()
}

func (t *tree) write(b *strings.Builder, column int) {
	switch {
	case t.kind == mappingTree && t.block:
		t.writeBlockMapping(b, column)
	case t.kind == sequenceTree && t.block:
		for i, item := range t.items {
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

func (t *tree) writeBlockMapping(b *strings.Builder, column int) {
	first := true
	for _, f := range t.fields {
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
func (t *tree) writeValue(b *strings.Builder, column int) {
	switch {
	case (t.kind == sequenceTree || t.kind == mappingTree) && t.block:
		newline(b, column+2)
		t.write(b, column+2)
	case t.kind == textTree && literal(t.text):
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

// writeFlow writes a tree on one line.
func (t *tree) writeFlow(b *strings.Builder) {
	switch t.kind {
	case numberTree:
		b.WriteString(mechanisms.FormatNumber(t.number))
	case textTree:
		b.WriteString(document.Quote(t.text))
	case flagTree:
		if t.flag {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	case sequenceTree:
		b.WriteByte('[')
		for i, item := range t.items {
			if i > 0 {
				b.WriteString(", ")
			}
			item.writeFlow(b)
		}
		b.WriteByte(']')
	case mappingTree:
		b.WriteByte('{')
		first := true
		for _, f := range t.fields {
			if f.implied {
				continue
			}
			if !first {
				b.WriteString(", ")
			}
			first = false
			b.WriteString(fieldName(f.name) + ": ")
			f.value.writeFlow(b)
		}
		b.WriteByte('}')
	}
}

// fieldName quotes a candidate's name if it needs it; a Rényi order does not.
func fieldName(name string) string {
	if _, number := document.ParseFloat(name); number {
		return name
	}
	return document.Quote(name)
}
