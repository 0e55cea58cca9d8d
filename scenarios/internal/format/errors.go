package format

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// FieldError is one mistake. Line and Column count from 1; both are 0 where the
// scenario did not come from a text.
type FieldError struct {
	File         string
	Line, Column int
	Field        string // "stack[2].sigma"; "" for the file as a whole
	Problem      string // "must be greater than 0, got -1"
}

// Error is one line: "file.yaml:7:12: stack[2].sigma: must be greater than 0, got -1".
func (e FieldError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column))
	}
	for _, part := range []string{e.Field, e.Problem} {
		if part != "" {
			if b.Len() > 0 {
				b.WriteString(": ")
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

// Errors are all mistakes of a scenario, in the order of the file.
type Errors []FieldError

// Error is one line for each mistake.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, f := range e {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Sorted puts the mistakes in the order of the text; nil if there are none.
func (e Errors) Sorted() error {
	if len(e) == 0 {
		return nil
	}
	slices.SortStableFunc(e, func(a, b FieldError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return e
}
