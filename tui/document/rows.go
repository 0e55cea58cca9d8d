package document

import (
	"slices"

	"epsiloscope/scenarios"
)

// Path leads to an entry: its place in the stack, then for every parallel block on
// the way the branch and the place in it.
type Path []int

// Row is a line of the stack as shown: blocks of parallel branches are followed
// by the entries of their branches.
type Row struct {
	Path  Path
	Entry *scenarios.Entry // must not be changed
	First bool             // the first entry of a branch
}

// Top returns the place of the row's outermost entry in the stack.
func (r Row) Top() int { return r.Path[0] }

// Depth returns how many blocks the row is inside of.
func (r Row) Depth() int { return (len(r.Path) - 1) / 2 }

// Block reports whether the row is a block of parallel branches.
func (r Row) Block() bool { return len(r.Entry.Parallel) > 0 }

// ScenarioFor returns the scenario as a row sees it.
func (d *Document) ScenarioFor(row Row) *scenarios.Scenario {
	if row.Depth() == 0 {
		return d.now
	}
	return d.now.ForBranch()
}

// Runs returns how often the blocks around a row run, in every round.
func (d *Document) Runs(row Row) float64 {
	n := 1.0
	for _, r := range d.rows {
		if len(r.Path) < len(row.Path) && slices.Equal(r.Path, row.Path[:len(r.Path)]) {
			n *= r.Entry.Count
		}
	}
	return n
}

// Rows returns the lines of the stack.
func (d *Document) Rows() []Row { return d.rows }

// flatten lists the rows of the scenario anew; the selection stays inside the stack.
func (d *Document) flatten() {
	d.rows = appendRows(make([]Row, 0, len(d.now.Stack)), nil, d.now.Stack, false)
	d.Select(d.cursor)
}

// appendRows adds the rows of a stack that a path leads to, with those of its blocks.
func appendRows(rows []Row, at Path, stack []scenarios.Entry, branch bool) []Row {
	places := make([]int, 0, len(stack)*(len(at)+1)) // of all paths on this level
	for i := range stack {
		from := len(places)
		places = append(append(places, at...), i)
		path := Path(places[from:len(places):len(places)])
		rows = append(rows, Row{path, &stack[i], branch && i == 0})
		for b, inner := range stack[i].Parallel {
			rows = appendRows(rows, append(slices.Clone(path), b), inner, true)
		}
	}
	return rows
}

// Cursor returns the selected row, 0 in an empty stack.
func (d *Document) Cursor() int { return d.cursor }

// Select moves the selection, staying inside the stack.
func (d *Document) Select(row int) {
	d.cursor = max(0, min(row, len(d.rows)-1))
}

// SelectedRow returns the selected row; false in an empty stack.
func (d *Document) SelectedRow() (Row, bool) {
	if len(d.rows) == 0 {
		return Row{}, false
	}
	return d.rows[d.cursor], true
}

// IsMarked reports whether a row is marked for grouping or dropping.
func (d *Document) IsMarked(row int) bool { return d.marks[row] }

// Marks returns how many rows are marked.
func (d *Document) Marks() int { return len(d.marks) }

// Mark turns the mark of the selected row on or off.
func (d *Document) Mark() {
	if len(d.rows) == 0 {
		return
	}
	if d.marks == nil {
		d.marks = map[int]bool{}
	}
	if d.marks[d.cursor] = !d.marks[d.cursor]; !d.marks[d.cursor] {
		delete(d.marks, d.cursor)
	}
}

// sibling returns the path to an entry further up or down the same branch.
func (p Path) sibling(by int) Path {
	p = slices.Clone(p)
	p[len(p)-1] += by
	return p
}

// rowOf finds the row a path leads to; -1 if there is none.
func (d *Document) rowOf(p Path) int {
	return slices.IndexFunc(d.rows, func(r Row) bool { return slices.Equal(r.Path, p) })
}

// Entry returns the selected row's place in the stack, from 1; 0 if it is empty.
func (d *Document) Entry() int {
	row, ok := d.SelectedRow()
	if !ok {
		return 0
	}
	return row.Top() + 1
}
