package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// column describes one column of a table, once for every format: how a row's value is
// written for people (in text and Markdown), and what it is for programs (in CSV and JSON).
type column[R any] struct {
	head  string
	align align
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

// gridOf is the table for people.
func gridOf[R any](columns []column[R], rows []R) grid {
	var g grid
	var heads []string
	for _, c := range columns {
		if c.show != nil {
			g.align, heads = append(g.align, c.align), append(heads, c.head)
		}
	}
	g.add(heads...)
	for _, r := range rows {
		var cells []string
		for _, c := range columns {
			if c.show != nil {
				cells = append(cells, c.show(r))
			}
		}
		g.add(cells...)
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
	case float64:
		return cell(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// recordsOf is the table as JSON objects; never null, where there are no rows.
func recordsOf[R any](columns []column[R], rows []R) []record {
	list := make([]record, len(rows))
	for i, r := range rows {
		for _, c := range columns {
			if c.value == nil || c.in == onlyCSV {
				continue
			}
			v := c.value(r)
			if x, ok := v.(float64); ok && number(x) == nil {
				v = nil // JSON has neither NaN nor infinity
			}
			if v != nil || !c.omit {
				list[i] = append(list[i], member{c.key, v})
			}
		}
	}
	return list
}

// record is a JSON object whose keys keep their order.
type record []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members one after the other.
func (r record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, m := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
