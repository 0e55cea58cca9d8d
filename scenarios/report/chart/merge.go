package chart

import (
	"slices"
	"strconv"

	"epsiloscope/scenarios/report/curve"
)

// columns lays a chart out as one row a point of the horizontal axis and one
// column a series, first the headings. A bar chart has one row a bar, and its
// series are taken at the bars' positions 0, 1, 2 …
func (c Chart) columns() (head []string, rows [][]float64, labels []string) {
	if len(c.Bars) > 0 {
		return c.barColumns()
	}
	head = []string{c.X.Label}
	var xs []float64
	for _, s := range c.Series {
		head = append(head, s.Name)
		xs = append(xs, s.X...)
	}
	xs = curve.SortedDistinct(slices.DeleteFunc(xs, func(x float64) bool { return x != x }))
	at := make(map[float64]int, len(xs))
	for i, x := range xs {
		at[x] = i
		rows = append(rows, emptyRow(x, len(c.Series)))
	}
	for j, s := range c.Series {
		for i, x := range s.X {
			if row, ok := at[x]; ok && i < len(s.Y) {
				rows[row][j+1] = s.Y[i]
			}
		}
	}
	return head, rows, nil
}

func (c Chart) barColumns() (head []string, rows [][]float64, labels []string) {
	head = []string{c.X.Label, c.Y.Label}
	for _, s := range c.Series {
		head = append(head, s.Name)
	}
	for i, b := range c.Bars {
		rows = append(rows, emptyRow(b.Value, len(c.Series)))
		label := b.Label
		if label == "" {
			label = strconv.Itoa(i + 1)
		}
		labels = append(labels, label)
	}
	for j, s := range c.Series {
		for k, x := range s.X[:min(len(s.X), len(s.Y))] {
			if i := int(x); i >= 0 && i < len(rows) && float64(i) == x {
				rows[i][j+1] = s.Y[k]
			}
		}
	}
	return head, rows, labels
}

func emptyRow(first float64, n int) []float64 {
	row := make([]float64, n+1)
	for i := range row {
		row[i] = unset
	}
	row[0] = first
	return row
}
