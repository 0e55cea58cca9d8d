package format

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Checker collects what is wrong with values, by field.
type Checker struct{ Found Errors }

// Add notes a problem, if there is one.
func (c *Checker) Add(field, text string) {
	if text != "" {
		c.Found = append(c.Found, FieldError{Field: field, Problem: text})
	}
}

// Item checks one item of a list and puts its index before the fields of the problems found. The path is built
// only if there are problems: a stack may have ten thousand entries.
func (c *Checker) Item(path string, i int, check func()) {
	before := len(c.Found)
	check()
	for j := before; j < len(c.Found); j++ {
		c.Found[j].Field = WithIndex(path, i) + "." + c.Found[j].Field
	}
}

// Errors returns the problems of a file without places.
func (c *Checker) Errors(file string) error {
	for i := range c.Found {
		c.Found[i].File = file
	}
	return c.Found.Sort()
}

// check returns the problem with a value, "" if there is none. Without a list to choose from any
// word will do.
func check(p param.Param, v param.Value) string {
	if p.Type == param.Choice && p.Choices == nil {
		return checkText(v.Text, p.Name == "description")
	}
	return p.Check(v)
}

// checkText refuses control characters; only a description may hold line ends.
func checkText(value string, lines bool) string {
	for _, r := range value {
		if yamltree.IsControl(r) && !(lines && (r == '\n' || r == '\t')) {
			return fmt.Sprintf("control character U+%04X is not allowed", r)
		}
	}
	return ""
}

// WithIndex returns a path with a number from 1: "stack[2]".
func WithIndex(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }

// FieldError is a mistake. Line and Column count from 1; both are 0 where the
// scenario did not come from a text.
type FieldError struct {
	File         string
	Line, Column int
	Field        string // "stack[2].sigma"; "" for the file as a whole
	Problem      string // "must be greater than 0, got -1"
}

// Error returns one line: "file.yaml:7:12: stack[2].sigma: must be greater than 0, got -1".
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

// Error returns one line for each mistake.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, f := range e {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort sorts the mistakes in the order of the text and returns them; nil if there are none.
func (e Errors) Sort() error {
	if len(e) == 0 {
		return nil
	}
	slices.SortStableFunc(e, func(a, b FieldError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return e
}
