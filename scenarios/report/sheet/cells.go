package sheet

import (
	"slices"

	"epsiloscope/scenarios"
)

// Tables are the two of a comparison, for a page that lays them out itself: every bound side
// by side, under the names that people know, and the stack.
func Tables(r *scenarios.Result) (bounds, stack Grid) {
	columns := slices.Clone(boundColumns)
	for i := range columns {
		if columns[i].Head == "bound" {
			columns[i].Show = func(b boundRow) string { return b.Method.Name() }
		}
	}
	return GridOf(columns, boundRows(r)), GridOf(stackColumns, r.Entries)
}

// Rows are the cells, the header first.
func (g Grid) Rows() [][]string { return g.rows }

// Number reports whether a column holds numbers.
func (g Grid) Number(column int) bool { return g.align[column] != Left }
