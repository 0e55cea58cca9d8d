package report

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// CSV writes one row a bound, with a header row. Numbers have every digit; a cell
// that has no number is empty.
func CSV(w io.Writer, r *scenarios.Result) error {
	rows := [][]string{{"method", "status", "epsilon", "epsilon_lower", "delta", "alpha", "best", "note"}}
	for i, b := range r.Bounds {
		row := []string{string(b.Method), string(b.Status), "", "", cell(b.Delta), "", "", note(b)}
		if b.Finite() {
			row[2] = cell(b.Epsilon)
			if b.Method == accounting.Numerical {
				row[3] = cell(b.Lower)
			}
			if renyi(b.Method) && b.Alpha != 0 {
				row[5] = cell(b.Alpha)
			}
		}
		if i == r.Best {
			row[6] = "best"
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// cell is a number for a machine: the shortest text that reads back as x.
func cell(x float64) string {
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
