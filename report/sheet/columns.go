package sheet

import (
	"fmt"
	"strconv"

	"epsiloscope/report"
)

// Column describes one column of a table, once for every format: how a row's value is
// written for people (in text, Markdown and LaTeX), and what it is for programs (in CSV and
// JSON).
type Column[R any] struct {
	Head  string
	Align Align
	Show  func(R) string // nil: for programs only
	Aside bool           // LaTeX leaves it out, as it does a column without a head
	Prose bool           // sentences, which a narrow screen wraps; other columns it drops

	Role func(R) report.Role // what a cell is, for a screen to draw it by; nil: text
	Bar  func(R) Bar         // drawn beside the row on a screen

	Key      string
	Value    func(R) any // text, a number, a flag or a record; nil: for people only
	Programs Programs    // which programs see it
	Omit     bool        // JSON leaves the key out where there is nothing
}

// Programs are formats for programs.
type Programs int

const (
	CSVAndJSON Programs = iota
	OnlyCSV
	OnlyJSON
)

// Words returns a column of text, the same for people and programs.
func Words[R any](head, key string, text func(R) string) Column[R] {
	return Column[R]{Head: head, Show: text, Key: key, Value: func(r R) any { return text(r) }}
}

// Number returns a column of numbers, written for people by a function.
func Number[R any](head, key string, align Align, write func(float64) string, x func(R) float64) Column[R] {
	return Column[R]{Head: head, Align: align, Show: func(r R) string {
		return write(x(r))
	}, Key: key, Value: func(r R) any { return x(r) }}
}

// asResult returns a column whose cells have the role of results.
func asResult[R any](c Column[R]) Column[R] {
	c.Role = func(R) report.Role { return report.Result }
	return c
}

// GridOf returns the table for people; it has no rows if every column is for programs only.
func GridOf[R any](columns []Column[R], rows []R) Grid {
	g := Grid{rows: make([][]string, 1+len(rows))}
	g.roles = make([][]report.Role, len(g.rows))
	shown := false
	for _, c := range columns {
		if c.Bar != nil {
			for _, r := range rows {
				g.bars = append(g.bars, c.Bar(r))
			}
		}
		if c.Show == nil {
			continue
		}
		shown = true
		g.align, g.aside, g.prose = append(g.align, c.Align), append(g.aside, c.Aside || c.Head == ""), c.Prose
		g.rows[0], g.roles[0] = append(g.rows[0], c.Head), append(g.roles[0], report.Note)
		for i, r := range rows {
			role := report.Text
			if c.Role != nil {
				role = c.Role(r)
			}
			g.rows[1+i], g.roles[1+i] = append(g.rows[1+i], c.Show(r)), append(g.roles[1+i], role)
		}
	}
	if !shown {
		return Grid{}
	}
	return g
}

// csvOf returns the table with every digit, under a row of keys.
func csvOf[R any](columns []Column[R], rows []R) [][]string {
	table := make([][]string, 1+len(rows))
	for _, c := range columns {
		if c.Value == nil || c.Programs == OnlyJSON {
			continue
		}
		table[0] = append(table[0], c.Key)
		for i, r := range rows {
			table[1+i] = append(table[1+i], csvCell(c.Value(r)))
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

// RecordsOf returns the table as JSON objects.
func RecordsOf[R any](columns []Column[R], rows []R) []Record {
	return Records(rows, func(r R) Record { return recordOf(columns, r) })
}

// recordOf returns one row as a JSON object.
func recordOf[R any](columns []Column[R], row R) (record Record) {
	for _, c := range columns {
		if c.Value == nil || c.Programs == OnlyCSV {
			continue
		}
		if v := jsonValue(c.Value(row)); v != nil || !c.Omit {
			record = append(record, [2]any{c.Key, v})
		}
	}
	return record
}
