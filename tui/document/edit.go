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
func change(stack []scenarios.Entry, p Path, edit func(list []scenarios.Entry, at int) []scenarios.Entry) []scenarios.Entry {
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

// alter commits a stack rebuilt at a path.
func (d *Document) alter(what string, p Path, edit func([]scenarios.Entry, int) []scenarios.Entry) {
	s := *d.now
	s.Stack = change(s.Stack, p, edit)
	d.commit(&s, what)
}

// Edit changes the selected entry in a copy. The callback must not write into the
// entry's Values; it may put other Values in their place.
func (d *Document) Edit(what string, edit func(*scenarios.Entry)) error {
	row, ok := d.Selected()
	if !ok {
		return ErrEmpty
	}
	d.alter(what, row.Path, func(list []scenarios.Entry, at int) []scenarios.Entry {
		edit(&list[at])
		return list
	})
	return nil
}

// With is the scenario as it would be with the selected entry changed; the document
// stays as it is.
func (d *Document) With(edit func(*scenarios.Entry)) *scenarios.Scenario {
	row, ok := d.Selected()
	if !ok {
		return d.now
	}
	s := *d.now
	s.Stack = change(s.Stack, row.Path, func(list []scenarios.Entry, at int) []scenarios.Entry {
		edit(&list[at])
		return list
	})
	return &s
}

// Add puts an entry behind the selected one, in the same branch, and selects it.
func (d *Document) Add(e scenarios.Entry) {
	row, ok := d.Selected()
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
	row, ok := d.Selected()
	if !ok {
		return ErrEmpty
	}
	d.insert("duplicate", row.Path, *row.Entry)
	return nil
}

func (d *Document) insert(what string, p Path, e scenarios.Entry) {
	d.alter(what, p, func(list []scenarios.Entry, at int) []scenarios.Entry {
		return slices.Insert(list, at+1, e)
	})
	next := slices.Clone(p)
	next[len(next)-1]++
	d.Select(d.rowOf(next))
}

// Drop removes the selected entry, or every marked one.
func (d *Document) Drop() error {
	row, ok := d.Selected()
	if !ok {
		return ErrEmpty
	}
	paths := d.markedPaths()
	if len(paths) == 0 {
		paths = []Path{row.Path}
	}
	s := *d.now
	for _, p := range slices.Backward(paths) { // from the end: earlier paths stay right
		s.Stack = change(s.Stack, p, func(list []scenarios.Entry, at int) []scenarios.Entry { return slices.Delete(list, at, at+1) })
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
	row, ok := d.Selected()
	if !ok {
		return ErrEmpty
	}
	list := d.siblings(row.Path)
	at := row.Path[len(row.Path)-1]
	to := at + by
	if to < 0 || to >= len(list) {
		return nil
	}
	d.alter("move", row.Path, func(list []scenarios.Entry, at int) []scenarios.Entry {
		list[at], list[to] = list[to], list[at]
		return list
	})
	next := slices.Clone(row.Path)
	next[len(next)-1] = to
	d.Select(d.rowOf(next))
	return nil
}

// siblings is the list of entries a path ends in.
func (d *Document) siblings(p Path) []scenarios.Entry {
	list := d.now.Stack
	for len(p) > 1 {
		list = list[p[0]].Parallel[p[1]]
		p = p[2:]
	}
	return list
}

// Toggle leaves the selected entry out of the cost, or takes it back in.
func (d *Document) Toggle() error {
	return d.Edit("leave out", func(e *scenarios.Entry) { e.Disabled = !e.Disabled })
}
