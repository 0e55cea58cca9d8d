package sheet

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Align says how a column of a grid is set.
type Align int

const (
	Left Align = iota
	Right
	Decimal // numbers under each other at the decimal point
)

// Grid is a table for people: columns aligned by display width, two spaces apart.
type Grid struct {
	Align []Align
	rows  [][]string
}

func (g *Grid) Add(cells ...string) { g.rows = append(g.rows, cells) }

// Write prints the grid, every line after the indent, without trailing spaces.
func (g *Grid) Write(w io.Writer, indent string) error {
	columns := g.columns()
	for i := range g.rows {
		var line strings.Builder
		line.WriteString(indent)
		for j, column := range columns {
			if j > 0 {
				line.WriteString("  ")
			}
			line.WriteString(column[i])
		}
		if _, err := io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// columns returns the cells by column, each padded to its column's width.
func (g *Grid) columns() [][]string {
	columns := make([][]string, len(g.Align))
	for j, a := range g.Align {
		cells := make([]string, len(g.rows))
		for i, row := range g.rows {
			if j < len(row) {
				cells[i] = row[j]
			}
		}
		if a == Decimal {
			alignPoints(cells)
		}
		width := 0
		for _, c := range cells {
			width = max(width, ansi.StringWidth(c))
		}
		for i, c := range cells {
			pad := strings.Repeat(" ", width-ansi.StringWidth(c))
			if a == Left {
				cells[i] = c + pad
			} else {
				cells[i] = pad + c
			}
		}
		columns[j] = cells
	}
	return columns
}

// alignPoints pads numbers on the right so that, set flush right, their decimal
// points stand under each other. Words (a heading, "n/a") stay flush right.
func alignPoints(cells []string) {
	tail := func(s string) (int, bool) {
		digits := strings.TrimPrefix(s, "-")
		if digits == "" || digits[0] < '0' || digits[0] > '9' {
			return 0, false
		}
		if point := strings.IndexByte(s, '.'); point >= 0 {
			return len(s) - point, true
		}
		return 0, true
	}
	longest := 0
	for _, c := range cells {
		if n, ok := tail(c); ok {
			longest = max(longest, n)
		}
	}
	for i, c := range cells {
		if n, ok := tail(c); ok {
			cells[i] = c + strings.Repeat(" ", longest-n)
		}
	}
}
