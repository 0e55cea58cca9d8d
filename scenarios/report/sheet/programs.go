package sheet

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
)

// Cell is a number for a machine: the shortest text that reads back as x.
func Cell(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// WriteCSV writes the rows. A spreadsheet runs a cell that starts with =, +, - or @ as
// a formula, and names come from files of others: such a text gets an apostrophe in
// front, which spreadsheets hide.
func WriteCSV(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i, text := range row {
			if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
				continue
			}
			if _, err := strconv.ParseFloat(text, 64); err != nil {
				row[i] = "'" + text
			}
		}
	}
	c := csv.NewWriter(w)
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return c.Error()
}

// Number is x where JSON can carry it, else nil.
func Number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Encode writes v indented and leaves ε, δ, < and > as they are.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Record is a JSON object, keys and values, whose keys keep their order.
type Record [][2]any

// MarshalJSON writes the members one after the other.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, m := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m[0]); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m[1]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
