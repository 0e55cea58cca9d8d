// Package format reads, checks, writes and describes the fields of a file by tables.
//
// A [Field] is one row: what a file says under one name, how it is declared and where
// its value is kept. A [Table] of rows decodes a mapping with all its mistakes, checks
// values, compares them, sets one from a line of text, writes the mapping as a tree that
// package yamltree edits a text towards, and describes it as a JSON Schema. The tables
// themselves are those of package scenarios.
package format

import (
	"slices"

	"epsiloscope/mechanisms/param"
)

// Field is a row of a table.
type Field[T any] struct {
	param.Param
	At      func(*T) any // the value: a *string, *float64, *bool or [Value]
	Parts   []Field[T]   // instead of At: a mapping of further fields
	Example string       // of such a mapping
	Missing string       // the problem where the field is not given; "" if it need not be
	Only    string       // the kind of owner that has it; "" for all
	Aside   bool         // no guarantee depends on it: a certificate stays valid if it is edited
	Listed  bool         // listed all the same if two owners differ in it
}

// Table is a list of rows, and of the leaves: the rows, and parts of rows, that hold a value.
type Table[T any] struct {
	rows   []Field[T]
	Leaves []Leaf[T]
}

// Leaf is a row that holds a value, with its full path, "sampling.rate", and a shorter one if it is the only part
// of its mapping, "sampling".
type Leaf[T any] struct {
	Field[T]
	Path, Short string
}

// TableOf returns the table of the rows, with the fields inside mappings found by their path.
func TableOf[T any](rows []Field[T]) *Table[T] {
	t := &Table[T]{rows: rows}
	for _, f := range rows {
		t.Leaves = f.appendLeaves(t.Leaves)
	}
	return t
}

// appendLeaves appends the parts of a row that hold a value.
func (f Field[T]) appendLeaves(list []Leaf[T]) []Leaf[T] {
	if f.Parts == nil {
		return append(list, Leaf[T]{f, f.Name, f.Name})
	}
	first := len(list)
	for _, part := range f.Parts {
		list = part.appendLeaves(list)
	}
	for i := range list[first:] {
		l := &list[first+i]
		l.Path, l.Short = f.Name+"."+l.Path, f.Name+"."+l.Short
		if len(f.Parts) == 1 {
			l.Short = f.Name
		}
	}
	return list
}

// Names returns the names of the rows.
func (t *Table[T]) Names() []string { return names(t.rows) }

func names[T any](rows []Field[T]) []string {
	list := make([]string, len(rows))
	for i, f := range rows {
		list[i] = f.Name
	}
	return list
}

// Find returns the leaf that a path means.
func (t *Table[T]) Find(path string) (Leaf[T], bool) {
	i := slices.IndexFunc(t.Leaves, func(l Leaf[T]) bool { return l.Path == path || l.Short == path })
	if i < 0 {
		return Leaf[T]{}, false
	}
	return t.Leaves[i], true
}

// Equal reports whether two owners have equal values in every field.
func (t *Table[T]) Equal(a, b *T) bool {
	for i := range t.Leaves {
		if !t.Leaves[i].Equal(a, b) {
			return false
		}
	}
	return true
}

// Check adds what is wrong with the values.
func (t *Table[T]) Check(c *Checker, x *T) {
	for i := range t.Leaves {
		t.Leaves[i].value(x).Check(c, t.Leaves[i].Path)
	}
}

// Clear empties the fields that no guarantee depends on.
func (t *Table[T]) Clear(x *T) {
	for i := range t.Leaves {
		if l := &t.Leaves[i]; l.Aside {
			l.value(x).(interface{ Clear() }).Clear()
		}
	}
}
