package sheet

import (
	"fmt"
	"strconv"
)

// column describes one column of a table, once for every format: how a row's value is
// written for people (in text and Markdown), and what it is for programs (in CSV and JSON).
type column[R any] struct {
	head  string
	align Align
	show  func(R) string // nil: for programs only

	key   string
	value func(R) any // text, a number, a flag or a record; nil: for people only
	in    programs    // which programs see it
	omit  bool        // JSON leaves the key out where there is nothing
}

type programs int

const (
	bothFormats programs = iota
	onlyCSV
	onlyJSON
)

// words is a column of text, the same for people and programs.
func words[R any](head, key string, text func(R) string) column[R] {
	return column[R]{head: head, show: text, key: key, value: func(r R) any { return text(r) }}
}

// number is a column of numbers, written for people by a function.
func number[R any](head, key string, align Align, write func(float64) string, x func(R) float64) column[R] {
	return column[R]{head: head, align: align, show: func(r R) string { return write(x(r)) }, key: key, value: func(r R) any { return x(r) }}
}

// gridOf is the table for people.
func gridOf[R any](columns []column[R], rows []R) Grid {
	var g Grid
	var heads []string
	for _, c := range columns {
		if c.show != nil {
			g.Align, heads = append(g.Align, c.align), append(heads, c.head)
		}
	}
	g.Add(heads...)
	for _, r := range rows {
		var cells []string
		for _, c := range columns {
			if c.show != nil {
				cells = append(cells, c.show(r))
			}
		}
		g.Add(cells...)
	}
	return g
}

// csvOf is the table with every digit, under a row of keys.
func csvOf[R any](columns []column[R], rows []R) [][]string {
	table := make([][]string, 1+len(rows))
	for _, c := range columns {
		if c.value == nil || c.in == onlyJSON {
			continue
		}
		table[0] = append(table[0], c.key)
		for i, r := range rows {
			table[1+i] = append(table[1+i], csvCell(c.value(r)))
		}
	}
	return table
}

func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return Cell(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// recordsOf is the table as JSON objects; never null, where there are no rows.
func recordsOf[R any](columns []column[R], rows []R) []Record {
	list := make([]Record, len(rows))
	for i, r := range rows {
		for _, c := range columns {
			if c.value == nil || c.in == onlyCSV {
				continue
			}
			v := c.value(r)
			if x, ok := v.(float64); ok && Number(x) == nil {
				v = nil // JSON has neither NaN nor infinity
			}
			if v != nil || !c.omit {
				list[i] = append(list[i], [2]any{c.key, v})
			}
		}
	}
	return list
}
