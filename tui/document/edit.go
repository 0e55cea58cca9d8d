package document

import (
	"errors"
	"slices"

	"epsiloscope/scenarios"
)

// ErrEmpty is the answer to an edit of an entry where there is none.
var ErrEmpty = errors.New("the stack is empty: a adds the first mechanism")

// change rebuilds the list of entries a path ends in, sharing every other one. Branches and
// blocks that are left empty go.
func change(
	stack []scenarios.Entry, p Path, edit func(list []scenarios.Entry, at int) []scenarios.Entry,
) []scenarios.Entry {
	out := slices.Clone(stack)
	if len(p) == 1 {
		return edit(out, p[0])
	}
	e := &out[p[0]]
	e.Parallel = slices.Clone(e.Parallel)
	e.Parallel[p[1]] = change(e.Parallel[p[1]], p[2:], edit)
	if len(e.Parallel[p[1]]) == 0 {
		e.Parallel = slices.Delete(e.Parallel, p[1], p[1]+1)
	}
	if len(e.Parallel) == 0 {
		return slices.Delete(out, p[0], p[0]+1)
	}
	return out
}

// withEdit returns the scenario with its stack rebuilt at a path.
func (d *Document) withEdit(p Path, edit func([]scenarios.Entry, int) []scenarios.Entry) *scenarios.Scenario {
	s := *d.now
	s.Stack = change(s.Stack, p, edit)
	return &s
}

// alter rebuilds the stack at path p, as an edit that can be undone, and selects the row that path then leads to
// afterwards.
func (d *Document) alter(what string, p, then Path, edit func([]scenarios.Entry, int) []scenarios.Entry) {
	d.commit(d.withEdit(p, edit), what)
	if i := d.rowOf(then); i >= 0 {
		d.Select(i)
	}
}

// Edit changes the selected entry in a copy. The callback must not write into the
// entry's Values; it may put other Values in their place.
func (d *Document) Edit(what string, edit func(*scenarios.Entry)) error {
	if len(d.rows) == 0 {
		return ErrEmpty
	}
	d.commit(d.WithEntryEdited(edit), what)
	return nil
}

// WithEntryEdited returns the scenario as it would be with the selected entry changed; the document
// stays as it is.
func (d *Document) WithEntryEdited(edit func(*scenarios.Entry)) *scenarios.Scenario {
	row, ok := d.SelectedRow()
	if !ok {
		return d.now
	}
	return d.withEdit(row.Path, func(list []scenarios.Entry, at int) []scenarios.Entry {
		edit(&list[at])
		return list
	})
}

// Add puts an entry behind the selected one, in the same branch, and selects it.
func (d *Document) Add(e scenarios.Entry) {
	row, ok := d.SelectedRow()
	if !ok {
		s := *d.now
		s.Stack = []scenarios.Entry{e}
		d.commit(&s, "add")
		return
	}
	d.insert("add", row.Path, e)
}

// Duplicate puts a copy of the selected entry behind it and selects the copy.
func (d *Document) Duplicate() error {
	row, ok := d.SelectedRow()
	if !ok {
		return ErrEmpty
	}
	d.insert("duplicate", row.Path, *row.Entry)
	return nil
}

// insert puts an entry behind the one that a path leads to and selects it.
func (d *Document) insert(what string, p Path, e scenarios.Entry) {
	d.alter(what, p, p.sibling(+1), func(list []scenarios.Entry, at int) []scenarios.Entry {
		return slices.Insert(list, at+1, e)
	})
}

// Drop removes the selected entry, or every marked one.
func (d *Document) Drop() error {
	row, ok := d.SelectedRow()
	if !ok {
		return ErrEmpty
	}
	paths := d.markedPaths()
	if len(paths) == 0 {
		paths = []Path{row.Path}
	}
	s := *d.now
	for _, p := range slices.Backward(paths) { // from the end: earlier paths stay right
		s.Stack = change(s.Stack, p, func(list []scenarios.Entry, at int) []scenarios.Entry {
			return slices.Delete(list, at, at+1)
		})
	}
	d.commit(&s, "drop")
	return nil
}

// markedPaths lists the marked rows, without those inside a marked block.
func (d *Document) markedPaths() []Path {
	var paths []Path
	for i, r := range d.rows {
		inside := slices.ContainsFunc(paths, func(p Path) bool {
			return len(p) < len(r.Path) && slices.Equal(p, r.Path[:len(p)])
		})
		if d.marks[i] && !inside {
			paths = append(paths, r.Path)
		}
	}
	return paths
}

// Move shifts the selected entry up (−1) or down (+1) within its branch.
func (d *Document) Move(by int) error {
	row, ok := d.SelectedRow()
	if !ok {
		return ErrEmpty
	}
	if to := row.Path.sibling(by); d.rowOf(to) >= 0 {
		d.alter("move", row.Path, to, func(list []scenarios.Entry, at int) []scenarios.Entry {
			list[at], list[at+by] = list[at+by], list[at]
			return list
		})
	}
	return nil
}

// Toggle leaves the selected entry out of the cost, or takes it back in.
func (d *Document) Toggle() error {
	return d.Edit("leave out", func(e *scenarios.Entry) { e.Disabled = !e.Disabled })
}
