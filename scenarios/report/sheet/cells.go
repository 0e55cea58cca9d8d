package sheet

import (
	"slices"

	"epsiloscope/scenarios"
)

// Cells is a table as text, its header first, for callers that lay it out themselves.
type Cells struct {
	Rows    [][]string
	Numbers []bool // which columns hold numbers
}

// Tables are the two of a comparison: every bound side by side, under the names that
// people know, and the stack.
func Tables(r *scenarios.Result) (bounds, stack Cells) {
	columns := slices.Clone(boundColumns)
	for i := range columns {
		if columns[i].head == "bound" {
			columns[i].show = func(b boundRow) string { return b.Method.Name() }
		}
	}
	return gridOf(columns, boundRows(r)).cells(), gridOf(stackColumns, r.Entries).cells()
}

func (g Grid) cells() Cells {
	c := Cells{Rows: g.rows}
	for _, a := range g.Align {
		c.Numbers = append(c.Numbers, a != Left)
	}
	return c
}
