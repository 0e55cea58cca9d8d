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

// Cell returns a number for a machine: the shortest text that reads back as x.
func Cell(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// writeCSV writes the rows. A spreadsheet runs a cell that starts with =, +, - or @ as
// a formula, and names come from files of others: such a text gets an apostrophe in
// front, which spreadsheets hide.
func writeCSV(w io.Writer, rows [][]string) error {
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

// encode writes v indented and leaves ε, δ, < and > as they are.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Record is a JSON object, keys and values, whose keys keep their order. JSON has neither
// NaN nor infinity: such a number is null. A list of texts is never null.
type Record [][2]any

// Records returns a record per item; the JSON is never null.
func Records[T any](list []T, record func(T) Record) []Record {
	records := make([]Record, len(list))
	for i, x := range list {
		records[i] = record(x)
	}
	return records
}

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
		if err := e.Encode(jsonValue(m[1])); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// jsonValue replaces NaN and infinities, which JSON lacks, by null.
func jsonValue(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case []float64:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = jsonValue(x)
		}
		return list
	case []string:
		return append([]string{}, v...)
	}
	return v
}
