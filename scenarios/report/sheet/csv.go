package sheet

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"epsiloscope/scenarios"
)

// CSV writes one row a bound, with a header row. Numbers have every digit; a cell
// that has no number is empty.
func CSV(w io.Writer, r *scenarios.Result) error {
	return WriteCSV(w, csvOf(boundColumns, boundRows(r)))
}

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
